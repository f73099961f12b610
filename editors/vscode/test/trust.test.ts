import assert from "node:assert";
import { test } from "node:test";
import { searches } from "../src/trust";

test("what would be searched for is not asked in an untrusted workspace", async () => {
  let trusted = false;
  const s = searches(() => trusted);
  const any = {} as never;
  const asked: string[] = [];
  const next = (what: string) => (() => (asked.push(what), any)) as never;
  const ask = async () => [
    await s.provideCodeActions(any, any, any, any, next("actions")),
    await s.provideDocumentFormattingEdits(any, any, any, next("document")),
    await s.provideDocumentRangeFormattingEdits(
      any,
      any,
      any,
      any,
      next("range"),
    ),
  ];
  assert.deepStrictEqual(await ask(), [[], [], []]);
  assert.deepStrictEqual(asked, []);
  trusted = true;
  assert.deepStrictEqual(await ask(), [any, any, any]);
  assert.deepStrictEqual(asked, ["actions", "document", "range"]);
});
