import assert from "node:assert";
import { test } from "node:test";
import { whyNoEdit, whyNotStarted } from "../src/reasons";

test("why a program was not started", () => {
  assert.strictEqual(
    whyNotStarted("x/c", { code: "ENOENT", message: "spawn x/c ENOENT" }),
    "there is no program 'x/c'.",
  );
  assert.match(
    whyNotStarted("x/c", { code: "EACCES", message: "spawn x/c EACCES" }),
    /^'x\/c' can't be started: permission denied/,
  );
  assert.strictEqual(
    whyNotStarted("x/c", { code: "ENOEXEC", message: "spawn ENOEXEC" }),
    "'x/c' can't be started: spawn ENOEXEC.",
  );
});

test("why there is no edit", () => {
  const none = { running: true, changed: false, errors: [] };
  const errors = [{ line: 2, message: "expected ')'" }];
  assert.match(whyNoEdit(none), /no edit of this file pays/);
  assert.match(whyNoEdit({ ...none, errors }), /line 3: expected '\)'$/);
  // A text that changed has other errors by now.
  assert.match(whyNoEdit({ ...none, errors, changed: true }), /try again/);
  assert.match(whyNoEdit({ running: false, changed: true, errors }), /not run/);
});
