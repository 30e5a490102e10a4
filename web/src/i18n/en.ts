/** The English catalogue. The server gives its refusals in English already. */
export { default } from "../../../src/punto/texts/en/pages.json";
