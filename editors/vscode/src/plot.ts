// A kernel's occupancy against its vector registers, as an SVG element.
//
// The steps are drawn as the GPU has them, in a weak line; the part that the
// kernel's other resources leave in a strong one. A disc marks the kernel, a
// diamond the kernel with its fixes, and a dotted line the next step. Colours
// are the style sheet's (media/panel.css). Pure: text in, text out.
import { Curve } from "./kernels";

export interface Mark {
  at: number;
  waves: number;
}

export interface Plot {
  title: string;
  /** "VGPRs a lane". */
  axis: string;
  curve: Curve;
  max: number;
  unit: string;
  now: Mark;
  /** With the fixes, where that is elsewhere. */
  then?: Mark;
  /** The most registers that would leave more waves. */
  next?: Mark;
}

const width = 300,
  height = 170,
  left = 28,
  right = 286,
  top = 10,
  bottom = 132;

export function escaped(text: string): string {
  const names: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (c) => names[c]);
}

/** The steps that fit under `cap`, neighbours of one height as one. */
export function capped(
  steps: [number, number][],
  cap: number,
): [number, number][] {
  const out: [number, number][] = [];
  for (const [from, waves] of steps) {
    const left = Math.min(waves, cap);
    if (!out.length || out[out.length - 1][1] !== left) out.push([from, left]);
  }
  return out;
}

/** Where the axis of waves has its numbers: at most six, whole, and 0. */
export function waveMarks(max: number): number[] {
  const step = [1, 2, 4, 5, 8, 10, 16, 20].find((s) => max / s <= 5) ?? max;
  const marks = [];
  for (let at = 0; at <= max; at += step) marks.push(at);
  return marks;
}

export function plotSvg(p: Plot, id: string): string {
  const end = Math.ceil(p.curve.last / 2) * 2;
  const x = (at: number) => round(left + ((right - left) * at) / end);
  const y = (waves: number) => round(bottom - ((bottom - top) * waves) / p.max);
  const path = (steps: [number, number][]) =>
    steps
      .map(([from, waves], i) => {
        const begin = x(i ? from - 1 : 0);
        const until = x(i + 1 < steps.length ? steps[i + 1][0] - 1 : end);
        return `${i ? "V" : `M${begin} `}${y(waves)}H${until}`;
      })
      .join("");
  const parts = [
    ...waveMarks(p.max).map(
      (w) =>
        `<path class="grid" d="M${left} ${y(w)}H${right}"/>` +
        `<text class="tick end" x="${left - 5}" y="${y(w) + 4}">${w}</text>`,
    ),
    ...[0, 64, 128, 192, 256]
      .filter((at) => at <= end)
      .map(
        (at) =>
          `<text class="tick middle" x="${x(at)}" y="${bottom + 15}">${at}</text>`,
      ),
    `<text class="tick middle" x="${(left + right) / 2}" y="${bottom + 31}">${escaped(p.axis)}, ${escaped(p.unit)} upwards</text>`,
    `<path class="alone" d="${path(p.curve.steps)}"/>`,
    `<path class="curve" d="${path(capped(p.curve.steps, p.curve.cap))}"/>`,
  ];
  if (p.next)
    parts.push(
      `<path class="next" d="M${x(p.next.at)} ${bottom}V${y(p.next.waves)}"/>`,
    );
  if (p.then)
    parts.push(
      `<path class="then" d="M${x(p.then.at)} ${y(p.then.waves) - 6}l6 6-6 6-6-6z"/>`,
    );
  parts.push(
    `<circle class="now" cx="${x(p.now.at)}" cy="${y(p.now.waves)}" r="5"/>`,
  );
  return (
    `<svg class="plot" viewBox="0 0 ${width} ${height}" role="img" ` +
    `aria-labelledby="${id}-title ${id}-desc">` +
    `<title id="${id}-title">${escaped(p.title)}</title>` +
    `<desc id="${id}-desc">${escaped(words(p))}</desc>` +
    parts.join("") +
    "</svg>"
  );
}

/** The same for who can't see it. */
export function words(p: Plot): string {
  const last = (i: number) =>
    i + 1 < p.curve.steps.length ? p.curve.steps[i + 1][0] - 1 : p.curve.last;
  const steps = p.curve.steps.map(
    ([from, waves], i) => `${waves} from ${from} to ${last(i)}`,
  );
  return [
    `Now ${p.now.at} registers, ${p.now.waves} waves.`,
    p.then && `With the fixes ${p.then.at} registers, ${p.then.waves} waves.`,
    `Waves by registers: ${steps.join("; ")}.`,
    p.curve.cap < p.max &&
      `The other resources allow ${p.curve.cap} of ${p.max}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
