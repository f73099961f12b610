import assert from "node:assert";
import { test } from "node:test";
import { statusText } from "../src/status";
import { figures, kernel } from "./kernels";

const running = { kind: "running" } as const;

test("one target: its waves for the kernel under the cursor", () => {
  const list = [
    kernel("a", 0, figures()),
    kernel("b", 9, figures({ now: { vgprs: 8 } })),
  ];
  const at = (line: number) => statusText(running, list, line, []);
  assert.strictEqual(at(3).text, "$(chip) gfx600: 6 of 10 waves");
  assert.match(at(3).tooltip, /^kernel a\ngfx600: VGPR 37, 6 of 10 waves\n/);
  assert.strictEqual(at(9).text, "$(chip) gfx600");
  assert.match(at(9).tooltip, /VGPR 8, waves not known/);
});

test("several targets", () => {
  const list = [
    kernel("a", 0, ...["x", "y", "z"].map((target) => figures({ target }))),
  ];
  assert.strictEqual(statusText(running, list, 0, []).text, "$(chip) x, y +1");
});

test("before anything is known, the settings' targets turn", () => {
  assert.strictEqual(
    statusText(running, undefined, 0, ["gfx906"]).text,
    "$(sync~spin) gfx906",
  );
  assert.strictEqual(
    statusText({ kind: "starting" }, undefined, 0, []).text,
    "$(sync~spin) clrewrite",
  );
  assert.strictEqual(statusText(running, [], 0, []).text, "$(chip) clrewrite");
});

test("no program, no server", () => {
  const missing = statusText(
    { kind: "missing", why: "'x/clrewrite' can't be started: no." },
    undefined,
    0,
    [],
  );
  assert.ok(missing.warning);
  assert.match(missing.text, /not started/);
  assert.match(missing.tooltip, /'x\/clrewrite' can't be started: no\. Click/);
  assert.match(statusText({ kind: "stopped" }, [], 0, []).text, /stopped/);
});
