// The words of the status item.
import { Kernel, kernelAt, targetsOf, wavesText } from "./kernels";

export type State =
  | { kind: "starting" }
  | { kind: "missing"; why: string }
  | { kind: "stopped" }
  | { kind: "running" };

export interface StatusText {
  text: string;
  tooltip: string;
  warning: boolean;
}

/**
 * `kernels` are those of the editor's document, undefined where nothing is
 * known of it yet; `configured` the targets of the settings.
 */
export function statusText(
  state: State,
  kernels: Kernel[] | undefined,
  line: number,
  configured: string[],
): StatusText {
  if (state.kind === "missing")
    return {
      text: "$(warning) clrewrite: not started",
      tooltip: `It does not run: ${state.why} Click to set clrewrite.path.`,
      warning: true,
    };
  if (state.kind === "stopped")
    return {
      text: "$(warning) clrewrite: stopped",
      tooltip: "The server has stopped. Click to start it again.",
      warning: true,
    };
  const told = targetsOf(kernels ?? []);
  const targets = told.length ? told : configured;
  const kernel = kernels && kernelAt(kernels, line);
  const lines = (kernel?.targets ?? []).map((f) =>
    f.problem
      ? `${f.target}: ${f.problem}`
      : `${f.target}: VGPR ${f.now.vgprs ?? "?"}, ${wavesText(f.now) || "waves not known"}`,
  );
  const busy = state.kind === "starting" || kernels === undefined;
  return {
    text: `$(${busy ? "sync~spin" : "chip"}) ${shortly(targets)}${oneTarget(kernel)}`,
    tooltip: [
      ...(kernel ? [`kernel ${kernel.name}`, ...lines] : []),
      "Click to select other targets.",
    ].join("\n"),
    warning: false,
  };
}

/** With one target there is room for its figure. */
function oneTarget(kernel: Kernel | undefined): string {
  if (kernel?.targets.length !== 1) return "";
  const waves = wavesText(kernel.targets[0].now);
  return waves ? `: ${waves}` : "";
}

function shortly(targets: string[]): string {
  if (!targets.length) return "clrewrite";
  const rest = targets.length - 2;
  return targets.slice(0, 2).join(", ") + (rest > 0 ? ` +${rest}` : "");
}
