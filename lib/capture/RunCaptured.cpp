// The program is started with the layer in its environment, and its exit code
// is reported.
#include "capture/RunCaptured.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace clrewrite::capture {

Expected<std::string> findLayer(const char *Argv0) {
  static int Here;
  SmallString<256> Folder(
      sys::path::parent_path(sys::fs::getMainExecutable(Argv0, &Here)));
  for (StringRef Where : {"", "../lib", "../lib/clrewrite"}) {
    SmallString<256> Path(Folder);
    sys::path::append(Path, Where, "libclrewrite-layer.so");
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    if (sys::fs::exists(Path))
      return std::string(Path);
  }
  return createStringError("libclrewrite-layer.so is neither in %s nor in "
                           "../lib beside it",
                           Folder.c_str());
}

static std::string now() {
  time_t Seconds = time(nullptr);
  tm Parts;
  gmtime_r(&Seconds, &Parts);
  char Text[32];
  strftime(Text, sizeof Text, "%Y-%m-%dT%H:%M:%SZ", &Parts);
  return Text;
}

/// Writes capture.json beside its place and moves it there.
static Error writeRun(const CapturedRun &Run, const std::string &Started,
                      const RunEnd *End) {
  if (Run.Folder.empty())
    return Error::success();
  SmallString<256> Here;
  sys::fs::current_path(Here);
  json::Object O{{"version", 1},
                 {"tool", CLREWRITE_VERSION},
                 {"command", Run.Command},
                 {"directory", Here.str()},
                 {"started", Started},
                 {"ended", End ? json::Value(now()) : json::Value(nullptr)},
                 {"exit_code", End ? End->ExitCode : std::nullopt},
                 {"signal", End ? End->Signal : std::nullopt},
                 {"data", Run.DataSamples},
                 {"max_bytes", Run.MaxBytes}};
  return writeToOutput(Run.Folder + "/capture.json", [&](raw_ostream &OS) {
    OS << formatv("{0:2}\n", json::Value(std::move(O)));
    return Error::success();
  });
}

namespace {

/// While it lives, signals that somebody sends to this process go to the child
/// too. What the terminal sends reaches the child by itself.
class PassSignals {
  static constexpr int Numbers[] = {SIGHUP,  SIGINT,  SIGQUIT,
                                    SIGTERM, SIGUSR1, SIGUSR2};
  struct sigaction Old[std::size(Numbers)];
  static volatile pid_t Child;

  static void pass(int Number, siginfo_t *Info, void *) {
    int Saved = errno;
    bool FromTerminal = Info->si_code > 0;
    if (Child > 0 && !FromTerminal)
      kill(Child, Number);
    errno = Saved;
  }

public:
  PassSignals() {
    Child = 0;
    struct sigaction New = {};
    New.sa_sigaction = pass;
    New.sa_flags = SA_SIGINFO | SA_RESTART;
    for (size_t I = 0; I < std::size(Numbers); ++I)
      sigaction(Numbers[I], &New, &Old[I]);
  }
  void to(pid_t Pid) { Child = Pid; }
  /// In the child: as it was before.
  void restore() const {
    for (size_t I = 0; I < std::size(Numbers); ++I)
      sigaction(Numbers[I], &Old[I], nullptr);
  }
  ~PassSignals() { restore(); }
};

volatile pid_t PassSignals::Child;

} // namespace

/// Sets what the layer reads, in the child.
static void setEnvironment(const CapturedRun &Run) {
  std::string Layers = Run.Layer;
  if (const char *Others = getenv("OPENCL_LAYERS"); Others && *Others)
    Layers = std::string(Others) + ":" + Layers;
  setenv("OPENCL_LAYERS", Layers.c_str(), 1);
  auto setOrClear = [](const char *Name, const std::string &Value) {
    Value.empty() ? unsetenv(Name) : setenv(Name, Value.c_str(), 1);
  };
  setOrClear("CLREWRITE_CAPTURE", Run.Folder);
  setOrClear("CLREWRITE_LAYER_SWAP", Run.SwapFolder);
  setOrClear("CLREWRITE_PLAN", Run.Plan);
  setOrClear("CLREWRITE_CAPTURE_DATA", std::to_string(Run.DataSamples));
  setOrClear("CLREWRITE_CAPTURE_MAX_SIZE", std::to_string(Run.MaxBytes));
}

static void redirect(int To, const std::string &Path) {
  int FD = Path.empty()
               ? -1
               : open(Path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (FD >= 0)
    dup2(FD, To);
}

/// Starts the program; \p Failed gets errno where it does not start.
static pid_t start(const CapturedRun &Run, const PassSignals &Signals,
                   int &Failed) {
  std::vector<char *> Words;
  for (const std::string &Word : Run.Command)
    Words.push_back(const_cast<char *>(Word.c_str()));
  Words.push_back(nullptr);
  // A successful exec closes the pipe; a failed one sends why.
  int Pipe[2];
  if (pipe2(Pipe, O_CLOEXEC)) {
    Failed = errno;
    return -1;
  }
  outs().flush();
  errs().flush();
  pid_t Child = fork();
  if (Child == 0) {
    Signals.restore();
    setEnvironment(Run);
    redirect(1, Run.Output);
    redirect(2, Run.Errors);
    execvp(Words[0], Words.data());
    Failed = errno;
    [[maybe_unused]] ssize_t N = write(Pipe[1], &Failed, sizeof Failed);
    _exit(127);
  }
  close(Pipe[1]);
  if (Child < 0)
    Failed = errno;
  else if (read(Pipe[0], &Failed, sizeof Failed) != sizeof Failed)
    Failed = 0;
  close(Pipe[0]);
  if (Child > 0 && Failed)
    waitpid(Child, nullptr, 0);
  return Child;
}

Expected<RunEnd> runCaptured(const CapturedRun &Given) {
  CapturedRun Run = Given;
  if (!Run.Plan.empty()) {
    // The program may change its folder before it uses OpenCL.
    SmallString<256> Plan(Run.Plan);
    sys::fs::make_absolute(Plan);
    Run.Plan = std::string(Plan);
  }
  if (!Run.Folder.empty()) {
    SmallString<256> Folder(Run.Folder);
    if (std::error_code Bad = sys::fs::create_directories(Folder))
      return createStringError(Bad, "%s: %s", Folder.c_str(),
                               Bad.message().c_str());
    sys::fs::make_absolute(Folder);
    Run.Folder = std::string(Folder);
  }
  std::string Started = now();
  if (Error E = writeRun(Run, Started, nullptr))
    return std::move(E);
  PassSignals Signals;
  int Failed = 0;
  pid_t Child = start(Run, Signals, Failed);
  if (Failed)
    return createStringError(std::error_code(Failed, std::generic_category()),
                             "%s: %s", Run.Command[0].c_str(),
                             strerror(Failed));
  Signals.to(Child);
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0 && errno == EINTR)
    ;
  Signals.to(0);
  RunEnd End;
  if (WIFSIGNALED(Status))
    End.Signal = WTERMSIG(Status);
  else
    End.ExitCode = WEXITSTATUS(Status);
  if (Error E = writeRun(Run, Started, &End))
    return std::move(E);
  return End;
}

} // namespace clrewrite::capture
