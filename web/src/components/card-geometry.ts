/** The geometry of a card lifted by a corner or a side: the rest of its back, and the lifted part of its face. */
export type Point = readonly [number, number];

export const WIDTH = 100;
export const HEIGHT = 140;
const CARD: Point[] = [
  [0, 0],
  [WIDTH, 0],
  [WIDTH, HEIGHT],
  [0, HEIGHT],
];

export interface Fold {
  /** The part that lies flat, seen from its back. */
  flat: Point[];
  /** The lifted part, as a shape on the face. */
  lifted: Point[];
  /** The SVG matrix that puts the face where the lifted part is. */
  matrix: [number, number, number, number, number, number];
  /** The share of the card that is lifted. */
  share: number;
}

/** Fold a card that lies face down so that one of its corners comes to a point. */
export function foldTo(corner: Point, to: Point): Fold | null {
  const [dx, dy] = [to[0] - corner[0], to[1] - corner[1]];
  const length = Math.hypot(dx, dy);
  if (length < 1) return null;
  const [nx, ny] = [dx / length, dy / length];
  const middle: Point = [(corner[0] + to[0]) / 2, (corner[1] + to[1]) / 2];
  const side = ([x, y]: Point) => (x - middle[0]) * nx + (y - middle[1]) * ny;
  const flat = cut(CARD, (p) => side(p));
  const gone = cut(CARD, (p) => -side(p));
  // A reflection in the fold, after one that turns the face over: together a rotation, so that signs read right.
  const k = 2 * (middle[0] * nx + middle[1] * ny);
  const matrix: Fold["matrix"] = [
    -(1 - 2 * nx * nx),
    2 * nx * ny,
    -2 * nx * ny,
    1 - 2 * ny * ny,
    (1 - 2 * nx * nx) * WIDTH + k * nx,
    -2 * nx * ny * WIDTH + k * ny,
  ];
  return { flat, lifted: gone.map(([x, y]) => [WIDTH - x, y] as const), matrix, share: size(gone) / (WIDTH * HEIGHT) };
}

/** Return the part of a shape where `side` is not negative. */
function cut(shape: readonly Point[], side: (p: Point) => number): Point[] {
  const kept: Point[] = [];
  shape.forEach((p, index) => {
    const q = shape[(index + 1) % shape.length]!;
    const [a, b] = [side(p), side(q)];
    if (a >= 0) kept.push(p);
    if (a * b < 0) kept.push([p[0] + ((q[0] - p[0]) * a) / (a - b), p[1] + ((q[1] - p[1]) * a) / (a - b)]);
  });
  return kept;
}

function size(shape: readonly Point[]): number {
  const twice = shape.reduce((sum, [x, y], index) => {
    const [u, v] = shape[(index + 1) % shape.length]!;
    return sum + x * v - u * y;
  }, 0);
  return Math.abs(twice) / 2;
}

/** How near to a corner, as a share of a side, one takes hold of it and not of the side. */
const CORNER = 0.28;

/** Return the corner, or the middle of a side, at which a card is taken hold of. */
export function holdAt([x, y]: Point): Point {
  const nearest = (at: number, length: number) => (at < length / 2 ? 0 : length);
  const isEnd = (at: number, length: number) => Math.min(at, length - at) < CORNER * length;
  const [acrossEnd, alongEnd] = [isEnd(x, WIDTH), isEnd(y, HEIGHT)];
  if (acrossEnd === alongEnd) return [nearest(x, WIDTH), nearest(y, HEIGHT)];
  return acrossEnd ? [nearest(x, WIDTH), HEIGHT / 2] : [WIDTH / 2, nearest(y, HEIGHT)];
}

/** The corners and the middles of the sides of a card, as on a map. */
const HOLDS = {
  nw: [0, 0],
  n: [WIDTH / 2, 0],
  ne: [WIDTH, 0],
  e: [WIDTH, HEIGHT / 2],
  se: [WIDTH, HEIGHT],
  s: [WIDTH / 2, HEIGHT],
  sw: [0, HEIGHT],
  w: [0, HEIGHT / 2],
} satisfies Record<string, Point>;
export type Hold = keyof typeof HOLDS;

/** How a card is lifted: where it is held, and where that point is now. */
export interface Lift {
  held: Hold;
  to: Point;
}

/** Return the name of the point at which a card is taken hold of. */
export function holdOf(point: Point): Hold {
  const [x, y] = holdAt(point);
  return (Object.keys(HOLDS) as Hold[]).find((each) => HOLDS[each][0] === x && HOLDS[each][1] === y)!;
}

/** Return how a card is lifted whose point of hold has moved so far; null if it lies flat. */
export function liftBy(held: Hold, [x, y]: Point): Lift | null {
  return x || y ? { held, to: [HOLDS[held][0] + x, HOLDS[held][1] + y] } : null;
}

/** Return the lift that arrow keys have brought about: to the left by the right side, upwards by the lower one. */
export function liftByKeys([x, y]: Point): Lift | null {
  const at = (moved: number, length: number) => (moved < 0 ? length : moved > 0 ? 0 : length / 2);
  return liftBy(holdOf([at(x, WIDTH), at(y, HEIGHT)]), [x, y]);
}

export const foldOf = ({ held, to }: Lift): Fold | null => foldTo(HOLDS[held], to);

/** Return a lift on its way back to the table, a part of the way nearer; null when it is there. */
export function fallen({ held, to }: Lift): Lift | null {
  const moved = to.map((each, axis) => (each - HOLDS[held][axis]!) * 0.6) as unknown as Point;
  return Math.hypot(...moved) < 4 ? null : liftBy(held, moved);
}
