"""Occupancy curves, drawn by matplotlib, which is needed for nothing else."""

LABELS = {"vgprs": "VGPRs", "sgprs": "SGPRs a wave", "lds_bytes": "LDS a work-group, bytes",
          "group_size": "work-items a work-group"}


def draw_curves(report, kernel=None, target=None):
    """A matplotlib figure with a row for each kernel and target (of this kernel, on this
    target), and a chart for each thing that may limit its waves: the steps that this alone
    allows, what the rest of the kernel allows, and the kernel before its edits and after.
    The report is one of clrewrite --explain-occupancy --format=json. Raises ValueError
    where it has no curves of such kernels."""
    try:
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator
    except ImportError:
        raise ImportError(
            "curves need matplotlib: pip install 'clrewrite[matplotlib]'") from None
    rows = [(k, t) for _, k, t in report.targets()
            if kernel in (None, k.name) and target in (None, t.target)
            and t.occupancy_curves and t.occupancy_curves.curves]
    if not rows:
        raise ValueError("the report has no occupancy curves of such kernels: clrewrite "
                         "writes them with --explain-occupancy --format=json")
    columns = max(len(t.occupancy_curves.curves) for _, t in rows)
    figure = Figure(figsize=(3.4 * columns, 2.6 * len(rows)), layout="constrained")
    grid = figure.subplots(len(rows), columns, squeeze=False)
    for axes, (k, t) in zip(grid, rows):
        curves = t.occupancy_curves
        for chart in axes[len(curves.curves):]:
            chart.set_axis_off()
        for chart, curve in zip(axes, curves.curves):
            starts = [start for start, _ in curve.steps]
            waves = [n for _, n in curve.steps]
            chart.step([*starts, curve.last], [*waves, waves[-1]], where="post",
                       label="this alone")
            chart.axhline(curve.cap, linestyle="--", linewidth=1, color="grey",
                          label="the rest of the kernel")
            before = getattr(t.before, curve.axis, None)
            if before is not None and before != curve.at and t.before.occupancy is not None:
                chart.plot(before, t.before.occupancy, "o", fillstyle="none", color="C1",
                           label="before")
            chart.plot(curve.at, curve.waves, "o", color="C1", label="after")
            chart.set_ylim(0, curves.max * 1.1)
            chart.yaxis.set_major_locator(MaxNLocator(integer=True))
            chart.set_xlabel(LABELS.get(curve.axis, curve.axis))
            chart.set_title(curve.verdict, fontsize="small")
        axes[0].set_ylabel(f"{k.name}, {t.target}\n{curves.unit}")
    grid[0][0].legend(fontsize="x-small")
    return figure
