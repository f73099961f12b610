"""slurm.py FOLDER COMMAND...: a Slurm of its own for the command: munged, slurmctld and
two nodes, all on this machine, by the user who runs this and with everything in FOLDER.
The command finds Slurm by SLURM_CONF. What it does to it goes through files in FOLDER:
`echo NAME SIGNAL > FOLDER/kill` ends a daemon, and `echo NAME > FOLDER/start` starts it
again; each is gone when that is done. The daemons' names are munged, slurmctld, n1, n2.
Ends with the exit code of the command, and with none of the daemons left."""
import ctypes
import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

folder = os.path.abspath(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
for name in ("munge", "state", "n1", "n2"):
    os.makedirs(os.path.join(folder, name), mode=0o700)
at = lambda name: os.path.join(folder, name)
nodes = ("n1", "n2")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


control, *node_ports = free_ports(3)
# A socket's path may have 107 bytes: the folder's may be longer.
runtime = os.path.join("/tmp", f"clrewrite-munge-{os.getpid()}")
for name in nodes:  # slurmstepd has a socket there, too
    os.makedirs(os.path.join(runtime, name), mode=0o755)
munge_socket = os.path.join(runtime, "socket")
with open(at("munge/key"), "wb") as f:
    f.write(os.urandom(1024))
os.chmod(at("munge/key"), 0o600)
user, host = getpass.getuser(), socket.gethostname()
with open(at("slurm.conf"), "w", encoding="utf-8") as f:
    f.write(f"""ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
AuthType=auth/munge
AuthInfo=socket={munge_socket}
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={at('state')}
SlurmdSpoolDir={os.path.join(runtime, '%n')}
SlurmctldPidFile={at('slurmctld.pid')}
SlurmdPidFile={at('%n.pid')}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=6
MessageTimeout=3
MinJobAge=5
SchedulerParameters=sched_interval=2,batch_sched_delay=0
MailProg=/bin/true
""")
    for name, port in zip(nodes, node_ports):
        f.write(f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} "
                "CPUs=2 State=UNKNOWN\n")
    f.write("PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n")
environment = {**os.environ, "SLURM_CONF": at("slurm.conf"),
               "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
commands = {"munged": ["munged", "--foreground", "--force", f"--socket={munge_socket}",
                       f"--key-file={at('munge/key')}", f"--pid-file={at('munge/pid')}",
                       f"--seed-file={at('munge/seed')}", "--num-threads=2",
                       f"--log-file={at('munge/log')}"],
            "slurmctld": ["slurmctld", "-D", "-f", at("slurm.conf")],
            **{name: ["slurmd", "-D", "-N", name, "-f", at("slurm.conf")]
               for name in nodes}}
daemons = {}


def end_with_this():
    """A daemon ends where this program does, even if that is killed."""
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def start(name):
    log = open(at(name + ".log"), "ab")
    daemons[name] = subprocess.Popen(commands[name], env=environment, stdout=log,
                                     stderr=log, stdin=subprocess.DEVNULL,
                                     preexec_fn=end_with_this)


def said(name):
    """The words of the file, which is then gone; none where it is not there."""
    try:
        with open(at(name), encoding="utf-8") as f:
            words = f.read().split()
    except FileNotFoundError:
        return []
    if words:
        os.unlink(at(name))
    return words


def serve():
    if words := said("kill"):
        name, which = words
        daemons[name].send_signal(getattr(signal, which))
        daemons[name].wait()
    for name in said("start"):
        start(name)


def idle():
    shown = subprocess.run(["sinfo", "-h", "-o", "%T %D"], env=environment,
                           capture_output=True, text=True)
    return shown.stdout.strip() == "idle 2"


code = 1
try:
    start("munged")
    while not os.path.exists(munge_socket):
        time.sleep(0.1)
    for each in ("slurmctld", *nodes):
        start(each)
    end = time.time() + 60
    while not idle():
        if time.time() > end:
            sys.exit(f"slurm.py: Slurm did not start; its logs are in {folder}")
        time.sleep(0.2)
    command = subprocess.Popen(sys.argv[2:], env=environment)
    while command.poll() is None:
        serve()
        time.sleep(0.1)
    code = command.returncode
finally:
    for each in reversed(list(daemons.values())):
        each.terminate()
    for each in daemons.values():
        try:
            each.wait(10)
        except subprocess.TimeoutExpired:
            each.kill()
    shutil.rmtree(runtime, ignore_errors=True)
sys.exit(code)
