/** Requests about the house itself: its settings and their changes. */
import { request } from "./http";
import type { HouseSettings, SettingsChange } from "./types";

/** The settings as the server tells them: every one of them is there. */
export type Settings = Required<HouseSettings>;

export const houseSettings = () => request<Settings>("/api/house/settings");
export const settingsChanges = () => request<SettingsChange[]>("/api/house/settings/changes");
/** Change the settings from what was `seen`; refused if another person has changed them meanwhile. */
export const changeSettings = (settings: HouseSettings, seen: HouseSettings) =>
  request<Settings>("/api/house/settings", { settings, seen });
