/** The English catalogue. */
import findings from "../../../src/punto/texts/en/findings.json";
import irregularities from "../../../src/punto/texts/en/irregularities.json";
import names from "../../../src/punto/texts/en/names.json";
import pages from "../../../src/punto/texts/en/pages.json";
import refusals from "../../../src/punto/texts/en/refusals.json";
import { merged } from "./subjects";

export default merged({ pages, names, irregularities, findings, refusals });
