interface Turn {
  alone: boolean;
  begin(): void;
}

/** The order of things that take a while: some go side by side, others wait for all before them and are waited for. */
export class Turns {
  private readonly waiting: Turn[] = [];
  private underWay = 0;
  private oneIsAlone = false;

  sideBySide<T>(work: () => Promise<T>): Promise<T> {
    return this.take(false, work);
  }

  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.take(true, work);
  }

  private take<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve) => {
      this.waiting.push({ alone, begin: () => resolve(this.carryOut(alone, work)) });
      this.beginNext();
    });
  }

  private async carryOut<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
    this.underWay += 1;
    this.oneIsAlone = alone;
    try {
      return await work();
    } finally {
      this.underWay -= 1;
      this.oneIsAlone = false;
      this.beginNext();
    }
  }

  private beginNext(): void {
    for (let next = this.waiting[0]; next && this.mayBegin(next); next = this.waiting[0]) {
      this.waiting.shift();
      next.begin();
    }
  }

  private mayBegin({ alone }: Turn): boolean {
    return alone ? this.underWay === 0 : !this.oneIsAlone;
  }
}
