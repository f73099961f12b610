import assert from "node:assert";
import { test } from "node:test";
import { Known } from "../src/known";
import { figures, kernel } from "./kernels";

test("of a document that is closed nothing is asked, and nothing kept", async () => {
  let open = true;
  let asked = 0;
  const server = {
    kernels: async () => (++asked, [kernel("k", 0, figures())]),
  };
  const known = new Known(
    server,
    () => {},
    () => open,
  );
  const uri = { toString: () => "file:///k.cl" } as never;
  await known.refresh(uri, false);
  assert.strictEqual(asked, 1);
  assert.strictEqual(known.kernels(uri)?.length, 1);
  // The editor closes it; then the server tells that its problems are gone.
  open = false;
  known.forget(uri);
  await known.refresh(uri, true);
  assert.strictEqual(asked, 1);
  assert.strictEqual(known.kernels(uri), undefined);
});
