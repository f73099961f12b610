// The targets that the quick pick offers. Any other that clrewrite knows can be
// typed.

export interface TargetName {
  name: string;
  what: string;
}

export const knownTargets: TargetName[] = [
  { name: "gfx1201", what: "AMD RDNA 4: Radeon RX 9070" },
  { name: "gfx1200", what: "AMD RDNA 4: Radeon RX 9060" },
  { name: "gfx1151", what: "AMD RDNA 3.5: Strix Halo" },
  { name: "gfx1150", what: "AMD RDNA 3.5: Strix Point" },
  { name: "gfx1103", what: "AMD RDNA 3: Phoenix" },
  { name: "gfx1102", what: "AMD RDNA 3: Radeon RX 7600" },
  { name: "gfx1101", what: "AMD RDNA 3: Radeon RX 7800 XT" },
  { name: "gfx1100", what: "AMD RDNA 3: Radeon RX 7900" },
  { name: "gfx1032", what: "AMD RDNA 2: Radeon RX 6600" },
  { name: "gfx1031", what: "AMD RDNA 2: Radeon RX 6700" },
  { name: "gfx1030", what: "AMD RDNA 2: Radeon RX 6800, 6900" },
  { name: "gfx1012", what: "AMD RDNA: Radeon RX 5500" },
  { name: "gfx1010", what: "AMD RDNA: Radeon RX 5700" },
  { name: "gfx950", what: "AMD CDNA 4: Instinct MI350" },
  { name: "gfx942", what: "AMD CDNA 3: Instinct MI300" },
  { name: "gfx90a", what: "AMD CDNA 2: Instinct MI200" },
  { name: "gfx908", what: "AMD CDNA: Instinct MI100" },
  { name: "gfx906", what: "AMD Vega 20: Radeon VII, Instinct MI50" },
  { name: "gfx900", what: "AMD Vega 10: Radeon RX Vega" },
  { name: "gfx803", what: "AMD GCN 3, 4: Fiji, Polaris" },
  { name: "gfx701", what: "AMD GCN 2: Hawaii" },
  { name: "gfx600", what: "AMD GCN: Tahiti" },
  { name: "cayman", what: "AMD before GCN: Radeon HD 6900" },
  { name: "redwood", what: "AMD before GCN: Radeon HD 5600" },
  { name: "sm_120", what: "NVIDIA Blackwell: GeForce RTX 50 (needs ptxas)" },
  { name: "sm_100", what: "NVIDIA Blackwell: B200 (needs ptxas)" },
  { name: "sm_90", what: "NVIDIA Hopper: H100, H200 (needs ptxas)" },
  { name: "sm_89", what: "NVIDIA Ada: GeForce RTX 40 (needs ptxas)" },
  { name: "sm_86", what: "NVIDIA Ampere: GeForce RTX 30 (needs ptxas)" },
  { name: "sm_80", what: "NVIDIA Ampere: A100 (needs ptxas)" },
  { name: "sm_75", what: "NVIDIA Turing: GeForce RTX 20 (needs ptxas)" },
  { name: "device", what: "the first OpenCL device of this machine" },
];

/** The same ones, in whatever order. */
export function sameTargets(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}

/** True for what may be meant as a target's name. */
export function looksLikeTarget(text: string): boolean {
  return /^(gfx[0-9a-f]+|sm_[0-9]+[a-z]?|device(:.+)?|[a-z][a-z0-9-]+)$/.test(
    text,
  );
}

/**
 * What the quick pick lists: the selected first, so that they are seen, then
 * the others; and what is typed, where it is none of them.
 */
export function offered(selected: string[], typed: string): TargetName[] {
  const known = new Map(knownTargets.map((t) => [t.name, t]));
  const first = selected.map((name) => known.get(name) ?? { name, what: "" });
  const rest = knownTargets.filter((t) => !selected.includes(t.name));
  const list = [...first, ...rest];
  const text = typed.trim();
  if (looksLikeTarget(text) && !list.some((t) => t.name.startsWith(text)))
    list.push({ name: text, what: "as typed" });
  return list;
}
