"""Programs run with a plan, for the cases of drive.py."""
import json
import re

from watched import OPTIONS, Events, Skip, clrewrite, host


def int_bytes(n):
    """An int in memory order, in hex."""
    return n.to_bytes(4, "little").hex()


def programs_of(folder, *words, **more):
    """A plan's programs for those that the host builds from source: each with a
    text of the same meaning."""
    host(*words, capture=folder, **more)
    e = Events(folder)
    devices = {d["id"]: d for d in e.all("device")}
    found = []
    for build in e.all("build", step="build", result=0):
        (program,) = e.all("program", id=build["program"])
        if program["kind"] != "source":
            continue
        text = e.text(program).decode()
        names = {k["name"] for k in e.all("kernel", build=build["id"])}
        for device in {d["id"]: d for d in (devices[r["device"]]
                                            for r in build["results"])}.values():
            found.append({
                "hash": program["hash"], "options": build["options"],
                "device": device["name"], "driver": device["driver"],
                "text": text + "\n// planned\n", "build": build["options"],
                "kernels": [{"name": n} for n in sorted(names)]})
    return found


def write(folder, programs):
    path = folder / "plan.json"
    path.write_text(json.dumps({"version": 1, "programs": programs}))
    return path


def planned(path, *words, **more):
    """The host under the plan."""
    env = {"OPENCL_LAYERS": OPTIONS.layer, "CLREWRITE_PLAN": str(path)}
    return host(*words, env={**env, **more.pop("env", {})}, **more)


def taken(done):
    """By kernel: how many launches took the plan and how many did not."""
    return {m[1]: (int(m[2]), int(m[3])) for m in re.finditer(
        r"^clrewrite: kernel (\w+): (\d+) launch(?:es)? took the plan, (\d+) did"
        r" not", done.stderr, re.M)}


def mark_plan(folder):
    """The plan that the host program `planned` is made for."""
    programs = [p for p in programs_of(folder / "c", "planned")
                if p["options"] == ""]
    (plan,) = programs
    plan["text"] = """
kernel void four(global int *p, int n) {
  for (int k = 0; k < 4; ++k)
    p[get_global_id(0) * 4 + k] = n + 4000 * (get_local_size(0) == 2);
}
kernel void one(global int *p, int n) { p[get_global_id(0)] = n + 1000; }
"""
    plan["kernels"] = [
        {"name": "mark", "as": "four",
         "launch": {"divide": [4], "local": [2]},
         "when": {"arguments": [{"index": 1, "hex": int_bytes(7)}],
                  "local": None}},
        {"name": "mark", "as": "one", "when": {"multiple": [16], "local": [16]}}]
    return plan


# What the host program's lines "by" must say with that plan.
BY = """seven: 4
eight: 0
odd: 0
small: 0
least: 4
sixteen: 1
sixteen eight: 1
other local: 0
offset: 0
no offset: 4
offset sixteen: 1
plane: 4
plane sixteen: 1
set: 4
after: 4
event: 4
asked: 4
retained: 4
second: 0
second: 4
first: 4
clone: 4
without program: 4
mark: 4
other: 0
other options: 0
options again: 4
still: 4
before: 4
part: 4
svm: 4
task: 0
"""


def plan_conditions(folder):
    """Launches take the plan where its conditions hold, and nowhere else; of all
    else the host sees what it saw."""
    without = host("planned")
    path = write(folder, [mark_plan(folder)])

    def split(done):
        lines = done.stdout.splitlines()
        return ([l for l in lines if not l.startswith("by ")],
                [l[3:] for l in lines if l.startswith("by ")])

    want = [l for l in BY.splitlines()
            if not l.startswith("svm") or "by svm: 0" in without.stdout]
    if "clone: 0" not in without.stdout:
        want.remove("clone: 4")
    assert {l.split()[-1] for l in split(without)[1]} == {"0"}
    # With a capture above the plan, too.
    for env in ({}, {"CLREWRITE_CAPTURE": str(folder / "above")}):
        done = planned(path, "planned", env=env)
        others, by = split(done)
        assert others == split(without)[0], done.stdout
        assert by == want, (by, done.stderr)
        assert "contexts gone: 1" in done.stdout
    e = Events(folder / "above")
    (line,) = e.all("plan")
    took, others = taken(done)["mark"]
    assert (line["kernel"], line["took"], line["others"]) == ("mark", took, others)
    for why in ("an argument had another value", "the local size was another",
                "the global size was no multiple", "there was a global offset"):
        assert why in done.stderr, done.stderr
    assert done.stderr.count("is for the build options '', not for '-DAGAIN'") == 1


# Who writes under a plan that wants the buffers apart; 1 is the plan's kernel.
APART = """two buffers: 1
one buffer: 0
one argument changed: 1
its halves: 1
part and middle: 0
middle and part: 0
part and whole: 0
whole and part: 0
part and other: 1
host's and own: 1
host's twice: 0
host's halves: 1
retained: 1
""" + 4 * "made again: 1\nagain with itself: 0\n" + """clone with itself: 0
clone: 1
after the clone: 0
shared virtual memory: 0
and back: 1
"""


def plan_apart(folder):
    """A kernel that wants its buffers apart is launched where they are, as far as
    the layer knows of both."""
    (plan,) = programs_of(folder / "c", "apart")
    plan["text"] = ("kernel void gather(global int *restrict to, global int *restrict "
                    "of) { to[get_global_id(0)] = of[0] % 1000 + 1000; }")
    plan["kernels"] = [{"name": "gather", "when": {"apart": [[0, 1]]}}]
    without = host("apart").stdout
    done = planned(write(folder, [plan]), "apart")
    by = [l[3:] for l in done.stdout.splitlines() if l.startswith("by ")]
    asked = {l[3:].split(":")[0] for l in without.splitlines()
             if l.startswith("by ")}
    assert by == [l for l in APART.splitlines() if l.split(":")[0] in asked], by
    assert ([l for l in done.stdout.splitlines() if not l.startswith("by ")]
            == [l for l in without.splitlines() if not l.startswith("by ")])
    assert "since two buffers had bytes in common, or may have had" in done.stderr
    # An argument that there is not, and one with itself, are never apart.
    for pair in ([0, 9], [1, 1]):
        plan["kernels"][0]["when"]["apart"] = [[0, 1], pair]
        done = planned(write(folder, [plan]), "apart")
        assert done.stdout == without and taken(done)["gather"][0] == 0, done.stdout


def plan_unseen(folder):
    """Programs whose plan means the same can't tell that there is one."""
    host("calls")  # PoCL's binaries are of another size the first time
    for mode, kernels in (("calls", {"first"}), ("threads", {"add", "scale"}),
                          ("memory", {"add", "blend", "hidden", "shift"}),
                          ("programs", {"pieces"})):
        made = programs_of(folder / mode, mode)
        if mode == "programs":
            made = [p for p in made if "pieces" in p["text"]]
        without = host(mode)
        done = planned(write(folder, made), mode)
        assert done.stdout == without.stdout, (mode, done.stdout)
        counts = taken(done)
        assert set(counts) == kernels, (mode, done.stderr)
        assert all(own == 0 for took, own in counts.values()), done.stderr
    assert counts["pieces"][0] == 5, counts  # not the binary's launch


def plan_devices(folder):
    """Two devices, one of which the plan is for."""
    two = {"POCL_DEVICES": "basic pthread"}
    without = host("threads", env=two)
    if "2 devices" not in without.stdout:
        raise Skip("no way to have two devices")
    made = programs_of(folder / "c", "threads", env=two)
    names = sorted({p["device"] for p in made})
    if len(names) == 1:
        raise Skip("the two devices have one name")
    only = [p for p in made if p["device"] == names[0]]
    done = planned(write(folder, only[:1]), "threads", env=two)
    assert done.stdout == without.stdout
    took, others = taken(done)["add"]
    assert took and others and "the device was another" in done.stderr, done.stderr
    done = planned(write(folder, made), "threads", env=two)
    assert done.stdout == without.stdout
    assert taken(done)["add"][1] == 0, done.stderr


def idle_plan(folder, mode):
    """A plan for the kernel k that the host has the idle driver launch."""
    host(mode, OPTIONS.layer, capture=folder / "c")
    (program,) = Events(folder / "c").all("program")
    return write(folder, [{
        "hash": program["hash"], "options": "", "device": "idle",
        "driver": "idle", "text": "", "build": "", "kernels": [{"name": "k"}]}])


def plan_extension(folder):
    """Arguments may be set by functions that no layer sees: then no plan."""
    path = idle_plan(folder, "extension")
    done = host("extension", OPTIONS.layer, env={"CLREWRITE_PLAN": str(path)})
    assert taken(done) == {"k": (3, 1)}, done.stderr
    assert done.stderr.count("clSetKernelArgMemPointerINTEL") == 1, done.stderr


def plan_accepted(folder):
    """A local size beyond what the driver tells, which it takes of the own kernel
    all the same, is one for the plan from then on."""
    path = idle_plan(folder, "accepted")
    done = host("accepted", OPTIONS.layer, env={"CLREWRITE_PLAN": str(path)})
    # 2048 own, then twice the plan; 4096 own; 1024 is within the limits.
    assert taken(done) == {"k": (3, 2)}, done.stderr
    assert "2 since the local size did not fit" in done.stderr, done.stderr


def plan_misfits(folder):
    """A plan that does not fit is not used, and that is told once."""
    good = mark_plan(folder)
    without = host("planned").stdout

    def own(why, **change):
        done = planned(write(folder, [{**good, **change}]), "planned")
        assert done.stdout == without, (why, done.stdout)
        lines = [l for l in done.stderr.splitlines() if why in l]
        assert len(lines) == 1, (why, done.stderr)
        assert not any(took for took, _ in taken(done).values()), done.stderr

    own("it is for the device Nothing", device="Nothing")
    own("it is for version 0 of the driver", driver="0")
    own("it is for the build options '-DOTHER', not for ''", options="-DOTHER")
    own("no program of that text was made from source", hash="0" * 32)
    own("its text does not build (-11)", text="kernel void four(")
    own("its text has no kernel five", kernels=[{"name": "mark", "as": "five"}])
    own("its text has no kernel four with as many arguments as mark",
        text="kernel void four(global int *p) {}",
        kernels=[{"name": "mark", "as": "four"}])
    # An argument of another size, and a kernel that can't be launched so.
    own("since the driver refused an argument of the planned kernel",
        text="kernel void mark(global int *p, long n) { *p = 1; }",
        kernels=[{"name": "mark"}])
    own("since the driver refused to launch the planned kernel",
        text="kernel __attribute__((reqd_work_group_size(3, 1, 1)))\n"
             "void mark(global int *p, int n) { *p = 1; }",
        kernels=[{"name": "mark"}])


def plan_stays_within_limits(folder):
    """What the driver refuses of a program's own kernel is not launched by a
    kernel of the plan that could be."""
    good = mark_plan(folder)
    without = host("planned").stdout
    wide = {**good, "kernels": [{"name": "mark", "as": "one",
                                 "launch": {"local": [1]}}]}
    done = planned(write(folder, [wide]), "planned")
    errors = [l for l in without.splitlines() if l.startswith("error ")]
    assert errors == [l for l in done.stdout.splitlines()
                      if l.startswith("error ")], done.stdout
    assert taken(done)["mark"][0], done.stderr


def plan_linked(folder):
    """A program that is compiled, and linked alone and without options, takes the
    plan; one with headers, other parts or options of the linker keeps its own
    kernels."""
    host("linked", capture=folder / "c")
    e = Events(folder / "c")
    (device,) = e.all("device")
    found = []
    for build in e.all("build", step="compile"):
        (program,) = e.all("program", id=build["program"])
        found.append({"hash": program["hash"], "options": build["options"],
                      "device": device["name"], "driver": device["driver"],
                      "text": e.text(program).decode(),
                      "build": build["options"], "kernels": []})
    (linked,) = [p for p in found if "linked" in p["text"]]
    linked["kernels"] = [{"name": "linked"}]
    (helper,) = [p for p in found if "int helper(int n) {" in p["text"]]
    helper["kernels"] = [{"name": "helper"}]
    (alone,) = [p for p in found if "alone" in p["text"]]
    alone.update(text="kernel void alone(global int *p) { *p = *p + 6; }",
                 build="", kernels=[{"name": "alone"}])
    done = planned(write(folder, [linked, helper, alone]), "linked")
    assert done.stdout == host("linked").stdout
    assert done.stdout.count("alone 7") == 2, done.stdout
    for why in ("the host gives it headers", "it is linked with other programs",
                "it is linked with the options '-create-library'"):
        assert why in done.stderr, done.stderr
    assert taken(done)["alone"] == (1, 0), done.stderr
    assert taken(done).get("linked", (0, 0))[0] == 0, done.stderr
    # It was compiled with other options.
    alone["options"] = "-DSIX=7"
    done = planned(write(folder, [alone]), "linked")
    assert "for the build options '-DSIX=7', not for '" in done.stderr
    assert not taken(done), done.stderr


def plan_run(folder):
    """clrewrite run, and plans that can't be read."""
    path = write(folder, [mark_plan(folder)])
    done = clrewrite("run", "--plan", path, "--", OPTIONS.host, "planned")
    assert "by seven: 4" in done.stdout and taken(done)["mark"][0]
    assert clrewrite("run", f"--plan={path}", "--", "sh", "-c", "exit 3",
                     expect=3).stdout == ""
    clrewrite("run", "--plan", path, "--", "/no/such/program", expect=127)
    clrewrite("run", "--plan", path, expect=125)
    clrewrite("run", "--", "true", expect=125)
    bad = folder / "bad.json"
    bad.write_text('{"version": 1, "programs": [{}]}')
    done = clrewrite("run", "--plan", bad, "--", "true", expect=125)
    assert "programs[0].hash: must be a text" in done.stderr, done.stderr
    # The layer by itself: the program runs on, with its own kernels.
    for wrong in (bad, folder / "none.json"):
        done = planned(wrong, "planned")
        assert "by seven: 0" in done.stdout
        assert done.stderr.count("no plan is used") == 1, done.stderr
