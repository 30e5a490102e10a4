/** The readings of the house that a clause names in brackets, such as R28. */

const CODES = /(?<=[(（])R\d+(?:(?:, |、)R\d+)*(?=[)）])/;

/** Split the words of a clause: each part is plain text, or the codes of readings that stand in its place. */
export function readingsIn(words: string): [text: string, codes: string | null][] {
  const found = CODES.exec(words);
  if (!found) return [[words, null]];
  const [codes] = found;
  const after = words.slice(found.index + codes.length);
  return [[words.slice(0, found.index), null], ["", codes], ...readingsIn(after)];
}
