// Runs the program for an answer that is no message of the protocol.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import * as vscode from "vscode";
import { whyNotStarted } from "./reasons";
import {
  programPath,
  refusal,
  ServerSettings,
  serverSettings,
} from "./settings";

/** The first folder that is open, where it is one of this machine. */
function folder(): string | undefined {
  const uri = vscode.workspace.workspaceFolders?.[0]?.uri;
  return uri?.scheme === "file" ? uri.fsPath : undefined;
}

/** Where the program runs; not in a folder that is not trusted, which PATH may
 * mean by ".". */
export function workingFolder(): string {
  const open = vscode.workspace.isTrusted ? folder() : undefined;
  return open !== undefined && existsSync(open) ? open : homedir();
}

function path(): unknown {
  return vscode.workspace.getConfiguration("clrewrite").get("path");
}

export function program(): string {
  return programPath(path(), folder() ?? "", homedir());
}

export function settings(): ServerSettings {
  const all = vscode.workspace.getConfiguration("clrewrite");
  return serverSettings((key) => all.get(key), vscode.workspace.isTrusted);
}

export interface Answer {
  code: number;
  out: string;
  err: string;
}

/** Rejects where it can't be started, with an error that says why. */
export async function run(args: string[], input = ""): Promise<Answer> {
  const refused = refusal(path(), vscode.workspace.isTrusted, homedir());
  if (refused) throw new Error(refused);
  const name = program();
  return start(name, args, input).catch((e: NodeJS.ErrnoException) => {
    throw new Error(whyNotStarted(name, e));
  });
}

function start(name: string, args: string[], input: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, { cwd: workingFolder() });
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (err += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -1, out, err }));
    child.stdin.on("error", () => {}); // it may not want its input
    child.stdin.end(input);
  });
}
