// clrewrite-device: does OpenCL jobs that come as JSON lines on stdin, and
// answers each with a JSON line on stdout. docs/device-protocol.md describes
// the jobs. It links the ICD loader only, so that it runs wherever an OpenCL
// driver does.
#include "Build.h"
#include "CopyJob.h"
#include "DeviceLock.h"
#include "Fill.h"
#include "Interpreter.h"
#include "Launch.h"
#include "Sandbox.h"
#include "process/Heap.h"
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <thread>
#include <unistd.h>

using namespace clrewrite::device;

namespace {

constexpr unsigned ProtocolVersion = 1;
/// For a device that another process keeps; less than a job's own limit.
constexpr std::chrono::seconds LongestWait(20);
constexpr char ProgramVersion[] = CLREWRITE_VERSION;

/// The state that lives from one job to the next.
struct Session {
  DeviceLock Lock; // opened before the sandbox closes
  Sandbox Held;
  bool Interpret = false, OnlyCompares = false;
  std::optional<std::vector<Device>> Devices;
  Programs Cache;
  KeptContents Kept;
  LaunchMemory Last;

  /// Asked for at the first job that needs a driver.
  std::vector<Device> &devices() {
    if (!Devices)
      Devices = findDevices(Interpret ? InterpreterPlatform : "");
    return *Devices;
  }
};

Result<Json> hello() {
  return Json{{"program", "clrewrite-device"},
              {"version", ProgramVersion},
              {"protocol", ProtocolVersion},
              {"jobs", {"hello", "devices", "build", "run", "copy"}},
              {"version_sizes", true},
              {"keeps", true}};
}

Result<Json> onDevice(Session &S, const std::string &Kind, Request &Job) {
  uint64_t Index = Job.count("device", 0, UINT32_MAX);
  if (Status Wrong = Job.problem())
    return *Wrong;
  std::vector<Device> &Devices = S.devices();
  if (Index >= Devices.size())
    return refused("NO_SUCH_DEVICE", "there is no device " +
                                         std::to_string(Index) + " among " +
                                         std::to_string(Devices.size()));
  Device &D = Devices[Index];
  bool Native = D.isCpu() && !S.Interpret;
  if (Native)
    S.Lock.close();
  if (Status Unheld = S.Held.closeFor(D.isCpu()))
    return *Unheld;
  if (Status Closed = D.open())
    return *Closed;
  if (Kind == "build")
    return runBuild(D, S.Cache, Job);
  if (S.OnlyCompares && (Kind == "copy" || Job.flag("time", false)))
    return refused("UNSUPPORTED",
                   "the program was started with --compare, and times nothing");
  auto Alone = [&, Number = D.number(Index)] {
    return S.Lock.take(Number, LongestWait);
  };
  return Kind == "copy" ? runCopy(D, S.Cache, Alone, Job)
                        : runLaunch(D, S.Cache, Alone, S.Kept, S.Last, Job);
}

Result<Json> doJob(Session &S, const Json &Object) {
  std::string Wrong;
  Request Job(Object, "", Wrong);
  std::string Kind = Job.text("job");
  // A job that hangs in a driver far away must not outlive its caller.
  ::alarm(unsigned(Job.count("limit_s", 0, 86400)));
  if (Status Bad = Job.problem())
    return *Bad;
  if (Kind == "hello")
    return hello();
  if (Kind == "devices")
    return Json{{"devices", describeDevices(S.devices(), S.Held)}};
  if (Kind == "build" || Kind == "run" || Kind == "copy")
    return onDevice(S, Kind, Job);
  return refused("UNKNOWN_JOB", "unknown job '" + Kind + "'");
}

Json errorJson(const Problem &P) {
  Json J = {{"where", P.Where},
            {"code", P.Code},
            {"name", P.Name},
            {"message", P.Message},
            {"log", P.Log}};
  if (P.Restart)
    J["restart"] = true;
  return J;
}

/// The answer to one line.
Json answer(Session &S, const std::string &Line) {
  Json Object = Json::parse(Line, nullptr, /*allow_exceptions=*/false);
  Json Answer = {{"v", ProtocolVersion}, {"id", nullptr}, {"ok", false}};
  if (!Object.is_object()) {
    Answer["error"] =
        errorJson(refused("BAD_JSON", "the line is not a JSON object"));
    return Answer;
  }
  if (Object.contains("id"))
    Answer["id"] = Object["id"];
  if (!Object.contains("v") || Object["v"] != ProtocolVersion) {
    Answer["error"] = errorJson(
        refused("UNSUPPORTED_VERSION", "this program speaks protocol version " +
                                           std::to_string(ProtocolVersion)));
    return Answer;
  }
  Result<Json> Outcome = doJob(S, Object);
  ::alarm(0);
  Answer["ok"] = bool(Outcome);
  if (!Outcome)
    Answer["error"] = errorJson(Outcome.problem());
  else
    for (auto &[Name, Value] : Outcome->items())
      Answer[Name] = std::move(Value);
  return Answer;
}

/// Ends the process when nobody can read its answers any more, e.g. because
/// the connection that started it is gone while a driver hangs.
void watchReader(int Out) {
  std::thread([Out] {
    pollfd Reader = {Out, 0, 0};
    while (::poll(&Reader, 1, -1) < 0 || !(Reader.revents & POLLERR)) {
    }
    ::_exit(3);
  }).detach();
}

int usage() {
  std::puts("clrewrite-device " CLREWRITE_VERSION "\n"
            "Does OpenCL jobs, one JSON object a line on stdin, and answers "
            "each with a\nJSON line on stdout, in a sandbox. For a first "
            "try:\n\n"
            "  echo '{\"v\":1,\"id\":1,\"job\":\"devices\"}' | "
            "clrewrite-device\n\n"
            "  --allow-native  run kernels of a CPU device even where no "
            "sandbox holds\n"
            "  --interpret     run kernels in oclgrind, which interprets them, "
            "and load no driver\n"
            "  --compare       time nothing, so that PoCL compiles a kernel "
            "once for all its\n                  launches\n"
            "  --read=DIR      builds may read headers in this folder; may be "
            "given again\n"
            "  --private=DIR   write this folder alone, which the caller "
            "removes (default: one\n                  of its own)\n"
            "  --keep          nobody removes the folder of --private");
  return 0;
}

/// What the words of the command line say; nothing where they ask for help, or
/// can't be understood.
std::optional<SandboxOptions> readWords(int Count, char **Words) {
  SandboxOptions Options;
  for (int I = 1; I < Count; ++I) {
    std::string Word = Words[I];
    if (Word == "--allow-native")
      Options.AllowNative = true;
    else if (Word == "--interpret")
      Options.Interpret = true;
    else if (Word == "--compare")
      Options.OnlyCompares = true;
    else if (Word == "--keep")
      Options.Keep = true;
    else if (Word.rfind("--read=", 0) == 0)
      Options.Read.push_back(Word.substr(7));
    else if (Word.rfind("--private=", 0) == 0)
      Options.Private = Word.substr(10);
    else
      return std::nullopt;
  }
  return Options;
}

} // namespace

int main(int Count, char **Words) {
  std::optional<SandboxOptions> Options = readWords(Count, Words);
  if (!Options)
    return usage();
  clrewrite::process::keepHeap();
  if (Options->Interpret && !useInterpreter()) {
    std::fputs("clrewrite-device: oclgrind is not installed\n", stderr);
    return 1;
  }
  // A driver that finds no folder of its own offers no device.
  std::error_code Error;
  if (!Options->Private.empty())
    std::filesystem::create_directories(Options->Private, Error);
  if (Error) {
    std::fprintf(stderr, "clrewrite-device: --private=%s: %s\n",
                 Options->Private.c_str(), Error.message().c_str());
    return 1;
  }
  Session S;
  S.Interpret = Options->Interpret;
  S.OnlyCompares = Options->OnlyCompares;
  S.Held = Sandbox::enter(*Options, S.Lock.file());
  // NVIDIA's driver leaves ptxas's lines out for what it finds in its cache.
  ::setenv("CUDA_CACHE_DISABLE", "1", /*overwrite=*/1);
  // PoCL compiles a kernel for each size of a work-group, for launches with an
  // offset and for large ones, unless it is told not to. What the user has set
  // stays.
  if (S.OnlyCompares)
    ::setenv("POCL_WORK_GROUP_SPECIALIZATION", "0", /*overwrite=*/0);
  ::signal(SIGPIPE, SIG_IGN);

  // Drivers and kernels print to stdout: answers go to a descriptor of their
  // own, and what is printed goes to stderr.
  int Out = ::dup(STDOUT_FILENO), In = ::dup(STDIN_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  FILE *Answers = ::fdopen(Out, "w"), *Jobs = ::fdopen(In, "r");
  if (!Answers || !Jobs)
    return 1;
  watchReader(Out);

  char *Line = nullptr;
  size_t Capacity = 0;
  for (ssize_t N; (N = ::getline(&Line, &Capacity, Jobs)) >= 0;) {
    std::string Text(Line, size_t(N));
    if (Text.find_first_not_of(" \t\r\n") == std::string::npos)
      continue;
    std::string Reply =
        answer(S, Text).dump(-1, ' ', false, Json::error_handler_t::replace);
    Reply += '\n';
    std::fflush(stdout);
    if (std::fwrite(Reply.data(), 1, Reply.size(), Answers) != Reply.size() ||
        std::fflush(Answers))
      return 3;
  }
  std::free(Line);
  return 0;
}
