/** Types of everything the server sends and receives, generated from its OpenAPI document when the pages are built. */
import type { Told } from "../generated/api";

export type * from "../generated/api";

/** The body of each event, by the event's name. */
export type EventBodies = { [E in Told as E["name"]]: E["body"] };
/** An event of one name. */
export type ToldOf<N extends keyof EventBodies> = Extract<Told, { name: N }>;
