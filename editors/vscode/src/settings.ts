// From the editor's settings to those of the server (docs/language-server.md).
// What stands at its default is left out, so that the project's own
// .clrewrite.yaml counts.

import { isAbsolute } from "node:path";

/** Reads a setting of the section "clrewrite". */
export type Get = (key: string) => unknown;

/** What the server takes. */
export interface ServerSettings {
  targets?: string[];
  objective?: string;
  budget?: string;
  verify?: string;
  arguments?: string[];
  buildOptions?: string[];
  search?: boolean;
  pressure?: boolean;
  hints?: string;
  measureDelay?: number;
  searchDelay?: number;
}

function words(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const list = value.map((each) => String(each).trim()).filter(Boolean);
  return list.length ? list : undefined;
}

function word(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return text && text !== "default" ? text : undefined;
}

/**
 * In a workspace that is not trusted nothing of it is run: no kernel, no
 * program or option that its files name.
 */
export function serverSettings(get: Get, trusted: boolean): ServerSettings {
  const all: ServerSettings = {
    targets: words(get("targets")),
    objective: word(get("objective")),
    budget: word(get("budget")),
    verify: word(get("verify")),
    arguments: words(get("arguments")),
    buildOptions: words(get("buildOptions")),
    search: get("search") === false ? false : undefined,
    pressure: get("pressure") === true ? true : undefined,
    hints: word(get("hints")),
    measureDelay: delay(get("measureDelay")),
    searchDelay: delay(get("searchDelay")),
  };
  if (!trusted) {
    all.arguments = [...withoutTargets(all.arguments ?? []), "--no-config"];
    all.targets = words(all.targets?.filter((each) => !/^device\b/.test(each)));
    all.verify = "off";
    all.search = false;
  }
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  );
}

/** A target among them may be a device, which runs the workspace's kernels. */
function withoutTargets(list: string[]): string[] {
  return list.filter(
    (word, i) =>
      !/^--?target(=|$)/.test(word) && !/^--?target$/.test(list[i - 1] ?? ""),
  );
}

function delay(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value)
    ? Math.min(60000, Math.max(0, Math.round(value)))
    : undefined;
}

/**
 * The command line of `clrewrite measure` on a text in stdin that is taken for
 * `path`.
 */
export function measureArguments(s: ServerSettings, path: string): string[] {
  return [
    "measure",
    "--explain-occupancy",
    ...(s.arguments ?? []),
    ...(s.targets ? [`--target=${s.targets.join(",")}`] : []),
    `--assume-filename=${path}`,
    "-",
    ...(s.buildOptions ? ["--", ...s.buildOptions] : []),
  ];
}

/**
 * Why the program `value` must not be started in a workspace that is not
 * trusted: it would be one of the workspace's files. Empty where it may.
 */
export function refusal(value: unknown, trusted: boolean, home: string) {
  const path = programPath(value, "${workspaceFolder}", home);
  const inside =
    path.includes("${workspaceFolder}") ||
    (/[/\\]/.test(path) && !isAbsolute(path));
  return inside && !trusted
    ? `'${path}' would be a program of this workspace, which is not trusted.`
    : "";
}

/** The program's path as it is meant: `~/` and `${workspaceFolder}` stand for
 * folders. */
export function programPath(value: unknown, folder: string, home: string) {
  const text = typeof value === "string" ? value.trim() : "";
  return (text || "clrewrite")
    .replace(/^~(?=\/|$)/, home)
    .replace(/\$\{workspaceFolder\}/g, folder);
}
