// The language server as the editor's child.
import * as vscode from "vscode";
import {
  DidChangeConfigurationNotification,
  ExecuteCommandRequest,
  LanguageClient,
  State as ClientState,
} from "vscode-languageclient/node";
import { Kernel } from "./kernels";
import { program, run, settings, workingFolder } from "./program";
import { State } from "./status";
import { searches } from "./trust";

export interface Hooks {
  /** Something new is known of a document. */
  told(uri: vscode.Uri): void;
  changed(state: State): void;
  /** The commands behind lenses and actions. */
  figures(uri: string, kernel: string): void;
  explain(rewrite: string): void;
}

/** What the server is told of: kernels, in files or not yet. */
const selector = ["file", "untitled"].map((scheme) => ({
  language: "opencl",
  scheme,
}));

export function served(document: vscode.TextDocument): boolean {
  return vscode.languages.match(selector, document) > 0;
}

export class Server {
  private client?: LanguageClient;
  /** What is to be started, in turn. */
  private turn: Promise<void> = Promise.resolve();
  /** That the program is missing is being told. */
  private telling = false;
  readonly output = vscode.window.createOutputChannel("clrewrite");

  constructor(private readonly hooks: Hooks) {}

  /** Starts the server, in the place of one that runs. */
  restart(): Promise<void> {
    this.turn = this.turn
      .catch(() => {}) // who asked for that has been told
      .then(() => this.stop())
      .then(() => this.begin());
    return this.turn;
  }

  dispose(): void {
    this.output.dispose();
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose().catch(() => {});
  }

  /** Undefined where the server does not run, or the text has changed. */
  async kernels(
    command: "clrewrite.kernels" | "clrewrite.occupancy",
    uri: vscode.Uri,
  ): Promise<Kernel[] | undefined> {
    const client = this.client;
    if (client?.state !== ClientState.Running) return undefined;
    const name = client.code2ProtocolConverter.asUri(uri);
    return client
      .sendRequest(ExecuteCommandRequest.type, { command, arguments: [name] })
      .then(
        (kernels: Kernel[]) => kernels,
        () => undefined,
      );
  }

  async configure(): Promise<void> {
    if (this.client?.state === ClientState.Running)
      await this.client.sendNotification(
        DidChangeConfigurationNotification.type,
        { settings: { clrewrite: settings() } },
      );
  }

  private async begin(): Promise<void> {
    this.hooks.changed({ kind: "starting" });
    const why = await whyMissing();
    if (why) {
      this.hooks.changed({ kind: "missing", why });
      void this.tellMissing(why);
      return;
    }
    const client = this.create();
    this.client = client;
    client.onDidChangeState(({ newState }) => {
      if (this.client !== client) return;
      if (newState === ClientState.Stopped)
        this.hooks.changed({ kind: "stopped" });
      if (newState === ClientState.Running)
        this.hooks.changed({ kind: "running" });
    });
    await client.start().catch(() => this.hooks.changed({ kind: "stopped" }));
  }

  private create(): LanguageClient {
    return new LanguageClient(
      "clrewrite",
      "clrewrite",
      {
        command: program(),
        args: ["lsp"],
        options: { cwd: workingFolder() },
      },
      {
        documentSelector: selector,
        initializationOptions: settings,
        outputChannel: this.output,
        middleware: {
          ...searches(() => vscode.workspace.isTrusted),
          handleDiagnostics: (uri, diagnostics, next) => {
            next(uri, diagnostics);
            this.hooks.told(uri);
          },
          executeCommand: (command, args, next) => {
            if (command === "clrewrite.figures")
              return this.hooks.figures(args[0], args[1]);
            if (command === "clrewrite.explain")
              return this.hooks.explain(args[0]);
            return next(command, args);
          },
          workspace: {
            // The server knows fewer keys than the editor, and other defaults.
            configuration: async (params, token, next) => {
              const answer = await next(params, token);
              return Array.isArray(answer)
                ? answer.map((each, i) =>
                    params.items[i].section === "clrewrite" ? settings() : each,
                  )
                : answer;
            },
          },
        },
      },
    );
  }

  private async tellMissing(why: string): Promise<void> {
    if (this.telling) return;
    this.telling = true;
    const set = "Set the Path";
    const how = "How to Install";
    const again = "Try Again";
    const choice = await vscode.window.showErrorMessage(
      `clrewrite: ${why} Install the program and put it on PATH, or set where it is (clrewrite.path).`,
      set,
      how,
      again,
    );
    this.telling = false;
    if (choice === set) openPathSetting();
    if (choice === how)
      void vscode.commands.executeCommand(
        "extension.open",
        "clrewrite.clrewrite",
      );
    if (choice === again) await this.restart();
  }
}

export function openPathSetting(): void {
  void vscode.commands.executeCommand(
    "workbench.action.openSettings",
    "clrewrite.path",
  );
}

/** Why the program can't be the server's; empty where it can. */
async function whyMissing(): Promise<string> {
  const name = program();
  try {
    const { code, err } = await run(["--version"]);
    return code === 0
      ? ""
      : `'${name} --version' failed with exit code ${code}: ${err.trim()}.`;
  } catch (e) {
    return (e as Error).message;
  }
}
