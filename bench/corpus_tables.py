"""Writes docs/lab/corpus.md from what corpus.py has measured: a summary, totals in
the manner of Mesa's shader-db, and a table for each target."""
import math
import textwrap

# The targets that the compiler's attributes are tried on.
WITH_FLOOR = ["gfx600", "gfx906", "gfx1030"]
TITLE = {"guard": "guard 0%", "free": "no guard", "unsafe": "unsafe, guard 0%"}

INTRO = """# The corpus: what the rewrites reach

Sixty kernels of our own (`bench/corpus`) in the manner of real ones:
filters on bytes, floats and images, stencils, transforms, matrix products,
hashes, video, inference. Many were chosen because registers hold them below
full occupancy, so the shares below say nothing about how common that is.
Written by

```
{command}
```

or `./dev bench corpus`, which builds first; here by {version}.

Each kernel is rewritten for one target at a time. **Guard 0%** is the default:
no edit may raise the estimate of time by more than 1 %. **No guard** is `--max-slowdown=inf`.
**Unsafe** (`--unsafe` of the script) is `--unsafe-fixes`, with the guard.
Nothing here is measured time: [device.md](device.md) has that, on an NVIDIA H200.
"""

ATTRIBUTES = """## Beside the compiler's own attributes

For kernels below full occupancy. *Attribute*: the most waves that
`amdgpu_waves_per_eu(n)` or `amdgpu_num_vgpr(n)` before the kernel reaches
without new spills or scratch. *Floor*: the fewest VGPRs seen so, bisecting
`amdgpu_num_vgpr`; it is what this compiler does with this text, not a bound on
what another text needs. Attributes are not held against the estimate.
"""


def modes(results):
    return [mode for mode in TITLE if mode in next(iter(results.values()))]


def below_full(run):
    usage = run["guard"]["before"]
    return bool(usage["occupancy"]) and usage["occupancy"] < usage["occupancy_max"]


def gains(run):
    return (run["after"]["occupancy"] or 0) > (run["before"]["occupancy"] or 0)


def change(before, after, digits=0):
    text = f"{before:.{digits}f}"
    return text if before == after else f"{text} -> {after:.{digits}f}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(r) + " |" for r in rows]) + "\n"


def percent(part, whole):
    return f"{part} ({100 * part / whole:.0f}%)" if whole else "0"


def pays_in_time(target, run):
    """Where an estimate for an NVIDIA GPU falls by 5 %, it makes up for waves
    (docs/estimate.md, "What is kept by it")."""
    a, b = run["before"]["est_cycles"], run["after"]["est_cycles"]
    return target.startswith("sm_") and a and b and b <= a / 1.05


def worse(targets, names, results):
    """What no run may do on the target it was for, a line each."""
    lines = []
    for target in targets:
        for name in names:
            for mode in modes(results):
                run = results[target, name][mode]
                for key, sign in (("occupancy", -1), ("scratch_bytes", 1),
                                  ("vgpr_spills", 1), ("sgpr_spills", 1)):
                    a, b = run["before"][key], run["after"][key]
                    paid = key == "occupancy" and pays_in_time(target, run)
                    if a is not None and b is not None and sign * (b - a) > 0 \
                            and not paid:
                        lines.append(f"{name} on {target}, {TITLE[mode]}: "
                                     f"{key} {a} -> {b}")
    return lines


def summary(targets, names, results):
    rows = []
    for target in targets:
        runs = [results[target, name] for name in names]
        measured = [r for r in runs if r["guard"]["before"]["occupancy"]]
        below = [r for r in measured if below_full(r)]
        row = [target, str(len(measured)), str(len(below))]
        row += [percent(sum(gains(r[mode]) for r in below), len(below))
                for mode in modes(results)]
        if target in WITH_FLOOR:
            row.append(percent(sum(r["attributes"]["best"][0] != ""
                                   for r in below), len(below)))
        else:
            row.append("-")
        rows.append(row)
    return table(["target", "kernels", "below full occupancy"]
                 + [f"gain a wave, {TITLE[mode]}" for mode in modes(results)]
                 + ["best attribute alone"], rows)


def pairs(key, mode, target, names, results):
    """(before, after, name) where both are known."""
    found = []
    for name in names:
        run = results[target, name][mode]
        a, b = run["before"][key], run["after"][key]
        if a is not None and b is not None:
            found.append((a, b, name))
    return found


def total(values):
    a, b = sum(v[0] for v in values), sum(v[1] for v in values)
    return f"{a} -> {b} ({100 * (b - a) / a:+.1f}%)" if a else "-"


def helped_hurt(values, better):
    return (f"{sum(better * (b - a) > 0 for a, b, _ in values)} / "
            f"{sum(better * (b - a) < 0 for a, b, _ in values)}")


def totals(targets, names, results):
    rows = []
    for target in targets:
        for mode in modes(results):
            regs = pairs("vgprs", mode, target, names, results)
            waves = pairs("occupancy", mode, target, names, results)
            cycles = pairs("est_cycles", mode, target, names, results)
            logs = [math.log(b / a) for a, b, _ in cycles if a and b and a != b]
            mean = (f"x {math.exp(sum(logs) / len(logs)):.2f}" if logs else "-")
            rows.append([target, TITLE[mode], total(regs),
                         total([v for v in regs if v[0] != v[1]]),
                         helped_hurt(regs, -1), total(waves),
                         helped_hurt(waves, 1), mean,
                         helped_hurt(cycles, -1) if cycles else "-"])
    return table(["target", "run", "VGPRs", "of those affected",
                  "helped / hurt", "waves", "helped / hurt",
                  "estimate of those affected, geometric mean",
                  "helped / hurt"], rows)


def worst(targets, names, results):
    """The five that rose most, a line for each figure and run."""
    lines = []
    for key, unit in (("vgprs", "VGPRs"), ("est_cycles", "estimate"),
                      ("instructions", "static instructions")):
        for mode in modes(results):
            rises = sorted(((b / a, name, target, a, b) for target in targets
                            for a, b, name in
                            pairs(key, mode, target, names, results)
                            if a and b > a * 1.0001), reverse=True)[:5]
            text = "; ".join(f"{name} on {target} {a:.0f} -> {b:.0f}"
                             for _, name, target, a, b in rises)
            lines.append(f"- {unit}, {TITLE[mode]}: {text or 'none'}")
    return "\n".join(lines) + "\n"


def verified(checked):
    count = {v: sum(c[1] == v for c in checked)
             for v in ("same", "different", "unknown")}
    text = textwrap.fill(
        f"Of {len(checked)} distinct rewritten texts of the runs without "
        f"unsafe fixes, each run beside its original on an OpenCL device, "
        f"{count['same']} are the same, {count['different']} different, "
        f"{count['unknown']} unknown. (Unsafe fixes may change rounding, or "
        f"the host, and are not compared.)", 79) + "\n"
    for name, verdict, why in checked:
        if verdict != "same":
            text += f"\n- {name}: {verdict}: {why}"
    return text.replace("\n\n- ", "\n- ")


def attributes(target, names, results):
    rows = []
    for name in names:
        run = results[target, name]
        if not below_full(run):
            continue
        original = run["guard"]["before"]
        label, best = run["attributes"]["best"]
        least = run["attributes"]["floor"]
        row = [name, f"{original['vgprs']}, {original['occupancy']}",
               f"{best['vgprs']}, {best['occupancy']}" if label else "-",
               f"`{label}`" if label else "", f"{least['vgprs']}, {least['occupancy']}"]
        row += [f"{run[m]['after']['vgprs']}, {run[m]['after']['occupancy']}"
                for m in modes(results)]
        rows.append(row)
    head = ["kernel", "original: VGPRs, waves", "attribute", "which", "floor"]
    return table(head + [TITLE[mode] for mode in modes(results)], rows)


def kept(run):
    names = {}
    for edit in run["kept"]:
        names[edit] = names.get(edit, 0) + 1
    return ", ".join(e + (f" x{n}" if n > 1 else "") for e, n in names.items())


def per_target(target, names, results):
    rows, rest, problems = [], [], []
    for name in names:
        run = results[target, name]
        if run["guard"]["problem"]:
            problems.append(f"{name} ({run['guard']['problem']})")
            continue
        if not below_full(run) and not any(run[m]["kept"] for m in modes(results)):
            rest.append(f"{name} {run['guard']['before']['vgprs']}")
            continue
        row = [name]
        for mode in modes(results):
            a, b = run[mode]["before"], run[mode]["after"]
            if mode != "guard" and run[mode]["text"] == run["guard"]["text"]:
                row.append("the same" if run[mode]["kept"] else "")
                continue
            row.append("; ".join(
                [", ".join(change(a[key], b[key]) for key in
                           ("vgprs", "occupancy", "est_cycles")
                           if a[key] is not None)]
                + ([kept(run[mode])] if run[mode]["kept"] else [])))
        rows.append(row)
    text = table(["kernel"] + [TITLE[m] for m in modes(results)], rows)
    if rest:
        text += "\nAt full occupancy, nothing kept (VGPRs): " + ", ".join(rest) + ".\n"
    if problems:
        text += "\nNot measurable: " + "; ".join(problems) + ".\n"
    return text


def page(targets, names, results, checked, got_worse, version, command):
    parts = [INTRO.format(version=version, command=command), "## Summary\n",
             summary(targets, names, results),
             textwrap.fill("Runs in which a kernel got worse (fewer waves, more "
                           "scratch or spills) on the target it was rewritten "
                           f"for: {len(got_worse)}. Fewer waves do not count for "
                           "an NVIDIA GPU whose estimate falls by 5 %, which "
                           "makes up for them ([estimate](../estimate.md#what-is-"
                           "kept-by-it)).", 79, break_on_hyphens=False),
             verified(checked),
             "## Totals\n", totals(targets, names, results),
             "The worst five:\n", worst(targets, names, results), ATTRIBUTES]
    for target in targets:
        if target in WITH_FLOOR:
            parts += [f"### {target}\n", attributes(target, names, results)]
    parts.append("## Kernel by kernel\n\nVGPRs, waves, estimated cycles; then "
                 "the rewrites kept.\n")
    for target in targets:
        parts += [f"### {target}\n", per_target(target, names, results)]
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)
