// Why something can't be done, in words that say what to do.

/** Why a program could not be started. */
export function whyNotStarted(
  program: string,
  error: { code?: string; message: string },
): string {
  if (error.code === "ENOENT") return `there is no program '${program}'.`;
  const reason =
    error.code === "EACCES"
      ? "permission denied: is it a program that may be run?"
      : `${error.message}.`;
  return `'${program}' can't be started: ${reason}`;
}

/** What is known behind a search that gave no edit. */
export interface Searched {
  /** The server still runs. */
  running: boolean;
  /** The text is another than when it began. */
  changed: boolean;
  /** Of the server: the text does not parse, or its options are wrong. */
  errors: { line: number; message: string }[];
}

/** Why all fixes of a file are none. */
export function whyNoEdit(s: Searched): string {
  if (!s.running) return "the server does not run: nothing was looked for.";
  if (s.changed)
    return "the text changed while rewrites were looked for: try again.";
  if (s.errors.length) {
    const { line, message } = s.errors[0];
    return `nothing is edited before this is right: line ${line + 1}: ${message}`;
  }
  return "no edit of this file pays on the selected targets.";
}
