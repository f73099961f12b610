// Makes docs/images/vscode-*.png: started by ./dev screenshots, which says where
// everything is, as for editor.test.mjs. Wants pngquant.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Editor } from "./harness.mjs";

const { MODULES, WORK, VSIX, BIN, KERNELS } = process.env;
const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const folder = join(WORK, "box-sum");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
cpSync(join(KERNELS, "box_sum.cl"), join(folder, "box_sum.cl"));

const editor = new Editor({
  modules: MODULES,
  work: join(WORK, "pictures"),
  vsix: VSIX,
  bin: BIN,
  size: { width: 1200, height: 720 },
  settings: {
    "clrewrite.targets": ["gfx600"],
    "editor.stickyScroll.enabled": false,
    "workbench.layoutControl.enabled": false,
  },
});

/** Takes the screen, as it is once nothing moves any more. */
async function take(name) {
  const path = join(root, "docs", "images", `vscode-${name}.png`);
  await editor.page.mouse.move(900, 640);
  await editor.page.evaluate(() => document.fonts.ready);
  await editor.picture(path);
  const smaller = spawnSync(
    "pngquant",
    ["--force", "--skip-if-larger", "--output", path, "128", path],
    { encoding: "utf8" },
  );
  if (smaller.error || smaller.status)
    throw new Error(`pngquant: ${smaller.error ?? smaller.stderr}`);
  console.log(
    `docs/images/vscode-${name}.png`,
    statSync(path).size >> 10,
    "KiB",
  );
}

try {
  await editor.start(folder);
  await editor.open("box_sum.cl");
  await editor.lens("VGPR 37").waitFor();
  await editor.command("clrewrite: Show the Kernel's Figures");
  const panel = await editor.panel();
  await panel.getByText("With the fixes:").waitFor();
  await panel.locator("circle.now").first().waitFor();
  await editor.page.locator(".squiggly-info").first().waitFor();
  await take("panel");

  // The actions at the rewrite that pays.
  await editor.page
    .locator(".view-line", { hasText: /ushort8\ssum\s=/ })
    .first()
    .click({ position: { x: 60, y: 8 } });
  await editor.actions("split-vector");
  await take("actions");
  await editor.page.keyboard.press("Escape");

  await editor.command("clrewrite: Toggle Live Registers by Line");
  await editor.lens("most alive in line").waitFor();
  await editor.page
    .locator(".view-line", { hasText: /\d+\s+live/ })
    .first()
    .waitFor();
  await take("pressure");
} catch (error) {
  await editor.picture(join(WORK, "failed.png"));
  throw error;
} finally {
  await editor.stop();
}
