// The commands of the palette that need more than a line.
import * as vscode from "vscode";
import { run, program, settings } from "./program";
import { parseRewrites } from "./rewrites";
import { measureArguments } from "./settings";

const fixAll = "source.fixAll.clrewrite";
const pages = "clrewrite-page";

/** Makes all fixes of `document`; waits for the search. */
export async function fixFile(document: vscode.TextDocument): Promise<void> {
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
  const edit = actions?.find((a) => a.edit)?.edit;
  if (edit) await vscode.workspace.applyEdit(edit);
  else
    void vscode.window.showInformationMessage(
      "clrewrite: no edit of this file pays on the selected targets.",
    );
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
      const { out, err } = await run(["--explain", name]);
      return out || err;
    },
  });
}
