// What is left of the server in a workspace that is not trusted: figures. To
// measure a text it is only compiled; rewrites are not looked for, since what
// is found is written into the workspace.
import type { Middleware } from "vscode-languageclient";

export const untrusted =
  "no rewrites are looked for in a workspace that is not trusted.";

type Searches = Pick<
  Middleware,
  | "provideCodeActions"
  | "provideDocumentFormattingEdits"
  | "provideDocumentRangeFormattingEdits"
>;

/** Answers in the server's place whatever it would look for rewrites for. */
export function searches(trusted: () => boolean): Required<Searches> {
  return {
    provideCodeActions: (document, range, context, token, next) =>
      trusted() ? next(document, range, context, token) : [],
    provideDocumentFormattingEdits: (document, options, token, next) =>
      trusted() ? next(document, options, token) : [],
    provideDocumentRangeFormattingEdits: (d, range, options, token, next) =>
      trusted() ? next(d, range, options, token) : [],
  };
}
