/** Games that are designed: figures of a file, what is unusual about it, coups settled by it, saved versions. */
import { request } from "./http";
import type {
  ChecksAnswer,
  ConditionKnown,
  CoupAnswer,
  DesignFigures,
  DesignFile,
  DesignListed,
  RatiosAnswer,
  Saved,
} from "./types";

const PATH = "/api/design";
export type Pays = Record<string, Record<string, string>>;

export const figures = (text: string, decks: number | null, pays: Pays = {}) =>
  request<DesignFigures>(`${PATH}/figures`, { text, decks, pays });
export const checks = (text: string, decks: number | null) => request<ChecksAnswer>(`${PATH}/checks`, { text, decks });
export const coup = (text: string, decks: number | null, cards: string | null, stake: number) =>
  request<CoupAnswer>(`${PATH}/coup`, { text, decks, cards, stake });
export const ratios = (
  text: string,
  decks: number | null,
  wager: string,
  target: string,
  allowed: Record<string, string>,
) => request<RatiosAnswer>(`${PATH}/ratios`, { text, decks, wager, target, allowed });
export const conditions = () => request<ConditionKnown[]>(`${PATH}/conditions`);
export const newGame = () => request<DesignFile>(`${PATH}/new`);
export const list = () => request<DesignListed[]>(`${PATH}/games`);
export const file = (digest: string) => request<DesignFile>(`${PATH}/games/${encodeURIComponent(digest)}`);
export const save = (text: string) => request<Saved>(`${PATH}/games`, { text });
