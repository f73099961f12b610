// What the panel shows of a kernel: sentences and plots, ready to be drawn.
import { Curve, Figures, Kernel, Usage, wavesText } from "./kernels";
import { escaped, Mark, Plot, plotSvg } from "./plot";

export interface TargetPart {
  target: string;
  /** "VGPR 37 · 6 of 10 waves", or why there is none. */
  headline: string;
  plot?: Plot;
  /** What to do next, and what the fixes do; each a sentence. */
  notes: string[];
  /** The other resources and what they say. */
  limits: [string, string][];
}

export interface PanelModel {
  kernel: string;
  line: number;
  targets: TargetPart[];
  /** Some fix pays: there is something to press. */
  fixes: boolean;
}

export function panelModel(k: Kernel): PanelModel {
  return {
    kernel: k.name,
    line: k.line + 1,
    targets: k.targets.map((f) => targetPart(k, f)),
    fixes: k.targets.some((f) => !f.problem && better(f)),
  };
}

function registers(u: Usage): string {
  return u.stack_entries != null ? "GPR" : "VGPR";
}

function headline(f: Figures): string {
  if (f.problem) return `not measured: ${f.problem}`;
  const u = f.now;
  const spills = (u.vgpr_spills ?? 0) + (u.sgpr_spills ?? 0);
  return [
    u.vgprs != null && `${registers(u)} ${u.vgprs}`,
    wavesText(u),
    spills > 0 && `${spills} spilled`,
    (u.scratch_bytes ?? 0) > 0 && `${u.scratch_bytes} B of scratch`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function markOf(u: Usage): Mark | undefined {
  return u.vgprs != null && u.occupancy != null
    ? { at: u.vgprs, waves: u.occupancy }
    : undefined;
}

/** What fixes can change beside the place in the plot, in the order in which
 * it counts. */
const changes: [keyof Usage, string][] = [
  ["scratch_bytes", "B of scratch"],
  ["vgpr_spills", "VGPRs spilled"],
  ["sgpr_spills", "SGPRs spilled"],
  ["lds_bytes", "B of LDS"],
  ["sgprs", "SGPRs"],
  ["stack_entries", "stack entries"],
  ["est_cycles", "cycles (estimate)"],
  ["instructions", "instructions"],
];

/** "24 instead of 31 SGPRs" for each that the fixes change. */
function changed(f: Figures): string[] {
  const shown = (value: Usage[keyof Usage]) =>
    typeof value !== "number"
      ? "?"
      : String(Number.isInteger(value) ? value : +value.toPrecision(4));
  return changes
    .filter(([key]) => (f.now[key] ?? null) !== (f.then[key] ?? null))
    .map(([key, what]) => [shown(f.then[key]), shown(f.now[key]), what])
    .filter(([then, now]) => then !== now)
    .map(([then, now, what]) => `${then} instead of ${now} ${what}`);
}

/** Some figure is another with the fixes. */
function better(f: Figures): boolean {
  return moved(f) || changed(f).length > 0;
}

/** The fixes change its place in the plot. */
function moved(f: Figures): boolean {
  return f.now.vgprs !== f.then.vgprs || f.now.occupancy !== f.then.occupancy;
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}

/** Where more waves begin, downwards from the kernel; where only registers
 * stand in the way. */
export function nextMark(curve: Curve, now: Mark): Mark | undefined {
  for (let i = curve.steps.length - 2; i >= 0; --i) {
    const waves = Math.min(curve.steps[i][1], curve.cap);
    const at = curve.steps[i + 1][0] - 1;
    if (at < now.at && waves > now.waves) return { at, waves };
  }
  return undefined;
}

function nextNote(f: Figures, next: Mark | undefined): string {
  const u = f.now;
  if (u.occupancy != null && u.occupancy === u.occupancy_max)
    return "This is the most that the GPU has.";
  if (u.vgprs != null && next) {
    const fewer = u.vgprs - next.at;
    return `Next step: ${count(fewer, registers(u))} fewer, at ${next.at}: ${count(next.waves, "wave")}.`;
  }
  if (u.vgprs != null && u.vgprs_to_next_step != null)
    return `Next step: ${count(u.vgprs_to_next_step, registers(u))} fewer, at ${u.vgprs - u.vgprs_to_next_step}.`;
  if (u.limiter && u.limiter !== "none") return `Limited by ${u.limiter}.`;
  return "";
}

function fixNotes(f: Figures): string[] {
  const rest = changed(f).join(", ");
  if (!moved(f)) return rest ? [`With the fixes: ${rest}.`] : [];
  const waves = wavesText(f.then);
  return [
    `With the fixes: ${registers(f.then)} ${f.then.vgprs ?? "?"}${waves && `, ${waves}`}.`,
    ...(rest ? [`And ${rest}.`] : []),
  ];
}

const others: Record<Exclude<Curve["axis"], "vgprs">, string> = {
  sgprs: "SGPRs",
  lds_bytes: "LDS",
  group_size: "Work-group",
};

function targetPart(k: Kernel, f: Figures): TargetPart {
  const now = markOf(f.now);
  const curve = f.occupancy?.curves.find((c) => c.axis === "vgprs");
  const next = curve && now && nextMark(curve, now);
  const part: TargetPart = {
    target: f.target,
    headline: headline(f),
    notes: f.problem
      ? []
      : [nextNote(f, next), ...fixNotes(f)].filter(Boolean),
    limits: (f.occupancy?.curves ?? [])
      .filter((c) => c.verdict)
      .map((c) => [
        c.axis === "vgprs" ? `${registers(f.now)}s` : others[c.axis],
        c.verdict,
      ]),
  };
  if (f.occupancy && curve && now) {
    const { max, unit } = f.occupancy;
    const then = moved(f) ? markOf(f.then) : undefined;
    const axis = unit.startsWith("warps")
      ? "registers a thread"
      : `${registers(f.now)}s a lane`;
    const title = `${k.name} on ${f.target}: ${unit} by ${axis}`;
    part.plot = { title, axis, curve, max, unit, now, then, next };
  }
  return part;
}

function targetHtml(t: TargetPart, index: number): string {
  const id = `t${index}`;
  const limits = t.limits
    .map(
      ([what, says]) =>
        `<tr><th scope="row">${escaped(what)}</th><td>${escaped(says)}</td></tr>`,
    )
    .join("");
  return (
    `<section aria-labelledby="${id}"><h2 id="${id}">${escaped(t.target)}</h2>` +
    `<p class="headline">${escaped(t.headline)}</p>` +
    (t.plot ? plotSvg(t.plot, id) + legend(t.plot) : "") +
    t.notes.map((note) => `<p>${escaped(note)}</p>`).join("") +
    (limits && `<table>${limits}</table>`) +
    "</section>"
  );
}

function legend(p: Plot): string {
  const now = `<span class="key"><svg viewBox="0 0 12 12" aria-hidden="true"><circle class="now" cx="6" cy="6" r="5"/></svg>now</span>`;
  const then = `<span class="key"><svg viewBox="0 0 12 12" aria-hidden="true"><path class="then" d="M6 0l6 6-6 6-6-6z"/></svg>with the fixes</span>`;
  const line = (name: string, what: string) =>
    `<span class="key line"><svg viewBox="0 0 24 12" aria-hidden="true"><path class="${name}" d="M0 6H24"/></svg>${what}</span>`;
  // Under the strong line the weak one is not seen.
  const alone = p.curve.steps.some(([, waves]) => waves > p.curve.cap);
  return (
    `<p class="legend">${now}${p.then ? then : ""}` +
    (alone ? line("alone", "by registers alone") : "") +
    (p.next ? line("next", "next step") : "") +
    "</p>"
  );
}

/** What the panel shows: its content, and what is still to come. */
export interface Shown {
  html: string;
  status: string;
}

/** `busy` where curves are still to come. */
export function panelHtml(m: PanelModel, busy: boolean): Shown {
  const html =
    `<h1 tabindex="-1">kernel <button class="link" data-command="reveal" title="Go to the kernel">${escaped(m.kernel)}</button> ` +
    `<span class="where">line ${m.line}</span></h1>` +
    (m.fixes
      ? `<p><button data-command="fix">Make all fixes of this file</button></p>`
      : "") +
    m.targets.map(targetHtml).join("");
  return { html, status: busy ? "Finding the curves…" : "" };
}

/** A sentence in the place of figures. */
export function messageOnly(text: string): Shown {
  return { html: "", status: text };
}
