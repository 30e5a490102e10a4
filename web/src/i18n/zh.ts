/** The Chinese catalogue. */
import findings from "../../../src/punto/texts/zh/findings.json";
import irregularities from "../../../src/punto/texts/zh/irregularities.json";
import names from "../../../src/punto/texts/zh/names.json";
import pages from "../../../src/punto/texts/zh/pages.json";
import refusals from "../../../src/punto/texts/zh/refusals.json";
import { merged } from "./subjects";

export default merged({ pages, names, irregularities, findings, refusals });
