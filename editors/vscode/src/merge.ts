// Curves from before where there are no new ones yet: while somebody types they
// hardly change, and a panel that empties itself with each key is none.
import { Kernel, Occupancy } from "./kernels";

export function withCurves(fresh: Kernel[], old: Kernel[]): Kernel[] {
  const had = (name: string, target: string): Occupancy | null => {
    const occupancy = old
      .find((k) => k.name === name)
      ?.targets.find((t) => t.target === target)?.occupancy;
    // What they said of the kernel is not true any more.
    return occupancy
      ? {
          ...occupancy,
          curves: occupancy.curves.map((c) => ({ ...c, verdict: "" })),
        }
      : null;
  };
  return fresh.map((k) => ({
    ...k,
    targets: k.targets.map((t) => ({
      ...t,
      occupancy: t.occupancy ?? had(k.name, t.target),
    })),
  }));
}
