"""report_test.py SCHEMA REPORT.json: the package clrewrite on what the program prints.
PYTHONPATH has the package, PATH the program."""
import copy
import dataclasses
import json
import sys
import typing
import unittest

import clrewrite
from clrewrite import report as values

SCHEMA_FILE, REPORT_FILE = sys.argv[1:3]
try:
    import pandas
except ImportError:
    pandas = None
try:
    import matplotlib
except ImportError:
    matplotlib = None


def document():
    with open(REPORT_FILE, encoding="utf-8") as file:
        return json.load(file)


def plain(figures):
    """As JSON has them, which knows no tuples."""
    return json.loads(json.dumps(dataclasses.asdict(figures)))


class Reading(unittest.TestCase):
    def test_what_the_program_prints(self):
        report = clrewrite.read(REPORT_FILE)
        given = document()
        self.assertEqual([f.path for f in report.files], [f["path"] for f in given["files"]])
        (file, kernel, target), = report.targets()
        expected = given["files"][0]["kernels"][0]["targets"][0]
        self.assertEqual(plain(target.before), expected["before"])
        self.assertEqual(plain(target.after), expected["after"])
        self.assertLess(target.after.vgprs, target.before.vgprs)
        applied, = [r for r in file.rewrites if r.applied]
        self.assertEqual(applied.rewrite, "serialise-vload")
        self.assertEqual(applied.deltas[0].after.occupancy, target.after.occupancy)

    def test_nothing_is_lost(self):
        """What the document has is what the values have, but for nulls and empty lists."""
        def some(value):
            if isinstance(value, dict):
                return {k: some(v) for k, v in value.items()
                        if v is not None and v != []}
            return [some(v) for v in value] if isinstance(value, (list, tuple)) else value

        def plain(value):
            return json.loads(json.dumps(value))
        report = clrewrite.read(REPORT_FILE)
        self.assertEqual(plain(some(plain(dataclasses.asdict(report)))),
                         plain(some(document())))

    def test_each_field_of_the_schema(self):
        with open(SCHEMA_FILE, encoding="utf-8") as file:
            schema = json.load(file)

        def inner(node):
            """The object that a node of the schema describes, or None."""
            if "$ref" in node:
                return inner(schema["$defs"][node["$ref"].split("/")[-1]])
            for each in node.get("oneOf", ()):
                if inner(each):
                    return inner(each)
            return inner(node["items"]) if "items" in node else \
                node if "properties" in node else None

        def of(kind):
            """The dataclass within Optional and Tuple, or None."""
            if dataclasses.is_dataclass(kind):
                return kind
            return next((of(a) for a in typing.get_args(kind) if of(a)), None)

        seen = set()

        def check(kind, node):
            if kind in seen:
                return
            seen.add(kind)
            fields = {f.name: f for f in dataclasses.fields(kind)}
            self.assertEqual(set(fields), set(node["properties"]), kind.__name__)
            for name, field in fields.items():
                below = inner(node["properties"][name])
                self.assertEqual(below is None, of(field.type) is None,
                                 f"{kind.__name__}.{name}")
                if below:
                    check(of(field.type), below)
        check(values.Report, schema)
        self.assertEqual(len(seen), sum(
            dataclasses.is_dataclass(v) for v in vars(values).values()))
        self.assertEqual(schema["properties"]["schema"]["const"], clrewrite.SCHEMA)

    def refused(self, text, message):
        with self.assertRaisesRegex(clrewrite.ReportError, message):
            clrewrite.parse(text)

    def test_what_is_no_report(self):
        self.refused("[", "no JSON")
        self.refused("{}", "clrewrite --format=json writes one")
        self.refused('{"schema": 2, "files": []}', "schema 2, and this package reads 1")
        self.refused('{"schema": 1}', "report: there is no files")
        wrong = document()
        wrong["files"][0]["kernels"][0]["targets"][0]["before"]["vgprs"] = "many"
        self.refused(json.dumps(wrong), r"report\.files\[0\]\.kernels\[0\]\.targets\[0\]"
                     r"\.before\.vgprs: int is expected, not 'many'")
        wrong["files"][0]["kernels"] = 3
        self.refused(json.dumps(wrong), r"kernels: a list is expected")

    def test_a_field_of_a_later_version_is_left_alone(self):
        later = copy.deepcopy(document())
        later["new"] = later["files"][0]["new"] = {"a": 1}
        self.assertEqual(clrewrite.parse(json.dumps(later)), clrewrite.read(REPORT_FILE))


class Curves(unittest.TestCase):
    def test_they_tell_the_same_as_the_figures(self):
        (_, _, target), = clrewrite.read(REPORT_FILE).targets()
        curves = target.occupancy_curves
        self.assertEqual(curves.max, target.after.occupancy_max)
        by_axis = {c.axis: c for c in curves.curves}
        vgprs = by_axis["vgprs"]
        self.assertEqual(vgprs.at, target.after.vgprs)
        self.assertEqual(vgprs.waves_at(vgprs.at), target.after.occupancy)
        self.assertEqual(vgprs.waves_at(target.before.vgprs), target.before.occupancy)
        self.assertEqual(vgprs.waves_at(
            target.before.vgprs - target.before.vgprs_to_next_step),
            target.before.occupancy + 1)
        with self.assertRaisesRegex(ValueError, "vgprs is "):
            vgprs.waves_at(vgprs.last + 1)

    @unittest.skipUnless(matplotlib, "there is no matplotlib")
    def test_drawn(self):
        report = clrewrite.read(REPORT_FILE)
        (_, kernel, target), = report.targets()
        figure = clrewrite.draw_curves(report, kernel.name, target.target)
        self.assertEqual(len(figure.axes), len(target.occupancy_curves.curves))
        chart = figure.axes[0]
        self.assertEqual(chart.get_xlabel(), "VGPRs")
        points = {line.get_label(): (line.get_xdata()[0], line.get_ydata()[0])
                  for line in chart.lines if line.get_label() in ("before", "after")}
        self.assertEqual(points, {
            "before": (target.before.vgprs, target.before.occupancy),
            "after": (target.after.vgprs, target.after.occupancy)})
        figure.canvas.draw()
        with self.assertRaisesRegex(ValueError, "--explain-occupancy --format=json"):
            clrewrite.draw_curves(report, "no such kernel")

    @unittest.skipIf(matplotlib, "there is matplotlib")
    def test_without_matplotlib(self):
        with self.assertRaisesRegex(ImportError, r"pip install 'clrewrite\[matplotlib\]'"):
            clrewrite.draw_curves(clrewrite.read(REPORT_FILE))


class Tables(unittest.TestCase):
    def test_rows(self):
        report = clrewrite.read(REPORT_FILE)
        (file, kernel, target), = report.targets()
        row, = report.figures()
        self.assertEqual((row["path"], row["kernel"], row["target"]),
                         (file.path, kernel.name, target.target))
        self.assertEqual((row["vgprs_before"], row["vgprs_after"], row["speedup"]),
                         (target.before.vgprs, target.after.vgprs, None))
        rows = list(report.edits())
        self.assertEqual(len(rows), len(file.rewrites))
        self.assertEqual([r["path"] for r in rows if r["applied"]], [file.path])

    @unittest.skipUnless(pandas, "there is no pandas")
    def test_frames(self):
        report = clrewrite.read(REPORT_FILE)
        frame = clrewrite.figures_frame(report)
        (_, _, target), = report.targets()
        saved = (frame.vgprs_before - frame.vgprs_after).tolist()
        self.assertEqual(saved, [target.before.vgprs - target.after.vgprs])
        self.assertEqual(str(frame.vgprs_before.dtype), "Int64")
        edits = clrewrite.edits_frame(report)
        self.assertEqual(edits[edits.applied].rewrite.tolist(), ["serialise-vload"])

    @unittest.skipIf(pandas, "there is pandas")
    def test_without_pandas(self):
        with self.assertRaisesRegex(ImportError, r"pip install 'clrewrite\[pandas\]'"):
            clrewrite.figures_frame(clrewrite.read(REPORT_FILE))


class Running(unittest.TestCase):
    def test_a_command(self):
        path, = [f.path for f in clrewrite.read(REPORT_FILE).files]
        report = clrewrite.run("measure", "--target=gfx600", path, "--", "-D", "N=1")
        (_, kernel, target), = report.targets()
        self.assertEqual((kernel.name, target.target), ("sum4", "gfx600"))

    def test_a_file_that_is_not_there(self):
        report = clrewrite.run("no-such-file.cl")
        self.assertIn("no such file", report.files[0].problem)

    def test_an_option_that_does_not_exist(self):
        with self.assertRaisesRegex(clrewrite.ReportError, "ended with 2: .*--no-such"):
            clrewrite.run("--no-such")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
