// Choosing the targets.
import * as vscode from "vscode";
import { offered, sameTargets } from "./targets";

/** Undefined where nothing was chosen. */
function pick(selected: string[]): Promise<string[] | undefined> {
  return new Promise((resolve) => {
    const box = vscode.window.createQuickPick();
    box.title = "Targets to measure for";
    box.placeholder = vscode.workspace.isTrusted
      ? "Select none for those of .clrewrite.yaml, else gfx906 and gfx1100"
      : "Select none for gfx906 and gfx1100";
    box.canSelectMany = true;
    box.matchOnDescription = true;
    let chosen = selected;
    let extra: string | undefined;
    const list = (typed: string) => {
      const targets = offered(selected, typed);
      // A list that is set again loses its place: only where it is another.
      const last = targets[targets.length - 1].name;
      if (last === extra) return;
      extra = last;
      const keep = chosen;
      box.items = targets.map((t) => ({
        label: t.name,
        description: t.what,
      }));
      box.selectedItems = box.items.filter((i) => keep.includes(i.label));
    };
    list("");
    box.onDidChangeValue(list);
    box.onDidChangeSelection((items) => {
      chosen = items.map((item) => item.label);
    });
    let result: string[] | undefined;
    box.onDidAccept(() => {
      result = box.selectedItems.map((item) => item.label);
      box.hide();
    });
    box.onDidHide(() => {
      box.dispose();
      resolve(result);
    });
    box.show();
  });
}

/** Where a setting is to be written: where it stands; else, if it is the
 * project's and there is one, in the workspace. */
function scopeOf(key: string, project: boolean): vscode.ConfigurationTarget {
  const info = vscode.workspace.getConfiguration("clrewrite").inspect(key);
  if (info?.workspaceValue !== undefined && vscode.workspace.isTrusted)
    return vscode.ConfigurationTarget.Workspace;
  if (info?.globalValue !== undefined || !vscode.workspace.isTrusted)
    return vscode.ConfigurationTarget.Global;
  return project && vscode.workspace.workspaceFolders
    ? vscode.ConfigurationTarget.Workspace
    : vscode.ConfigurationTarget.Global;
}

export async function write(
  key: string,
  value: unknown,
  project: boolean,
): Promise<void> {
  await vscode.workspace
    .getConfiguration("clrewrite")
    .update(key, value, scopeOf(key, project));
}

export async function selectTarget(now: string[]): Promise<void> {
  const chosen = await pick(now);
  if (chosen && !sameTargets(chosen, now))
    await write("targets", chosen.length ? chosen : undefined, true);
}
