import assert from "node:assert";
import { test } from "node:test";
import { parseRewrites } from "../src/rewrites";
import {
  knownTargets,
  looksLikeTarget,
  offered,
  sameTargets,
} from "../src/targets";

test("the selected come first, and what is typed last", () => {
  const names = offered(["gfx906", "gfx700"], "gfx1013").map((t) => t.name);
  assert.deepStrictEqual(names.slice(0, 2), ["gfx906", "gfx700"]);
  assert.strictEqual(names.filter((n) => n === "gfx906").length, 1);
  assert.strictEqual(names.at(-1), "gfx1013");
  assert.strictEqual(names.length, knownTargets.length + 2);
});

test("the beginning of a known name is not offered as another", () => {
  assert.strictEqual(offered([], "gfx9").length, knownTargets.length);
  assert.strictEqual(
    offered([], "device:NVIDIA").at(-1)?.name,
    "device:NVIDIA",
  );
});

test("a choice is another only where its targets are", () => {
  assert.ok(sameTargets(["a", "b"], ["b", "a"]));
  assert.ok(sameTargets([], []));
  assert.ok(!sameTargets(["a"], ["a", "b"]));
  assert.ok(!sameTargets(["a"], ["b"]));
  assert.ok(!sameTargets([], ["a"]));
});

test("what may be a target's name", () => {
  for (const name of [
    "gfx90a",
    "sm_90a",
    "device",
    "device:NVIDIA H200",
    "hawaii",
  ])
    assert.ok(looksLikeTarget(name), name);
  for (const name of ["", "GFX906", "gfx 906", "--fix", "sm_"])
    assert.ok(!looksLikeTarget(name), name);
  for (const { name } of knownTargets) assert.ok(looksLikeTarget(name), name);
});

test("rewrites of the program's list", () => {
  const text =
    "align-access       exact       access vectors whole where aligned\n" +
    "contract-fma       approximate join a product and a sum\n\nwords of another kind\n";
  assert.deepStrictEqual(parseRewrites(text), [
    {
      name: "align-access",
      kind: "exact",
      summary: "access vectors whole where aligned",
    },
    {
      name: "contract-fma",
      kind: "approximate",
      summary: "join a product and a sum",
    },
  ]);
});
