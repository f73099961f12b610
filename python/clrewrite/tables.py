"""Reports as pandas frames. pandas is needed for nothing else."""


def _pandas():
    try:
        import pandas
    except ImportError:
        raise ImportError("frames need pandas: pip install 'clrewrite[pandas]'") from None
    return pandas


def figures_frame(report):
    """A pandas frame of Report.figures(): a row for each kernel and target. Counts that
    may be unknown have the type Int64."""
    return _pandas().DataFrame(list(report.figures())).convert_dtypes()


def edits_frame(report):
    """A pandas frame of Report.edits(): a row for each site."""
    return _pandas().DataFrame(list(report.edits())).convert_dtypes()
