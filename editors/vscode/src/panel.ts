// The side panel: a webview that draws the kernel under the cursor.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { Shown } from "./model";
import { panelCss } from "./panelCss";

/** Runs in the webview: shows what it is sent, and tells which button was
 * pressed. */
const script = `
const editor = acquireVsCodeApi();
const main = document.querySelector("main");
const status = document.querySelector("[role=status]");
let shown = "";
window.addEventListener("message", ({ data }) => {
  // Only where somebody is here; who types stays in the text.
  const focused = document.hasFocus() && document.activeElement.dataset.command;
  if (data.html !== shown) main.innerHTML = shown = data.html;
  // What does not change is not told again.
  if (status.textContent !== data.status) status.textContent = data.status;
  if (focused && !main.contains(document.activeElement))
    (main.querySelector('[data-command="' + focused + '"]') ??
      main.querySelector("h1"))?.focus();
});
main.addEventListener("click", ({ target }) => {
  const command = target.closest("[data-command]")?.dataset.command;
  if (command) editor.postMessage({ command });
});
editor.postMessage({ command: "ready" });
`;

function page(): string {
  const nonce = randomBytes(16).toString("base64");
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Occupancy</title>
<style nonce="${nonce}">${panelCss}</style>
</head>
<body><main></main><p class="busy" role="status"></p><script nonce="${nonce}">${script}</script></body>
</html>`;
}

export class Panel implements vscode.WebviewViewProvider {
  private view?: vscode.WebviewView;
  private shown: Shown = { html: "", status: "" };

  /** `wanted` is called when it comes into sight, `pressed` with the name of a
   * button. */
  constructor(
    private readonly wanted: () => void,
    private readonly pressed: (command: string) => void,
  ) {}

  get visible(): boolean {
    return this.view?.visible ?? false;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    view.webview.options = { enableScripts: true, localResourceRoots: [] };
    view.webview.onDidReceiveMessage(({ command }: { command: string }) => {
      if (command === "ready") this.send();
      else this.pressed(command);
    });
    view.onDidChangeVisibility(() => {
      if (view.visible) this.wanted();
    });
    view.onDidDispose(() => (this.view = undefined));
    view.webview.html = page();
    this.wanted();
  }

  show(what: Shown): void {
    const { html, status } = this.shown;
    if (what.html === html && what.status === status) return;
    this.shown = what;
    this.send();
  }

  private send(): void {
    void this.view?.webview.postMessage(this.shown);
  }
}
