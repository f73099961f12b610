// Runs the program for an answer that is no message of the protocol.
import { spawn } from "node:child_process";
import { homedir } from "node:os";
import * as vscode from "vscode";
import {
  programPath,
  refusal,
  ServerSettings,
  serverSettings,
} from "./settings";

function folder(): string | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
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

/** Rejects where it can't be started. */
export function run(args: string[], input = ""): Promise<Answer> {
  const refused = refusal(path(), vscode.workspace.isTrusted, homedir());
  if (refused) return Promise.reject(new Error(refused));
  return new Promise((resolve, reject) => {
    const child = spawn(program(), args, { cwd: folder() });
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
