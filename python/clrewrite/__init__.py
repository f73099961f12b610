"""clrewrite for Python: runs the program and reads its reports.

    import clrewrite
    report = clrewrite.run("--target=gfx906", "src/")
    for file, kernel, target in report.targets():
        print(kernel.name, target.target, target.before.vgprs, target.after.vgprs)

figures_frame and edits_frame need pandas, draw_curves needs matplotlib, and all else Python
alone."""
from .drawing import draw_curves
from .program import find, run
from .report import SCHEMA, Report, ReportError, parse, read
from .tables import edits_frame, figures_frame

__all__ = ["SCHEMA", "Report", "ReportError", "draw_curves", "edits_frame",
           "figures_frame", "find", "parse", "read", "run"]
