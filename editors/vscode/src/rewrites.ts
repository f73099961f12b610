// What the program tells of its rewrites.

export interface RewriteName {
  name: string;
  kind: string;
  summary: string;
}

/** Of the lines of `clrewrite --list-rewrites`: a name, a class, a summary. */
export function parseRewrites(text: string): RewriteName[] {
  return text
    .split("\n")
    .map((line) =>
      /^([a-z0-9-]+)\s+(exact|assumes|approximate|contract)\s+(.*)$/.exec(line),
    )
    .filter((m) => m !== null)
    .map(([, name, kind, summary]) => ({ name, kind, summary }));
}
