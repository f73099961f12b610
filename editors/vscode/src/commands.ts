// The commands of the palette that need more than a line.
import * as vscode from "vscode";
import { run, program, settings } from "./program";
import { parseRewrites } from "./rewrites";
import { whyNoEdit } from "./reasons";
import { measureArguments } from "./settings";
import { State } from "./status";
import { untrusted } from "./trust";

const fixAll = "source.fixAll.clrewrite";
const pages = "clrewrite-page";

/** The server's errors in a document. */
export function errorsOf(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(
      (d) =>
        d.source === "clrewrite" &&
        d.severity === vscode.DiagnosticSeverity.Error,
    );
}

/** Makes all fixes of `document`; waits for the search. Says why where there is
 * none. */
export async function fixFile(
  document: vscode.TextDocument,
  state: () => State,
): Promise<void> {
  const say = (why: string) =>
    void vscode.window.showInformationMessage(`clrewrite: ${why}`);
  const now = state();
  if (now.kind === "missing") return say(now.why);
  if (!vscode.workspace.isTrusted) return say(untrusted);
  const version = document.version;
  const edit = await allFixes(document);
  const changed = document.version !== version;
  if (edit && !changed && (await vscode.workspace.applyEdit(edit))) return;
  const errors = errorsOf(document.uri).map((d) => ({
    line: d.range.start.line,
    message: d.message,
  }));
  const running = state().kind === "running";
  say(whyNoEdit({ running, changed: changed || !!edit, errors }));
}

async function allFixes(
  document: vscode.TextDocument,
): Promise<vscode.WorkspaceEdit | undefined> {
  const options = {
    location: vscode.ProgressLocation.Window,
    title: "clrewrite: looking for rewrites that pay",
  };
  const actions = await vscode.window.withProgress(options, () =>
    vscode.commands.executeCommand<vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      document.uri,
      new vscode.Range(0, 0, document.lineCount, 0),
      fixAll,
    ),
  );
  return actions?.find((a) => a.edit)?.edit;
}

/** Measures the text as it stands in the editor; the report is in `output`. */
export async function measure(
  document: vscode.TextDocument,
  output: vscode.OutputChannel,
): Promise<void> {
  const args = measureArguments(settings(), document.uri.fsPath);
  output.show(true);
  output.appendLine(`$ ${[program(), ...args].join(" ")}`);
  const answer = await run(args, document.getText());
  output.appendLine((answer.out + answer.err).trimEnd());
}

/** Shows a rewrite's page; without a name, asks which. */
export async function explain(name?: string): Promise<void> {
  name ??= await pickRewrite();
  if (name)
    await vscode.commands.executeCommand(
      "markdown.showPreview",
      vscode.Uri.from({ scheme: pages, path: `/${name}.md` }),
    );
}

async function pickRewrite(): Promise<string | undefined> {
  const { out } = await run(["--list-rewrites"]);
  const here = rewritesAtCursor();
  const items = parseRewrites(out)
    .map((r) => ({
      label: r.name,
      description: r.kind,
      detail: r.summary,
      here: here.includes(r.name),
    }))
    .sort((a, b) => Number(b.here) - Number(a.here));
  const choice = await vscode.window.showQuickPick(items, {
    title: "Explain a rewrite",
    matchOnDetail: true,
  });
  return choice?.label;
}

/** Those that would pay in the cursor's line come first. */
function rewritesAtCursor(): string[] {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return [];
  const line = editor.selection.active.line;
  return vscode.languages
    .getDiagnostics(editor.document.uri)
    .filter((d) => d.source === "clrewrite" && d.range.start.line === line)
    .map((d) => String(d.code));
}

/** The pages as documents, for the Markdown preview. */
export function providePages(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(pages, {
    provideTextDocumentContent: async (uri) => {
      const name = uri.path.replace(/^\/|\.md$/g, "");
      return run(["--explain", name]).then(
        ({ out, err }) => out || err,
        (e: Error) => `clrewrite: ${e.message}`,
      );
    },
  });
}
