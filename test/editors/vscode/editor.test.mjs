// The packaged extension in a real editor: what one sees of a kernel, and what
// saving writes.
//
// usage: node --test editor.test.mjs, with MODULES, WORK, VSIX, BIN and KERNELS
// (a folder with box_sum.cl) in the environment
import assert from "node:assert";
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Editor, limit, until } from "./harness.mjs";

const { MODULES, WORK, VSIX, BIN, KERNELS } = process.env;
const before6 = "VGPR 37 · 6 of 10 waves · next step at 36 (gfx600)";

/** A program at `path` that does `first`, then what clrewrite does. */
function script(path, first) {
  writeFileSync(path, `#!/bin/sh\n${first}\nexec "${BIN}/clrewrite" "$@"\n`);
  chmodSync(path, 0o755);
}

function fresh(name) {
  const folder = join(WORK, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(KERNELS, "box_sum.cl"), join(folder, "box_sum.cl"));
  return folder;
}

/** What the command line makes of it. */
function fixed(path) {
  const copy = join(WORK, "fixed.cl");
  cpSync(path, copy);
  const run = spawnSync(
    join(BIN, "clrewrite"),
    ["--target=gfx600", "--only-target", "--verify=off", "--fix", copy],
    { encoding: "utf8" },
  );
  assert.strictEqual(run.status, 0, run.stderr);
  return readFileSync(copy, "utf8");
}

/** A test that leaves a picture where it fails. Those behind it would only
 * wait for what does not come. */
function step(editor, name, work) {
  test(name, { timeout: 5 * limit }, async (t) => {
    if (editor.failed) return t.skip("a step before it failed");
    try {
      await work();
    } catch (error) {
      editor.failed = true;
      const picture = join(WORK, "failed.png");
      await editor.picture(picture);
      error.message += `\n(the screen: ${picture})\n${editor.log.slice(-2000)}`;
      throw error;
    }
  });
}

describe("a trusted workspace", () => {
  const folder = fresh("trusted");
  const file = join(folder, "box_sum.cl");
  const settings = {
    "clrewrite.verify": "off",
    "clrewrite.targets": ["gfx600"],
    "clrewrite.arguments": ["--only-target"],
    "[opencl]": {
      "editor.codeActionsOnSave": { "source.fixAll.clrewrite": "explicit" },
    },
  };
  const editor = new Editor({
    modules: MODULES,
    work: join(WORK, "editor"),
    vsix: VSIX,
    bin: BIN,
    settings,
  });
  before(() => editor.start(folder), { timeout: 3 * limit });
  after(() => editor.stop());
  const see = (name, work) => step(editor, name, work);

  see("the lens stands over the kernel", async () => {
    await editor.open("box_sum.cl");
    await editor.lens(before6).waitFor();
  });

  see("the status item has the target", async () => {
    await editor.status("gfx600: 6 of 10 waves").waitFor();
  });

  see("a rewrite that pays is a diagnostic", async () => {
    await editor.page.locator(".squiggly-info").first().waitFor();
    await editor.command("Problems: Focus on Problems View");
    await editor.page
      .locator(".markers-panel", { hasText: "occupancy rises from 6 to 10" })
      .waitFor();
    await editor.command("View: Hide Panel");
  });

  see(
    "a click on the lens shows the panel: the point, the next step",
    async () => {
      await editor.lens(before6).click();
      const panel = await editor.panel();
      await panel.locator("circle.now[cx='65.3'][cy='58.8']").first().waitFor();
      await panel
        .getByText("Next step: 1 VGPR fewer, at 36: 7 waves.")
        .waitFor();
      await panel
        .getByText("With the fixes: VGPR 22, 10 of 10 waves.")
        .waitFor();
      await panel.locator("path.then").first().waitFor();
    },
  );

  see("the panel's button makes the fixes, by the keyboard", async () => {
    const panel = await editor.panel();
    await panel.getByText("Make all fixes of this file").focus();
    await editor.page.keyboard.press("Enter");
    await editor.lens("VGPR 22 · 10 of 10 waves (gfx600)").waitFor();
    await panel.getByText("This is the most that the GPU has.").waitFor();
    await editor.page.locator(".editor-instance .view-lines").click();
    await editor.page.keyboard.press("Control+Z");
    await editor.lens(before6).waitFor();
  });

  see("another target by the status item", async () => {
    const select = async (old, other) => {
      const rows = editor.page.locator(".quick-input-list .monaco-list-row");
      const count = (n) =>
        editor.page
          .locator(".quick-input-count", { hasText: `${n} Selected` })
          .waitFor();
      await editor.status(old).click();
      await count(1);
      await rows.filter({ hasText: old }).first().click();
      await count(0);
      await editor.page
        .locator(".quick-input-widget input[type=text]")
        .fill(other);
      await until("the filter", async () => (await rows.count()) === 1);
      await rows.filter({ hasText: other }).click();
      await count(1);
      await editor.page.keyboard.press("Enter");
    };
    await select("gfx600", "gfx906");
    await editor.lens("VGPR 20 · 10 of 10 waves (gfx906)").waitFor();
    await editor.status("gfx906: 10 of 10 waves").waitFor();
    const written = JSON.parse(
      readFileSync(editor.settingsFile("User"), "utf8"),
    );
    assert.deepStrictEqual(written["clrewrite.targets"], ["gfx906"]);
    await select("gfx906", "gfx600");
    await editor.lens(before6).waitFor();
  });

  see("live registers by line", async () => {
    await editor.command("clrewrite: Toggle Live Registers by Line");
    await editor.page
      .locator(".view-line", { hasText: /\d+\s+live/ })
      .first()
      .waitFor();
    await editor.lens("most alive in line").waitFor();
    await editor.command("clrewrite: Toggle Live Registers by Line");
    await editor.lens(/waves · next step at 36 \(gfx600\)$/).waitFor();
  });

  /** The page of split-vector; closes it. */
  async function seePage() {
    await editor.page.locator(".tab", { hasText: "split-vector" }).waitFor();
    const preview = editor.page
      .frameLocator(
        "iframe.webview.ready[src*='extensionId=vscode.markdown-language-features']",
      )
      .frameLocator("#active-frame");
    await preview
      .getByText("work on wide vectors part by part")
      .first()
      .waitFor();
    await editor.command("View: Close Editor");
    await editor.lens(before6).waitFor();
  }

  see("the actions where a rewrite pays", async () => {
    await editor.page.locator(".squiggly-info").first().waitFor();
    await editor.page
      .locator(".view-line", { hasText: /ushort8\ssum\s=/ })
      .first()
      .click({ position: { x: 60, y: 8 } });
    const menu = await editor.actions("occupancy rises from 6 to 10");
    await menu.getByText("Suppress split-vector here").waitFor();
    await menu.getByText("Explain split-vector").click();
    await seePage();
  });

  see("a rewrite's page", async () => {
    await editor.command("clrewrite: Explain a Rewrite");
    await editor.page
      .locator(".quick-input-list", { hasText: "align-access" })
      .waitFor();
    await editor.page
      .locator(".quick-input-widget input[type=text]")
      .fill("split-vector");
    await editor.page
      .locator(".quick-input-list .monaco-list-row.focused", {
        hasText: "split-vector",
      })
      .waitFor();
    await editor.page.keyboard.press("Enter");
    await seePage();
  });

  see("measure writes its report into the output", async () => {
    await editor.command(
      "clrewrite: Measure and Explain the Occupancy of This File",
    );
    await editor.page
      .locator(".part.panel", { hasText: "next step" })
      .first()
      .waitFor();
    await editor.command("View: Hide Panel");
  });

  see("saving writes what clrewrite --fix writes", async () => {
    await editor.page.locator(".editor-instance .view-lines").first().click();
    await editor.page.keyboard.press("Control+End");
    await editor.page.keyboard.type("// edited");
    await until("the edit", async () =>
      (await editor.text()).includes("// edited"),
    );
    const edited = join(WORK, "edited.cl");
    cpSync(file, edited);
    appendFileSync(edited, "// edited");
    const expected = fixed(edited);
    assert.notStrictEqual(expected, readFileSync(edited, "utf8"));
    await editor.page.locator(".tab.active.dirty").waitFor();
    await editor.page.keyboard.press("Control+S");
    // The tab has a dot until all is written.
    await editor.page.locator(".tab.active:not(.dirty)").waitFor();
    assert.strictEqual(readFileSync(file, "utf8"), expected);
    await editor.lens("VGPR 22 · 10 of 10 waves (gfx600)").waitFor();
  });

  see("where the program is missing, it is said what to do", async () => {
    editor.write("Machine", { "clrewrite.path": "/no/such/clrewrite" });
    const told = editor.notification(
      "there is no program '/no/such/clrewrite'",
    );
    await told.waitFor();
    await told.getByText("Set the Path").waitFor();
    await editor.status("clrewrite: not started").waitFor();
    editor.write("Machine", { "clrewrite.path": editor.program });
    await editor.lens("VGPR 22 · 10 of 10 waves (gfx600)").waitFor();
  });

  see("no page broke its content security policy", async () => {
    assert.deepStrictEqual(editor.complaints, []);
  });
});

describe("a workspace that is not trusted", () => {
  const folder = fresh("untrusted");
  const trap = join(folder, "trap");
  mkdirSync(join(folder, ".vscode"));
  script(trap, `touch "${folder}/sprung"`);
  writeFileSync(
    join(folder, ".vscode", "settings.json"),
    JSON.stringify({
      "clrewrite.path": trap,
      "clrewrite.targets": ["gfx1030"],
    }),
  );
  // Who reads it can't measure any more.
  writeFileSync(join(folder, ".clrewrite.yaml"), "no-such-key: 1\n");
  const file = join(folder, "box_sum.cl");
  const settings = {
    "clrewrite.targets": ["gfx600"],
    "clrewrite.arguments": ["--only-target"],
    "[opencl]": {
      "editor.codeActionsOnSave": { "source.fixAll.clrewrite": "explicit" },
      "editor.formatOnSave": true,
    },
  };
  const editor = new Editor({
    modules: MODULES,
    work: join(WORK, "restricted"),
    vsix: VSIX,
    bin: BIN,
    settings,
    trust: false,
  });
  before(() => editor.start(folder), { timeout: 3 * limit });
  after(() => editor.stop());

  step(
    editor,
    "figures come, by the user's own program and settings",
    async () => {
      await editor.open("box_sum.cl");
      await editor.page
        .locator(".statusbar-item", { hasText: "Restricted Mode" })
        .waitFor();
      await editor.lens(before6).waitFor();
      assert.ok(!existsSync(join(folder, "sprung")));
    },
  );

  step(editor, "saving and formatting edit nothing", async () => {
    const before = readFileSync(file, "utf8");
    await editor.page.locator(".editor-instance .view-lines").first().click();
    await editor.page.keyboard.press("Control+End");
    await editor.page.keyboard.type("// edited");
    await editor.page.locator(".tab.active.dirty").waitFor();
    await editor.page.keyboard.press("Control+S");
    await editor.page.locator(".tab.active:not(.dirty)").waitFor();
    assert.strictEqual(readFileSync(file, "utf8"), `${before}// edited`);
    await editor.command("clrewrite: Make All Fixes of This File");
    await editor.notification("in a workspace that is not trusted").waitFor();
    await editor.lens(before6).waitFor();
    assert.strictEqual(readFileSync(file, "utf8"), `${before}// edited`);
  });

  step(editor, "a program of the workspace is refused", async () => {
    editor.write("Machine", { "clrewrite.path": "${workspaceFolder}/trap" });
    await editor.notification("would be a program of this workspace").waitFor();
    await editor.status("clrewrite: not started").waitFor();
    assert.ok(!existsSync(join(folder, "sprung")));
  });
});
