// A real VS Code for tests: code-server in a headless Chromium.
//
// Nothing here sleeps: whatever is waited for has a generous limit, after which
// a picture of the screen is left and the run fails.
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Milliseconds that any one thing may take on a slow machine; LIMIT has
 * seconds. */
export const limit = Number(process.env.LIMIT ?? 120) * 1000;

/** Extensions of the editor's own that are wanted: the others would only take
 * time, and some of them packages that are not here. */
const wanted = [
  "json",
  "markdown-basics",
  "markdown-language-features",
  "theme-defaults",
  "theme-seti",
];

const quiet = {
  "chat.disableAIFeatures": true,
  "editor.minimap.enabled": false,
  "extensions.ignoreRecommendations": true,
  "files.autoSave": "off",
  "git.enabled": false,
  "security.workspace.trust.banner": "never",
  "security.workspace.trust.startupPrompt": "never",
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "window.commandCenter": false,
  "window.restoreWindows": "none",
  "workbench.colorTheme": "Default Light Modern",
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
};

export class Editor {
  /**
   * `modules` is where the packages are installed; `work` a folder of its own
   * for all that is written; `vsix` is installed; clrewrite is in `bin`.
   */
  constructor({
    modules,
    work,
    vsix,
    bin,
    settings = {},
    trust = true,
    size = { width: 1280, height: 800 },
  }) {
    Object.assign(this, { modules, work, vsix, trust, size });
    this.settings = { ...quiet, ...settings };
    this.program = join(bin, "clrewrite");
    /** Where sockets lie: their paths have to be short. */
    this.sockets = mkdtempSync(join(tmpdir(), "editor-"));
    this.server = join(modules, "code-server");
    this.log = "";
    /** What pages complained of. */
    this.complaints = [];
  }

  async start(folder) {
    fit(this.server);
    rmSync(this.work, { recursive: true, force: true });
    this.write("User", this.settings);
    this.write("Machine", { "clrewrite.path": this.program });
    const installed = spawnSync(
      process.execPath,
      this.args("--install-extension", this.vsix),
      this.options(),
    );
    if (installed.status !== 0)
      throw new Error(
        `the extension can't be installed: ${installed.stdout}${installed.stderr}`,
      );
    this.process = spawn(
      process.execPath,
      this.args(
        "--auth=none",
        "--bind-addr=127.0.0.1:0",
        "--disable-telemetry",
        "--disable-update-check",
        "--disable-getting-started-override",
        ...(this.trust ? ["--disable-workspace-trust"] : []),
      ),
      { ...this.options(), detached: true },
    );
    // Nothing of it outlives this process, however that ends.
    process.once("exit", () => this.kill());
    for (const signal of ["SIGINT", "SIGTERM"])
      process.once(signal, () => process.exit(1));
    const address = await this.address();
    const { chromium } = createRequire(join(this.modules, "x.js"))(
      "playwright-core",
    );
    this.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-dev-shm-usage"],
      timeout: limit,
    });
    this.page = await this.browser.newPage({ viewport: this.size });
    this.page.setDefaultTimeout(limit);
    this.page.on("console", (m) => {
      if (/Content.Security.Policy/i.test(m.text()))
        this.complaints.push(m.text());
    });
    await this.page.goto(`${address}/?folder=${encodeURIComponent(folder)}`);
    await this.page.locator(".monaco-workbench").waitFor();
  }

  async stop() {
    await this.browser?.close();
    if (!this.process) return;
    const gone = new Promise((resolve) => this.process.on("close", resolve));
    if (this.kill()) await gone;
  }

  kill() {
    if (this.process?.exitCode !== null || this.process.signalCode)
      return false;
    process.kill(-this.process.pid, "SIGKILL");
    return true;
  }

  /** The file of the settings of the "User", or of the "Machine": those of this
   * scope, such as paths, count in this file alone where the editor runs in
   * another place than its window. The editor reads it when it changes. */
  settingsFile(whose) {
    return join(this.work, "data", whose, "settings.json");
  }

  write(whose, settings) {
    mkdirSync(join(this.work, "data", whose), { recursive: true });
    writeFileSync(this.settingsFile(whose), JSON.stringify(settings, null, 2));
  }

  async open(name) {
    await this.page
      .locator(".explorer-folders-view")
      .getByText(name, { exact: true })
      .dblclick();
    await this.page.locator(".editor-instance .view-lines").first().waitFor();
  }

  /** Runs a command of the palette. */
  async command(title) {
    await this.page.keyboard.press("F1");
    const input = this.page.locator(".quick-input-widget input[type=text]");
    await input.waitFor();
    await input.fill(`>${title}`);
    const exactly = new RegExp(`^${title.replace(/[^\w ]/g, "\\$&")}(,|$)`);
    await this.page
      .locator(".quick-input-list")
      .getByRole("option", { name: exactly })
      .first()
      .click();
  }

  /** A lens that begins like that. */
  lens(text) {
    return this.page
      .locator(".codelens-decoration a", { hasText: text })
      .first();
  }

  /** The status item of the extension. */
  status(text) {
    return this.page.locator(
      ".statusbar-item[id='clrewrite.clrewrite.status']",
      { hasText: text },
    );
  }

  notification(text) {
    return this.page
      .locator(".notification-list-item", { hasText: text })
      .first();
  }

  /** The menu of actions at the cursor, once it has one with that text. While
   * the server searches it has none, and the editor shows no menu, or another:
   * then it is asked again. */
  async actions(text) {
    const menu = this.page.locator(".action-widget");
    await until(`an action "${text}"`, async () => {
      await this.page.keyboard.press("Control+.");
      try {
        await menu.getByText(text).first().waitFor({ timeout: 10_000 });
        return true;
      } catch {
        await this.page.keyboard.press("Escape");
        return false;
      }
    });
    return menu;
  }

  /** The side panel's document. */
  async panel() {
    const view = this.page.frameLocator(
      "iframe.webview.ready[src*='extensionId=clrewrite.clrewrite']",
    );
    return view.frameLocator("#active-frame").locator("main");
  }

  /** The text of the active editor, as far as it is on the screen. */
  async text() {
    const lines = await this.page
      .locator(".editor-instance .view-lines .view-line")
      .evaluateAll((all) =>
        all
          .map((line) => [parseFloat(line.style.top), line.textContent])
          .sort((a, b) => a[0] - b[0])
          .map(([, text]) => text),
      );
    return lines.join("\n").replaceAll("\u00a0", " ");
  }

  async picture(path) {
    await this.page?.screenshot({ path });
  }

  args(...more) {
    return [
      join(this.server, "out", "node", "entry.js"),
      `--user-data-dir=${join(this.work, "data")}`,
      `--extensions-dir=${join(this.work, "extensions")}`,
      `--config=${join(this.work, "config.yaml")}`,
      `--session-socket=${join(this.sockets, "session")}`,
      ...more,
    ];
  }

  options() {
    return {
      cwd: this.work,
      encoding: "utf8",
      env: {
        ...process.env,
        HOME: this.work,
        XDG_CONFIG_HOME: join(this.work, "config"),
        XDG_DATA_HOME: join(this.work, "share"),
        XDG_RUNTIME_DIR: this.sockets,
      },
    };
  }

  /** What the server says that it listens on. */
  address() {
    return new Promise((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`code-server does not start: ${this.log}`)),
        limit,
      );
      const hear = (data) => {
        this.log += data;
        const found = /HTTP server listening on (http:\S+?)\/?\s/.exec(
          this.log,
        );
        if (!found) return;
        clearTimeout(late);
        resolve(found[1]);
      };
      this.process.stdout.on("data", hear);
      this.process.stderr.on("data", hear);
      this.process.on("exit", () =>
        reject(new Error(`code-server has ended: ${this.log}`)),
      );
    });
  }
}

/** Leaves the extensions that are wanted, lets VS Code find its packages beside
 * those of code-server, and gives it something to log with. */
function fit(server) {
  const vscode = join(server, "lib", "vscode");
  const extensions = join(vscode, "extensions");
  for (const entry of readdirSync(extensions, { withFileTypes: true }))
    if (entry.isDirectory() && !wanted.includes(entry.name))
      rmSync(join(extensions, entry.name), { recursive: true });
  const packages = join(vscode, "node_modules");
  if (!existsSync(packages)) symlinkSync(join("..", "..", ".."), packages);
  const log = join(server, "..", "@vscode", "spdlog");
  mkdirSync(log, { recursive: true });
  cpSync(new URL("spdlog.cjs", import.meta.url), join(log, "index.js"));
}

/** Calls `check` until it gives something true; its result. */
export async function until(what, check) {
  const end = Date.now() + limit;
  for (;;) {
    const result = await check();
    if (result) return result;
    if (Date.now() > end)
      throw new Error(`${what}: not within ${limit / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
