// clrewrite in VS Code: the language server's lenses, hints, diagnostics and
// actions come by vscode-languageclient; here are the status item, the panel,
// and the commands.
import * as vscode from "vscode";
import { errorsOf, explain, fixFile, measure, providePages } from "./commands";
import { kernelAt, targetsOf } from "./kernels";
import { Known } from "./known";
import { messageOnly, panelHtml, panelModel, Shown } from "./model";
import { Panel } from "./panel";
import { settings } from "./program";
import { openPathSetting, served, Server } from "./server";
import { State, statusText } from "./status";
import { selectTarget, write } from "./targetPick";

let server: Server | undefined;

class Clrewrite {
  private state: State = { kind: "starting" };
  /** The kernel whose lens was clicked, until the cursor moves. */
  private pinned?: { uri: string; kernel: string };
  private readonly item = vscode.window.createStatusBarItem(
    "status",
    vscode.StatusBarAlignment.Right,
    90,
  );
  readonly server = new Server({
    told: (uri) => void this.known.refresh(uri, this.panel.visible),
    changed: (state) => this.changed(state),
    figures: (uri, kernel) => void this.showFigures(uri, kernel),
    explain: (rewrite) => void explain(rewrite),
  });
  private readonly known = new Known(
    this.server,
    (uri) => {
      if (uri.toString() === this.editor()?.document.uri.toString())
        this.refresh();
    },
    (uri) =>
      vscode.workspace.textDocuments.some(
        (d) => d.uri.toString() === uri.toString() && served(d),
      ),
  );
  private readonly panel = new Panel(
    () => this.panelWanted(),
    (command) => this.pressed(command),
  );

  constructor(context: vscode.ExtensionContext) {
    this.item.name = "clrewrite";
    const on = <T>(event: vscode.Event<T>, then: (what: T) => void) =>
      context.subscriptions.push(event(then));
    on(vscode.window.onDidChangeActiveTextEditor, () => this.panelWanted());
    on(vscode.window.onDidChangeTextEditorSelection, () => {
      this.pinned = undefined;
      this.refresh();
    });
    on(vscode.workspace.onDidCloseTextDocument, (d) =>
      this.known.forget(d.uri),
    );
    on(vscode.workspace.onDidChangeConfiguration, (e) => {
      if (e.affectsConfiguration("clrewrite.path")) void this.restart();
      else if (e.affectsConfiguration("clrewrite"))
        void this.server.configure();
    });
    on(vscode.workspace.onDidGrantWorkspaceTrust, () => void this.restart());
    context.subscriptions.push(
      this.item,
      this.server,
      providePages(),
      vscode.window.registerWebviewViewProvider("clrewrite.panel", this.panel),
    );
    this.addCommands(context);
  }

  private addCommands(context: vscode.ExtensionContext): void {
    const commands: Record<string, () => unknown> = {
      fixFile: () => this.fixFile(),
      explainRewrite: () => this.reported(explain()),
      showFigures: () => this.showFigures(),
      selectTarget: () => selectTarget(this.targets()),
      togglePressure: () =>
        write("pressure", settings().pressure !== true, false),
      measure: () => this.onFile((d) => measure(d, this.server.output)),
      restartServer: () => this.restart(),
      statusClicked: () => this.statusClicked(),
    };
    for (const [name, run] of Object.entries(commands))
      context.subscriptions.push(
        vscode.commands.registerCommand(`clrewrite.${name}`, run),
      );
  }

  /** The kernels that are looked at. */
  private editor(): vscode.TextEditor | undefined {
    const editor = vscode.window.activeTextEditor;
    return editor && served(editor.document) ? editor : undefined;
  }

  private targets(): string[] {
    const editor = this.editor();
    const told = editor && this.known.kernels(editor.document.uri);
    return settings().targets ?? targetsOf(told ?? []);
  }

  private onFile(
    work: (document: vscode.TextDocument) => Promise<void>,
  ): Promise<void> {
    const editor = this.editor();
    return editor ? this.reported(work(editor.document)) : Promise.resolve();
  }

  private fixFile(): Promise<void> {
    return this.onFile((d) => fixFile(d, () => this.state));
  }

  private async reported(work: Promise<void>): Promise<void> {
    await work.catch((e: Error) =>
      vscode.window.showErrorMessage(`clrewrite: ${e.message}`),
    );
  }

  private changed(state: State): void {
    this.state = state;
    if (state.kind !== "running") this.known.clear();
    this.refresh();
  }

  private async restart(): Promise<void> {
    this.known.clear();
    await this.server.restart();
  }

  private async statusClicked(): Promise<void> {
    if (this.state.kind === "missing") openPathSetting();
    else if (this.state.kind === "stopped") await this.restart();
    else await selectTarget(this.targets());
  }

  private async showFigures(uri?: string, kernel?: string): Promise<void> {
    this.pinned = uri && kernel ? { uri, kernel } : undefined;
    await vscode.commands.executeCommand("clrewrite.panel.focus");
    this.refresh();
  }

  private pressed(command: string): void {
    if (command === "fix") void this.fixFile();
    if (command === "reveal") this.reveal();
  }

  private reveal(): void {
    const editor = this.editor();
    const kernel = this.shown();
    if (!editor || !kernel) return;
    const at = new vscode.Position(kernel.line, 0);
    void vscode.window.showTextDocument(editor.document, {
      viewColumn: editor.viewColumn,
      selection: new vscode.Range(at, at),
    });
  }

  private panelWanted(): void {
    const editor = this.editor();
    if (
      editor &&
      this.panel.visible &&
      !this.known.hasCurves(editor.document.uri)
    )
      void this.known.refresh(editor.document.uri, true);
    this.refresh();
  }

  /** The kernel that the panel shows. */
  private shown() {
    const editor = this.editor();
    const kernels = editor && this.known.kernels(editor.document.uri);
    if (!kernels) return undefined;
    const pinned =
      this.pinned &&
      vscode.Uri.parse(this.pinned.uri).toString() ===
        editor.document.uri.toString()
        ? kernels.find((k) => k.name === this.pinned?.kernel)
        : undefined;
    return pinned ?? kernelAt(kernels, editor.selection.active.line);
  }

  private refresh(): void {
    const editor = this.editor();
    void vscode.commands.executeCommand(
      "setContext",
      "clrewrite.active",
      editor !== undefined,
    );
    this.showStatus(editor);
    this.panel.show(this.content(editor));
  }

  private content(editor: vscode.TextEditor | undefined): Shown {
    if (this.state.kind === "missing")
      return messageOnly(`clrewrite does not run: ${this.state.why} Set clrewrite.path.`);
    if (this.state.kind === "stopped")
      return messageOnly("The server has stopped.");
    if (!editor)
      return messageOnly("Open an OpenCL C file to see what its kernels need.");
    const kernel = this.shown();
    if (kernel)
      return panelHtml(
        panelModel(kernel),
        !this.known.hasCurves(editor.document.uri),
      );
    if (!this.known.kernels(editor.document.uri))
      return messageOnly("Measuring…");
    return messageOnly(
      errorsOf(editor.document.uri).length
        ? "No kernel here could be measured: see the problems."
        : "This file has no kernel.",
    );
  }

  private showStatus(editor: vscode.TextEditor | undefined): void {
    if (!editor) return this.item.hide();
    const { text, tooltip, warning } = statusText(
      this.state,
      this.known.kernels(editor.document.uri),
      editor.selection.active.line,
      settings().targets ?? [],
    );
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.command = "clrewrite.statusClicked";
    this.item.backgroundColor = warning
      ? new vscode.ThemeColor("statusBarItem.warningBackground")
      : undefined;
    this.item.show();
  }
}

export async function activate(
  context: vscode.ExtensionContext,
): Promise<void> {
  const all = new Clrewrite(context);
  server = all.server;
  await server.restart();
}

export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}
