/** A timer that runs once, and begins again when it is restarted. */
export class Timeout {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly milliseconds: number,
    private readonly action: () => void,
  ) {}

  restart(): void {
    this.stop();
    this.timer = setTimeout(this.action, this.milliseconds);
  }

  stop = (): void => {
    clearTimeout(this.timer);
  };
}
