// Kernels as the server tells them, for tests.
import { Curve, Figures, Kernel } from "../src/kernels";

export const vgprs: Curve = {
  axis: "vgprs",
  first: 1,
  last: 256,
  steps: [
    [1, 10],
    [25, 9],
    [29, 8],
    [33, 7],
    [37, 6],
    [41, 5],
    [49, 4],
    [65, 3],
    [85, 2],
    [129, 1],
  ],
  cap: 10,
  at: 37,
  waves: 6,
  verdict: "limits; 36 or fewer: 7 waves",
};

export function figures(more: Partial<Figures> = {}): Figures {
  return {
    target: "gfx600",
    problem: "",
    now: {
      vgprs: 37,
      occupancy: 6,
      occupancy_max: 10,
      vgprs_to_next_step: 1,
      limiter: "VGPRs",
    },
    then: { vgprs: 24, occupancy: 10, occupancy_max: 10, limiter: "none" },
    occupancy: { max: 10, unit: "waves a SIMD", curves: [vgprs] },
    ...more,
  };
}

export function kernel(
  name: string,
  line: number,
  ...targets: Figures[]
): Kernel {
  return { name, line, targets };
}
