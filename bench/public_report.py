"""What public.py tells of its searches, in the manner of shader-db's report."""
import collections

FIGURES = ("waves", "vgprs", "est_cycles", "instructions", "scratch_bytes",
           "spills")
MORE_IS_BETTER = ("waves",)
WORST = 5
MOST_REASONS = 15


def figures(measured):
    """The FIGURES of MEASURED, by name."""
    spills = (measured["vgpr_spills"] or 0) + (measured["sgpr_spills"] or 0)
    return {"waves": measured["occupancy"], "vgprs": measured["vgprs"],
            "est_cycles": measured["est_cycles"],
            "instructions": measured["instructions"],
            "scratch_bytes": measured["scratch_bytes"] or 0, "spills": spills}


def spills(delta):
    return any((delta["after"][key] or 0) > (delta["before"][key] or 0)
               for key in ("vgpr_spills", "sgpr_spills", "scratch_bytes"))


def why_not(kernel, own):
    """Why KERNEL gained nothing, as far as its single edits, OWN, tell."""
    tried = [d for r in own for d in r["deltas"] if d["kernel"] == kernel
             and not spills(d)]
    if any(d["after"]["occupancy"] > d["before"]["occupancy"] for d in tried):
        return "the estimate rose where a wave was gained"
    if any((d["after"]["vgprs"] or 0) < (d["before"]["vgprs"] or 0)
           for d in tried):
        return "fewer VGPRs, but no step reached without spills"
    if any("budget" in r["reason"] for r in own):
        return "the budget was spent"
    if any("uninitialised" in r["reason"] for r in own):
        return "it reads an uninitialised variable, with these options"
    if not tried:
        return "no edit could be tried without spills"
    if all(d["after"] == d["before"] for d in tried):
        return "every edit gave the same code"
    return "no edit lowered VGPRs without spills"


def entries(document, kernels):
    """What DOCUMENT, the report of one file, tells of its KERNELS, by name."""
    out = {}
    rewrites = document["files"][0]["rewrites"]
    counted = set()
    for kernel in document["files"][0]["kernels"]:
        name = kernel["name"]
        if name not in kernels:
            continue
        own = [(at, r) for at, r in enumerate(rewrites)
               if name in r["kernel"].split(", ")]
        # A site of a function that several kernels call counts once.
        declined = collections.Counter(
            r["rewrite"] + ": " + r["reason"].removeprefix("declined: ")
            for at, r in own
            if r["reason"].startswith("declined: ") and at not in counted)
        counted |= {at for at, _ in own}
        own = [r for _, r in own]
        target = kernel["targets"][0]
        if target["problem"]:
            out[name] = {"cause": "failed", "stderr": target["problem"]}
            continue
        entry = {"before": figures(target["before"]),
                 "after": figures(target["after"]),
                 "kept": sorted({r["rewrite"] for r in own if r["applied"]}),
                 "declined": declined}
        if not gained(entry):
            entry["cause"] = why_not(name, own)
        out[name] = entry
    return out


def gained(entry):
    return ("before" in entry
            and entry["after"]["waves"] > entry["before"]["waves"])


def ratio(before, after):
    change = f"{100 * (after - before) / before:+.2f} %" if before else "0"
    return f"{before:.0f} -> {after:.0f} ({change})"


def report_figure(name, measured):
    """One of the FIGURES over MEASURED, pairs of a kernel's name and entry."""
    moves = [(e["before"][name] or 0, e["after"][name] or 0, kernel)
             for kernel, e in measured]
    affected = [m for m in moves if m[0] != m[1]]
    sign = -1 if name in MORE_IS_BETTER else 1
    hurt = [m for m in affected if sign * (m[1] - m[0]) > 0]
    print(f"  total {name}: "
          f"{ratio(sum(m[0] for m in moves), sum(m[1] for m in moves))}")
    print(f"    in affected: "
          f"{ratio(sum(m[0] for m in affected), sum(m[1] for m in affected))}"
          f"; helped: {len(affected) - len(hurt)}; HURT: {len(hurt)}")
    hurt.sort(key=lambda m: -sign * (m[1] - m[0]) / max(1, m[0]))
    for before, after, kernel in hurt[:WORST]:
        print(f"      HURT: {kernel}: {ratio(before, after)}")


def counts(title, of, most=None):
    for name, count in sorted(of.items(), key=lambda c: (-c[1], c[0]))[:most]:
        print(f"  {title}: {name}: {count}")


def summary(results):
    """RESULTS, by guard and path, in figures."""
    for guard, files in results.items():
        named = [(path + ": " + kernel, e) for path, file in files.items()
                 for kernel, e in file["kernels"].items()]
        found = [e for _, e in named]
        wins = [e for e in found if gained(e)]
        print(f"--max-slowdown={guard}: {len(wins)} of {len(found)} kernels of "
              f"{len(files)} files gain a wave "
              f"({100 * len(wins) / max(1, len(found)):.1f} %), in "
              f"{sum(f['took'][0] for f in files.values()):.0f} s, "
              f"{sum(f['took'][1] for f in files.values()):.0f} s of CPU time")
        measured = [(kernel, e) for kernel, e in named if "before" in e]
        for name in FIGURES:
            report_figure(name, measured)
        counts("kept where a wave is gained",
               collections.Counter(k for e in wins for k in e["kept"]))
        counts("no gain because",
               collections.Counter(e["cause"] for e in found if "cause" in e))
        declined = collections.Counter()
        for e in found:
            declined.update(e.get("declined", {}))
        counts("sites declined", declined, MOST_REASONS)


def compare(before, after):
    """The kernels that gain in one run alone, under the same guard."""
    for guard in after.keys() & before.keys():
        for title, ours, others in (
                ("gain now", after[guard], before[guard]),
                ("gained before", before[guard], after[guard])):
            for path, file in sorted(ours.items()):
                for name, entry in file["kernels"].items():
                    other = others.get(path, {"kernels": {}})["kernels"]
                    if (name in other and gained(entry)
                            and not gained(other[name])):
                        print(f"  {title}: {path}: {name}: "
                              f"{entry['before']['waves']} -> "
                              f"{entry['after']['waves']}")
