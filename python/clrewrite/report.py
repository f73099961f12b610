"""The document that `clrewrite --format=json` prints, as values.

docs/report.schema.json describes each field; the names here are its names. A field that the
document leaves out, or that is null, is None, or empty where it is a list. Fields that this
package does not know are left alone, since new ones come without a new number of the schema
(docs/versioning.md)."""
import dataclasses
import json
import typing
from dataclasses import dataclass
from typing import Any, Dict, Iterator, Optional, Tuple

#: The number of the schema that this package reads.
SCHEMA = 1


class ReportError(ValueError):
    """What was read is no report, or one of another schema; the message says where."""


@dataclass(frozen=True)
class EstimateParts:
    """What the estimate is made of, in cycles of one SIMD for one wave: the units',
    the latency over the resident waves, the bandwidth, the time to begin work-groups; and the
    bytes that the wave touches."""
    valu: float
    salu: float
    vmem: float
    lds: float
    special: float
    fma: float
    doubles: float
    latency: float
    bandwidth: float
    dispatch: float
    bytes: float


@dataclass(frozen=True)
class Usage:
    """What a kernel needs on a target. None stands for unknown."""
    vgprs: Optional[int] = None
    agprs: Optional[int] = None
    sgprs: Optional[int] = None
    vgprs_allocated: Optional[int] = None
    sgprs_allocated: Optional[int] = None
    wave_size: Optional[int] = None
    work_group_min: Optional[int] = None
    work_group_max: Optional[int] = None
    vgpr_spills: Optional[int] = None
    sgpr_spills: Optional[int] = None
    scratch_bytes: Optional[int] = None
    lds_bytes: Optional[int] = None
    occupancy: Optional[int] = None
    occupancy_max: Optional[int] = None
    limiter: Optional[str] = None
    vgprs_to_next_step: Optional[int] = None
    instructions: Optional[int] = None
    code_bytes: Optional[int] = None
    stack_entries: Optional[int] = None
    est_cycles: Optional[float] = None
    est_bound: Optional[str] = None
    est_parts: Optional[EstimateParts] = None
    est_from: Optional[str] = None
    est_why: Optional[str] = None
    est_launch: Optional[Tuple[int, ...]] = None
    est_waves: Optional[int] = None
    est_assumed: Optional[float] = None


@dataclass(frozen=True)
class Time:
    """Two versions of a kernel, timed in turns on a device; nanoseconds."""
    before_ns: float
    after_ns: float
    ratio: float
    ratio_low: float
    ratio_high: float


@dataclass(frozen=True)
class LiveAtLine:
    line: int
    live: int


@dataclass(frozen=True)
class Pressure:
    """Vector registers that are alive at once, at most (clrewrite --pressure)."""
    boundary: int
    source_order: int
    scheduled: int
    allocated: int
    lines: Tuple[LiveAtLine, ...] = ()
    worst_line: Optional[int] = None


@dataclass(frozen=True)
class Curve:
    """Waves against one thing that a kernel takes, the rest as the result has it."""
    axis: str
    first: int
    last: int
    steps: Tuple[Tuple[int, ...], ...]
    cap: int
    at: int
    waves: int
    verdict: str

    def waves_at(self, value: int) -> int:
        """Waves where the kernel takes so much, from first to last."""
        if not self.first <= value <= self.last:
            raise ValueError(f"{self.axis} is {self.first} to {self.last}, not {value}")
        return min(self.cap, [n for start, n in self.steps if start <= value][-1])


@dataclass(frozen=True)
class Curves:
    max: int
    unit: str
    curves: Tuple[Curve, ...] = ()


@dataclass(frozen=True)
class Target:
    """A kernel on a target."""
    target: str
    before: Usage
    after: Usage
    problem: Optional[str] = None
    live_vgprs: Optional[Pressure] = None
    occupancy_curves: Optional[Curves] = None
    time: Optional[Time] = None
    time_problem: Optional[str] = None


@dataclass(frozen=True)
class Coverage:
    """Which branches of a kernel the rounds took. Lines are ranges, the last one included."""
    unknown: Optional[str] = None
    branches: int = 0
    not_looked_at: int = 0
    not_reached: Tuple[Tuple[int, ...], ...] = ()
    reached_in_part: Tuple[int, ...] = ()
    never_false: Tuple[int, ...] = ()
    looked_at_rounds: Optional[Tuple[int, ...]] = None


@dataclass(frozen=True)
class Verification:
    """The verdict is same, within-spread (no further apart than the original's
    own runs), different or unknown."""
    verdict: str
    evidence: str
    proved: Optional[bool] = None
    coverage: Optional[Coverage] = None


@dataclass(frozen=True)
class Kernel:
    name: str
    line: int
    targets: Tuple[Target, ...] = ()
    verification: Optional[Verification] = None


@dataclass(frozen=True)
class Delta:
    """A kernel on a target without an edit and with it."""
    kernel: str
    target: str
    before: Usage
    after: Usage
    time: Optional[Time] = None


@dataclass(frozen=True)
class Launch:
    """What the host must do otherwise when it launches the kernel."""
    factors: Optional[Tuple[int, ...]] = None
    local: Optional[Tuple[int, ...]] = None
    round_up: bool = False


@dataclass(frozen=True)
class Rewrite:
    """A site: an edit that is part of the result, or one that was left, and why."""
    rewrite: str
    kernel: str
    line: int
    applied: bool
    reason: str
    alternative: Optional[str] = None
    safety: Optional[str] = None
    offset: Optional[int] = None
    note: Optional[str] = None
    ulps: Optional[int] = None
    launch: Optional[Launch] = None
    for_targets: Tuple[str, ...] = ()
    deltas: Tuple[Delta, ...] = ()


@dataclass(frozen=True)
class BuildOption:
    target: str
    option: str
    safety: str
    kept: bool
    reason: str
    verification: Optional[Verification] = None
    deltas: Tuple[Delta, ...] = ()


@dataclass(frozen=True)
class CompilerError:
    path: str
    message: str
    line: Optional[int] = None
    column: Optional[int] = None


@dataclass(frozen=True)
class Warning:
    line: int
    message: str
    kernel: Optional[str] = None


@dataclass(frozen=True)
class Advice:
    name: str
    function: str
    line: int
    offset: int
    message: str
    kernels: Tuple[str, ...] = ()


@dataclass(frozen=True)
class File:
    path: str
    kernels: Tuple[Kernel, ...]
    rewrites: Tuple[Rewrite, ...]
    warnings: Tuple[Warning, ...]
    problem: Optional[str] = None
    errors: Tuple[CompilerError, ...] = ()
    written: Optional[bool] = None
    milliseconds: Optional[int] = None
    place: Optional[int] = None
    advice: Tuple[Advice, ...] = ()
    sandbox: Optional[str] = None
    unseen: Tuple[str, ...] = ()
    build_options: Tuple[BuildOption, ...] = ()
    skipped: Tuple[Tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class Compared:
    """A kernel on a target, in a baseline and now."""
    path: str
    line: int
    kernel: str
    target: str
    state: str
    text: str
    before: Optional[Usage] = None
    after: Optional[Usage] = None


@dataclass(frozen=True)
class Worst:
    path: str
    kernel: str
    target: str
    difference: float


@dataclass(frozen=True)
class Sum:
    """A figure over all kernels and targets that a baseline and this run have."""
    figure: str
    before: float
    after: float
    affected_before: float
    affected_after: float
    helped: int
    hurt: int
    worst: Tuple[Worst, ...] = ()


@dataclass(frozen=True)
class Baseline:
    path: str
    regressions: int
    kernels: Tuple[Compared, ...]
    sums: Tuple[Sum, ...]
    not_compared: Optional[int] = None
    written: Optional[bool] = None
    note: Optional[str] = None
    diff: Optional[str] = None


@dataclass(frozen=True)
class Shard:
    number: int
    of: int
    run: str


@dataclass(frozen=True)
class Report:
    schema: int
    files: Tuple[File, ...]
    baseline: Optional[Baseline] = None
    shard: Optional[Shard] = None

    def targets(self) -> Iterator[Tuple[File, Kernel, Target]]:
        """Each kernel on each target."""
        for file in self.files:
            for kernel in file.kernels:
                for target in kernel.targets:
                    yield file, kernel, target

    def figures(self) -> Iterator[Dict[str, Any]]:
        """A row for each kernel and target: path, kernel, line, target, each field of
        Usage as NAME_before and NAME_after, and speedup where it was timed."""
        for file, kernel, target in self.targets():
            row = {"path": file.path, "kernel": kernel.name, "line": kernel.line,
                   "target": target.target}
            for field in dataclasses.fields(Usage):
                row[field.name + "_before"] = getattr(target.before, field.name)
                row[field.name + "_after"] = getattr(target.after, field.name)
            row["speedup"] = target.time.ratio if target.time else None
            yield row

    def edits(self) -> Iterator[Dict[str, Any]]:
        """A row for each site: path, and the fields of Rewrite but for launch and
        deltas."""
        for file in self.files:
            for rewrite in file.rewrites:
                row = {"path": file.path}
                for field in dataclasses.fields(Rewrite):
                    if field.name not in ("launch", "deltas"):
                        row[field.name] = getattr(rewrite, field.name)
                yield row


def value_of(kind, value, where):
    """A value of JSON as one of a type of this module; raises ReportError."""
    arguments = typing.get_args(kind)
    if typing.get_origin(kind) is typing.Union:  # Optional
        return None if value is None else value_of(arguments[0], value, where)
    if typing.get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise ReportError(f"{where}: a list is expected, not {value!r:.40}")
        return tuple(value_of(arguments[0], each, f"{where}[{i}]")
                     for i, each in enumerate(value))
    if dataclasses.is_dataclass(kind):
        if not isinstance(value, dict):
            raise ReportError(f"{where}: an object is expected, not {value!r:.40}")
        found = {}
        for field in dataclasses.fields(kind):
            if field.name in value:
                found[field.name] = value_of(field.type, value[field.name],
                                             f"{where}.{field.name}")
            elif field.default is dataclasses.MISSING:
                raise ReportError(f"{where}: there is no {field.name}")
        return kind(**found)
    if kind is float and type(value) is int:
        return float(value)
    # To Python a bool is an int.
    if type(value) is not kind:
        raise ReportError(f"{where}: {kind.__name__} is expected, not {value!r:.40}")
    return value


def parse(text: typing.Union[str, bytes]) -> Report:
    """The report that a text of JSON is. Raises ReportError where it is none."""
    try:
        document = json.loads(text)
    except ValueError as error:
        raise ReportError(f"this is no JSON: {error}") from None
    if not isinstance(document, dict) or "schema" not in document:
        raise ReportError("this is no report: clrewrite --format=json writes one")
    if document["schema"] != SCHEMA:
        raise ReportError(f"the report has schema {document['schema']!r}, and this package "
                          f"reads {SCHEMA}: use the package of the clrewrite that wrote it")
    return value_of(Report, document, "report")


def read(path) -> Report:
    """The report in a file. Raises OSError and ReportError."""
    with open(path, "rb") as file:
        return parse(file.read())
