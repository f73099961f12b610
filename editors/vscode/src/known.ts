// What is known of each document's kernels.
import * as vscode from "vscode";
import { Kernel } from "./kernels";
import { Server } from "./server";
import { withCurves } from "./merge";

interface Entry {
  kernels?: Kernel[];
  /** The curves are those of the text as it is. */
  curves: boolean;
  /** Counts what was asked, so that a late answer is left out. */
  asked: number;
}

export class Known {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly server: Pick<Server, "kernels">,
    private readonly changed: (uri: vscode.Uri) => void,
    /** A document that the server knows is open there. */
    private readonly open: (uri: vscode.Uri) => boolean,
  ) {}

  kernels(uri: vscode.Uri): Kernel[] | undefined {
    return this.entries.get(uri.toString())?.kernels;
  }

  hasCurves(uri: vscode.Uri): boolean {
    return this.entries.get(uri.toString())?.curves ?? false;
  }

  forget(uri: vscode.Uri): void {
    this.entries.delete(uri.toString());
  }

  clear(): void {
    this.entries.clear();
  }

  /** Asks for figures, and for curves where they are wanted. */
  async refresh(uri: vscode.Uri, curves: boolean): Promise<void> {
    // The server also tells when one is closed that its problems are gone.
    if (!this.open(uri)) return;
    const entry = this.entry(uri);
    const asked = ++entry.asked;
    entry.curves = false;
    await this.take(entry, asked, uri, "clrewrite.kernels");
    if (curves && entry.asked === asked)
      await this.take(entry, asked, uri, "clrewrite.occupancy");
  }

  private entry(uri: vscode.Uri): Entry {
    const key = uri.toString();
    let entry = this.entries.get(key);
    if (!entry) this.entries.set(key, (entry = { curves: false, asked: 0 }));
    return entry;
  }

  private async take(
    entry: Entry,
    asked: number,
    uri: vscode.Uri,
    command: "clrewrite.kernels" | "clrewrite.occupancy",
  ): Promise<void> {
    const fresh = await this.server.kernels(command, uri);
    if (!fresh || entry.asked !== asked) return;
    entry.curves = command === "clrewrite.occupancy";
    entry.kernels = withCurves(fresh, entry.kernels ?? []);
    this.changed(uri);
  }
}
