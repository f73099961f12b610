import assert from "node:assert";
import { test } from "node:test";
import { kernelAt } from "../src/kernels";
import { withCurves } from "../src/merge";
import { messageOnly, nextMark, panelHtml, panelModel } from "../src/model";
import { capped, plotSvg, waveMarks, words } from "../src/plot";
import { figures, kernel, vgprs } from "./kernels";

test("the kernel under the cursor", () => {
  const list = [kernel("b", 20), kernel("a", 5)];
  assert.strictEqual(kernelAt(list, 4)?.name, "a");
  assert.strictEqual(kernelAt(list, 5)?.name, "a");
  assert.strictEqual(kernelAt(list, 19)?.name, "a");
  assert.strictEqual(kernelAt(list, 20)?.name, "b");
  assert.strictEqual(kernelAt([], 20), undefined);
});

test("figures, the next step and the fixes in words", () => {
  const m = panelModel(kernel("box_sum", 10, figures()));
  assert.strictEqual(m.line, 11);
  assert.ok(m.fixes);
  const [t] = m.targets;
  assert.strictEqual(t.headline, "VGPR 37 · 6 of 10 waves");
  assert.deepStrictEqual(t.notes, [
    "Next step: 1 VGPR fewer, at 36: 7 waves.",
    "With the fixes: VGPR 24, 10 of 10 waves.",
  ]);
  assert.deepStrictEqual(t.limits, [["VGPRs", "limits; 36 or fewer: 7 waves"]]);
  assert.deepStrictEqual(t.plot?.now, { at: 37, waves: 6 });
  assert.deepStrictEqual(t.plot?.then, { at: 24, waves: 10 });
  assert.deepStrictEqual(t.plot?.next, { at: 36, waves: 7 });
});

test("without curves the next step is the server's", () => {
  const [t] = panelModel(kernel("k", 0, figures({ occupancy: null }))).targets;
  assert.strictEqual(t.notes[0], "Next step: 1 VGPR fewer, at 36.");
  assert.strictEqual(t.plot, undefined);
});

test("at the top, limited by others, not measured, spilled", () => {
  const best = { vgprs: 20, occupancy: 10, occupancy_max: 10, limiter: "none" };
  const lds = { vgprs: 20, occupancy: 4, occupancy_max: 10, limiter: "LDS" };
  const spilled = {
    ...lds,
    vgpr_spills: 3,
    scratch_bytes: 12,
    stack_entries: 1,
  };
  const none = { occupancy: null };
  const m = panelModel(
    kernel(
      "k",
      0,
      figures({ ...none, now: best, then: best }),
      figures({ ...none, now: lds, then: lds }),
      figures({ ...none, now: {}, then: {}, problem: "no ptxas" }),
      figures({ ...none, now: spilled, then: spilled }),
    ),
  );
  assert.ok(!m.fixes);
  assert.deepStrictEqual(
    m.targets.map((t) => t.notes),
    [
      ["This is the most that the GPU has."],
      ["Limited by LDS."],
      [],
      ["Limited by LDS."],
    ],
  );
  assert.strictEqual(m.targets[2].headline, "not measured: no ptxas");
  assert.strictEqual(
    m.targets[3].headline,
    "GPR 20 · 4 of 10 waves · 3 spilled · 12 B of scratch",
  );
});

test("the next step counts only below what the rest allows", () => {
  const now = { at: 50, waves: 4 };
  assert.deepStrictEqual(nextMark(vgprs, now), { at: 48, waves: 5 });
  assert.strictEqual(nextMark({ ...vgprs, cap: 4 }, now), undefined);
  assert.strictEqual(nextMark(vgprs, { at: 1, waves: 10 }), undefined);
});

test("steps under a cap are one", () => {
  assert.deepStrictEqual(capped(vgprs.steps, 8), [
    [1, 8],
    [33, 7],
    [37, 6],
    [41, 5],
    [49, 4],
    [65, 3],
    [85, 2],
    [129, 1],
  ]);
});

test("marks of the axis", () => {
  assert.deepStrictEqual(waveMarks(8), [0, 2, 4, 6, 8]);
  assert.deepStrictEqual(waveMarks(10), [0, 2, 4, 6, 8, 10]);
  assert.deepStrictEqual(waveMarks(16), [0, 4, 8, 12, 16]);
  assert.deepStrictEqual(waveMarks(20), [0, 4, 8, 12, 16, 20]);
  assert.deepStrictEqual(waveMarks(64), [0, 16, 32, 48, 64]);
});

test("the drawing puts the kernel where it is", () => {
  const plot = panelModel(kernel("k", 0, figures())).targets[0].plot!;
  const svg = plotSvg(plot, "t0");
  // 37 of 256 of 258 units from 28 on; 6 of 10 of 122 units above 132.
  assert.match(svg, /<circle class="now" cx="65.3" cy="58.8" r="5"\/>/);
  // The first step is as high as the axis, and ends at 24 registers.
  assert.match(svg, /<path class="curve" d="M28 10H52\.2V22\.2H56\.2V/);
  assert.match(svg, /aria-labelledby="t0-title t0-desc"/);
  assert.match(words(plot), /^Now 37 registers, 6 waves\. With the fixes 24/);
  assert.match(words(plot), /10 from 1 to 24; .* 1 from 129 to 256/);
});

test("what a file says can't become markup", () => {
  const bad = `<img src=x onerror="alert('1')">&`;
  const html =
    panelHtml(panelModel(kernel(bad, 0, figures({ target: bad }))), true).html +
    panelHtml(panelModel(kernel("k", 0, figures({ problem: bad }))), false).html;
  assert.ok(!html.includes("<img"));
  assert.ok(
    html.includes(
      "&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;",
    ),
  );
});

test("what is told stands beside what is shown", () => {
  const m = panelModel(kernel("k", 0, figures()));
  const busy = panelHtml(m, true);
  assert.strictEqual(busy.status, "Finding the curves…");
  assert.deepStrictEqual(panelHtml(m, false), { ...busy, status: "" });
  // It is put in as text, not as markup.
  assert.deepStrictEqual(messageOnly("<i>"), { html: "", status: "<i>" });
});

test("fixes that leave registers and waves pay, too", () => {
  const now = figures().now;
  const of = (more: object, less: object) =>
    panelModel(
      kernel(
        "k",
        0,
        figures({ now: { ...now, ...more }, then: { ...now, ...less } }),
      ),
    );
  const said = (more: object, less: object) =>
    of(more, less).targets[0].notes.slice(1);
  for (const [key, note] of Object.entries({
    vgpr_spills: "1 instead of 3 VGPRs spilled",
    sgpr_spills: "1 instead of 3 SGPRs spilled",
    scratch_bytes: "1 instead of 3 B of scratch",
    sgprs: "1 instead of 3 SGPRs",
    lds_bytes: "1 instead of 3 B of LDS",
    est_cycles: "1 instead of 3 cycles (estimate)",
    instructions: "1 instead of 3 instructions",
  })) {
    const [a, b] = [{ [key]: 3 }, { [key]: 1 }];
    assert.ok(of(a, b).fixes, key);
    assert.deepStrictEqual(said(a, b), [`With the fixes: ${note}.`]);
    assert.ok(!of(a, a).fixes, key);
    assert.deepStrictEqual(said(a, a), []);
    // The diamond is for another place.
    assert.strictEqual(of(a, b).targets[0].plot?.then, undefined);
  }
  assert.deepStrictEqual(said({ sgprs: 9 }, { vgprs: 30, sgprs: 8 }), [
    "With the fixes: VGPR 30, 6 of 10 waves.",
    "And 8 instead of 9 SGPRs.",
  ]);
  assert.deepStrictEqual(said({ est_cycles: 52.5 }, { est_cycles: 52.25 }), [
    "With the fixes: 52.25 instead of 52.5 cycles (estimate).",
  ]);
  assert.ok(!of({ sgprs: null }, {}).fixes);
});

test("the legend names the lines that are seen", () => {
  const html = (cap: number) =>
    panelHtml(
      panelModel(
        kernel(
          "k",
          0,
          figures({
            occupancy: {
              max: 10,
              unit: "waves a SIMD",
              curves: [{ ...vgprs, cap }],
            },
          }),
        ),
      ),
      false,
    ).html;
  assert.match(html(10), /class="next".*<\/svg>next step</);
  assert.doesNotMatch(html(10), /by registers alone/);
  assert.match(html(8), /class="alone".*<\/svg>by registers alone</);
  assert.doesNotMatch(html(6), /next step</);
});

test("registers are called what the target's users call them", () => {
  const plotOf = (more: object) =>
    panelModel(kernel("k", 0, figures(more))).targets[0];
  const amd = plotOf({});
  assert.strictEqual(amd.plot?.axis, "VGPRs a lane");
  const old = plotOf({ now: { ...figures().now, stack_entries: 0 } });
  assert.strictEqual(old.plot?.axis, "GPRs a lane");
  assert.strictEqual(old.limits[0][0], "GPRs");
  const occupancy = { max: 64, unit: "warps an SM", curves: [vgprs] };
  assert.strictEqual(plotOf({ occupancy }).plot?.axis, "registers a thread");
});

test("curves stay until new ones come", () => {
  const old = [kernel("k", 0, figures())];
  const fresh = [
    kernel(
      "k",
      3,
      figures({ occupancy: null }),
      figures({ target: "gfx906", occupancy: null }),
    ),
    kernel("new", 9, figures({ occupancy: null })),
  ];
  const merged = withCurves(fresh, old);
  assert.strictEqual(merged[0].line, 3);
  const [curve] = merged[0].targets[0].occupancy!.curves;
  assert.deepStrictEqual(curve, { ...vgprs, verdict: "" });
  assert.deepStrictEqual(panelModel(merged[0]).targets[0].limits, []);
  assert.strictEqual(merged[0].targets[1].occupancy, null);
  assert.strictEqual(merged[1].targets[0].occupancy, null);
});
