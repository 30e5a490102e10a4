/** The subjects of `src/punto/texts` that the pages use, as one catalogue. */
export type Catalogue = Record<string, string>;

interface Subjects {
  pages: Catalogue;
  names: Catalogue;
  irregularities: Catalogue;
  findings: Catalogue;
  refusals: Catalogue;
}

/** Return one catalogue of several subjects; refusals stand under `refusal.` and their code. */
export function merged({ refusals, ...others }: Subjects): Catalogue {
  const byCode = Object.entries(refusals).map(([code, text]) => [`refusal.${code}`, text]);
  return {
    ...Object.fromEntries(byCode),
    ...others.irregularities,
    ...others.findings,
    ...others.names,
    ...others.pages,
  };
}
