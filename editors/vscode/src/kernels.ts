// What the server's commands clrewrite.kernels and clrewrite.occupancy tell of
// a document (docs/language-server.md).

/** Figures, as in the report's JSON; what is unknown is not there, or null. */
export interface Usage {
  vgprs?: number | null;
  sgprs?: number | null;
  vgpr_spills?: number | null;
  sgpr_spills?: number | null;
  scratch_bytes?: number | null;
  occupancy?: number | null;
  occupancy_max?: number | null;
  limiter?: string | null;
  vgprs_to_next_step?: number | null;
  stack_entries?: number | null;
  lds_bytes?: number | null;
  instructions?: number | null;
  est_cycles?: number | null;
}

/** Waves by what a kernel takes of one resource. */
export interface Curve {
  axis: "vgprs" | "sgprs" | "lds_bytes" | "group_size";
  first: number;
  last: number;
  /** From a value on, up to the next, so many waves: this alone. */
  steps: [number, number][];
  /** Waves that the kernel's other resources allow. */
  cap: number;
  at: number;
  waves: number;
  /** What the curve says of the kernel, in a few words; empty where that is not
   * known yet. */
  verdict: string;
}

export interface Occupancy {
  max: number;
  unit: string;
  curves: Curve[];
}

export interface Figures {
  target: string;
  /** Why nothing is known; empty where something is. */
  problem: string;
  /** Of the text as it is, and with its fixes. */
  now: Usage;
  then: Usage;
  occupancy: Occupancy | null;
}

export interface Kernel {
  name: string;
  /** From 0. */
  line: number;
  targets: Figures[];
}

/** The kernel that line `line` belongs to: the last that begins there or
 * above; in front of all, the first. */
export function kernelAt(kernels: Kernel[], line: number): Kernel | undefined {
  const sorted = [...kernels].sort((a, b) => a.line - b.line);
  return sorted.filter((k) => k.line <= line).pop() ?? sorted[0];
}

/** The targets of a document, in the order that the server has them. */
export function targetsOf(kernels: Kernel[]): string[] {
  return [...new Set(kernels.flatMap((k) => k.targets.map((t) => t.target)))];
}

/** "6 of 10 waves"; empty where that is not known. */
export function wavesText(u: Usage): string {
  return u.occupancy != null && u.occupancy_max != null
    ? `${u.occupancy} of ${u.occupancy_max} waves`
    : "";
}
