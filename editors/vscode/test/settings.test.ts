import assert from "node:assert";
import { test } from "node:test";
import {
  measureArguments,
  programPath,
  refusal,
  serverSettings,
} from "../src/settings";
import manifest from "../package.json";

const from = (values: Record<string, unknown>) => (key: string) => values[key];

/** What a user has who set nothing. */
const defaults = Object.fromEntries(
  Object.entries(manifest.contributes.configuration.properties).map(
    ([key, p]) => [key.replace("clrewrite.", ""), p.default],
  ),
);

test("defaults leave all to .clrewrite.yaml", () => {
  assert.deepStrictEqual(serverSettings(from(defaults), true), {
    hints: "auto",
    measureDelay: 30,
    searchDelay: 400,
  });
});

test("every setting that is not the editor's own reaches the server", () => {
  const given = {
    targets: ["gfx600", " gfx906 ", ""],
    objective: "registers",
    budget: "30s",
    verify: "off",
    buildOptions: ["-D", "T=float"],
    arguments: ["--grant=narrow-index"],
    search: false,
    pressure: true,
    hints: "on",
    measureDelay: 10,
    searchDelay: 99999,
  };
  assert.deepStrictEqual(serverSettings(from(given), true), {
    ...given,
    targets: ["gfx600", "gfx906"],
    searchDelay: 60000,
  });
  const own = ["path", "trace.server"];
  assert.deepStrictEqual(
    Object.keys(defaults).filter((key) => !own.includes(key)),
    Object.keys(given),
  );
});

test("wrong values count as not given", () => {
  const given = {
    targets: "gfx600",
    budget: 7,
    pressure: "yes",
    searchDelay: NaN,
  };
  assert.deepStrictEqual(serverSettings(from(given), true), {});
});

test("an untrusted workspace runs nothing of its own", () => {
  const s = serverSettings(
    from({ ...defaults, arguments: ["--no-cache"] }),
    false,
  );
  assert.deepStrictEqual(s.arguments, ["--no-cache", "--no-config"]);
  assert.strictEqual(s.verify, "off");
  assert.strictEqual(s.search, false);
  const restricted =
    manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
  for (const key of [
    "path",
    "arguments",
    "buildOptions",
    "targets",
    "objective",
    "budget",
    "verify",
  ])
    assert.ok(restricted.includes(`clrewrite.${key}`), key);
});

test("an untrusted workspace's kernels are not run", () => {
  const s = serverSettings(
    from({
      ...defaults,
      targets: ["gfx906", "device", "device:GPU"],
      arguments: ["--target", "device", "--target=device:all", "--no-cache"],
    }),
    false,
  );
  assert.deepStrictEqual(s.targets, ["gfx906"]);
  assert.deepStrictEqual(s.arguments, ["--no-cache", "--no-config"]);
  const none = serverSettings(from({ ...defaults, targets: ["device"] }), false);
  assert.strictEqual(none.targets, undefined);
});

test("an untrusted workspace's program is not started", () => {
  for (const path of [
    "${workspaceFolder}/bin/clrewrite",
    "~/${workspaceFolder}",
    "./clrewrite",
    "build/clrewrite",
    "../clrewrite",
    "bin\\clrewrite",
  ]) {
    assert.match(refusal(path, false, "/h"), /not trusted/, path);
    assert.strictEqual(refusal(path, true, "/h"), "", path);
  }
  for (const path of ["", undefined, "clrewrite", "/b/clrewrite", "~/clrewrite"])
    assert.strictEqual(refusal(path, false, "/h"), "", String(path));
});

test("the command line of measure", () => {
  assert.deepStrictEqual(measureArguments({}, "/k.cl"), [
    "measure",
    "--explain-occupancy",
    "--assume-filename=/k.cl",
    "-",
  ]);
  assert.deepStrictEqual(
    measureArguments(
      {
        targets: ["a", "b"],
        arguments: ["--no-cache"],
        buildOptions: ["-D", "N=1"],
      },
      "/k.cl",
    ).slice(2),
    [
      "--no-cache",
      "--target=a,b",
      "--assume-filename=/k.cl",
      "-",
      "--",
      "-D",
      "N=1",
    ],
  );
});

test("the program's path", () => {
  assert.strictEqual(programPath("", "/w", "/h"), "clrewrite");
  assert.strictEqual(programPath(undefined, "/w", "/h"), "clrewrite");
  assert.strictEqual(
    programPath(" ~/bin/clrewrite ", "/w", "/h"),
    "/h/bin/clrewrite",
  );
  assert.strictEqual(
    programPath("${workspaceFolder}/b/c", "/w", "/h"),
    "/w/b/c",
  );
  assert.strictEqual(programPath("/a~/c", "/w", "/h"), "/a~/c");
});
