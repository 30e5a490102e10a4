/** The dealer school: what there is to practise, a question, a graded lesson. */
import { request } from "./http";
import type { LearnerShown, LessonDone, QuestionAsked, QuestionShown, SchoolShown, SheetShown } from "./types";

export const schoolShown = () => request<SchoolShown>("/api/school");
export const askQuestion = (asked: QuestionAsked) => request<QuestionShown>("/api/school/question", asked);
export const schoolResults = () => request<LearnerShown[]>("/api/school/results");
export const ownResults = () => request<LearnerShown>("/api/school/results/mine");
export const scoreSheet = (done: LessonDone) => request<SheetShown>("/api/school/sheet", done);
