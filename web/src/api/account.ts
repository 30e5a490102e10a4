/** Requests about the sign-in of the person who is signed in, or about to be. */
import { noteUnlocked, request } from "./http";
import type {
  AddedPerson,
  FactorOffered,
  FactorState,
  LimitShown,
  LimitsShown,
  LinkNotice,
  RecoveryCodes,
  RequestShown,
} from "./types";

/** Sign in by a link, which works once. */
export const applyLink = (link: string) => request<unknown>("/api/links", { link });
export const factorState = () => request<FactorState>("/api/me/second-factor");
export const showCode = (code: string) => request<unknown>("/api/me/second-factor/show", { code });
export const offerFactor = () => request<FactorOffered>("/api/me/second-factor/offer", {});
export const setFactor = (sealed: string, code: string) =>
  request<RecoveryCodes>("/api/me/second-factor/set", { sealed, code });
export const askToRemoveOwnFactor = () => request<unknown>("/api/me/second-factor/remove", {});
/** Tell the server that the person at the page gives something. */
export const noteInput = () => request<void>("/api/me/active", {});
/** Ask whether the session is open; a locked one is refused, and the page told. */
export const checkSession = () => request<unknown>("/api/me");
export async function unlock(password: string, code: string): Promise<unknown> {
  const person = await request<unknown>("/api/me/unlock", code ? { code } : { password });
  noteUnlocked();
  return person;
}
export const linkNotices = () => request<LinkNotice[]>("/api/me/links");
export const noticesSeen = (upTo: number) => request<void>("/api/me/links/seen", { up_to: upTo });
export const personRequests = () => request<RequestShown[]>("/api/people/requests");
export const confirmRequest = (id: string) => request<AddedPerson>(`/api/people/requests/${id}/confirm`, {});
export const askToRemoveFactor = (person: string) =>
  request<RequestShown>(`/api/people/${person}/second-factor/remove`, {});
export const myLimits = () => request<LimitsShown>("/api/limits/mine");
/** Set a limit over all tables, in cents or minutes; null lifts it. */
export const setMyLimit = (kind: LimitShown["kind"], period: LimitShown["period"], limit: number | null) =>
  request<LimitsShown>("/api/limits/mine", { kind, period, limit });
/** Stop playing for some days; null is for good. */
export const excludeMyself = (days: number | null) => request<LimitsShown>("/api/limits/mine/exclusion", { days });
/** What a sign-in still needs, as the page's shell tells it: the code of the second factor, or to set one up. */
export const unfinished = () => document.body.dataset.unfinished as "show" | "set-up" | undefined;
