// Speaking the device protocol to a child process.
#include "opencl/DeviceClient.h"
#include "opencl/Contents.h"
#include "opencl/DeviceProcess.h"
#include "process/Clock.h"
#include "source/BoundedJson.h"
#include "source/RealPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace clrewrite::opencl {

json::Object programOf(StringRef Text, StringRef Options) {
  json::Object Out{{"options", json::fixUTF8(Options)}};
  if (json::isUTF8(Text))
    Out["source"] = Text.str();
  else
    Out["source_base64"] = encodeBase64(Text);
  return Out;
}

json::Object unoptimised(json::Object Run) {
  for (json::Value &Each : *Run.getArray("versions")) {
    json::Object &Version = *Each.getAsObject();
    Version["options"] =
        (Version.getString("options").value_or("") + " -cl-opt-disable").str();
  }
  return Run;
}

DeviceCommand DeviceCommand::beside(const char *Argv0) {
  // The address of any function of the program will do.
  std::string Self =
      sys::fs::getMainExecutable(Argv0, reinterpret_cast<void *>(&beside));
  SmallString<256> Path(sys::path::parent_path(Self));
  sys::path::append(Path, "clrewrite-device");
  DeviceCommand C;
  C.Words = {std::string(Path)};
  C.TakesFolders = true;
  return C;
}

DeviceCommand DeviceCommand::shell(StringRef Line) {
  DeviceCommand C;
  C.Words = {"/bin/sh", "-c", Line.str()};
  return C;
}

DeviceClient::DeviceClient(DeviceCommand C) : Command(std::move(C)) {}

DeviceCommand DeviceCommand::comparing() const {
  DeviceCommand C = *this;
  if (TakesFolders)
    C.Words.push_back("--compare");
  return C;
}

/// What runs in a sandbox can write there, and so change what later runs of it
/// do: it is for those who run their own kernels alone.
static std::string keptFolder() {
  const char *Said = ::getenv("CLREWRITE_DEVICE_FOLDER");
  return Said ? Said : "";
}

DeviceClient::~DeviceClient() {
  Process.reset();
  if (!Private.empty() && !Keep)
    sys::fs::remove_directories(Private);
}

/// What a driver has compiled outlives a process that a kernel has crashed; in
/// a folder that the user names, the run, too.
void DeviceClient::makePrivateFolder() {
  SmallString<128> Path(keptFolder());
  Keep = !Path.empty();
  if (Keep ? sys::fs::create_directories(Path)
           : sys::fs::createUniqueDirectory("clrewrite-device", Path))
    return;
  if (!Keep)
    sys::fs::setPermissions(Path, sys::fs::owner_all);
  Private = std::string(Path);
  Command.Words.push_back("--private=" + Private);
  if (Keep)
    Command.Words.push_back("--keep");
}

Expected<std::unique_ptr<DeviceClient>>
DeviceClient::start(DeviceCommand Command) {
  std::unique_ptr<DeviceClient> Client(new DeviceClient(std::move(Command)));
  if (Client->Command.TakesFolders)
    Client->makePrivateFolder();
  auto Process = DeviceProcess::start(Client->Command.Words);
  if (!Process)
    return Process.takeError();
  Client->Process = std::move(*Process);
  DeviceAnswer Hello = Client->call(json::Object{{"job", "hello"}});
  if (!Hello.ok())
    return createStringError("the device program " + Hello.Problem);
  auto Speaks = Hello.Body.getInteger("protocol");
  if (Speaks != int64_t(Protocol))
    return createStringError("the device program speaks protocol " +
                             (Speaks ? Twine(*Speaks) : Twine("(unknown)")) +
                             ", this clrewrite speaks " + Twine(Protocol));
  Client->TakesVersionSizes =
      Hello.Body.getBoolean("version_sizes").value_or(false);
  Client->KeepsContents = Hello.Body.getBoolean("keeps").value_or(false);
  return Client;
}

std::string reasonOf(const DeviceAnswer &A) {
  if (A.Status != DeviceAnswer::Refused)
    return "the device program " + A.Problem;
  SmallVector<StringRef> Lines;
  StringRef(A.Body.getString("log").value_or(""))
      .split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines)
    if (Line.contains("error"))
      return A.Problem + ": " + Line.trim().take_front(200).str();
  return A.Problem;
}

std::string sandboxOf(const json::Object &Device) {
  std::string Out;
  if (const json::Array *List = Device.getArray("sandbox"))
    for (const json::Value &Each : *List)
      Out += (Out.empty() ? "" : ", ") + Each.getAsString().value_or("").str();
  return Out.empty() && Device.get("sandbox") ? "none" : Out;
}

bool DeviceAnswer::endsProcess() const {
  return Status == Refused ? Body.getBoolean("restart").value_or(false) : !ok();
}

static DeviceAnswer failed(DeviceAnswer::Kind Status, std::string Problem) {
  DeviceAnswer A;
  A.Status = Status;
  A.Problem = std::move(Problem);
  return A;
}

/// Answers hold logs and lists of figures; and the contents of memory objects
/// where a job asks for them, of 1 MiB each.
static constexpr size_t MostAnswer = size_t(64) << 20;
static constexpr size_t MostContents = size_t(512) << 20;
static constexpr JsonLimits Answers{64, MostContents, size_t(1) << 20};

/// Whether \p Job asks for the contents of one of its arguments.
static bool asksForContents(const json::Object &Job) {
  const json::Array *Arguments = Job.getArray("args");
  if (!Arguments)
    return false;
  return any_of(*Arguments, [](const json::Value &V) {
    const json::Object *A = V.getAsObject();
    for (const char *Sort : {"buffer", "image"})
      if (const json::Object *M = A ? A->getObject(Sort) : nullptr)
        if (M->getBoolean("return").value_or(false))
          return true;
    return false;
  });
}

DeviceAnswer readAnswer(StringRef Line, uint64_t Id) {
  Expected<json::Value> Parsed = parseJson(Line, Answers);
  const char *Wrong = nullptr;
  json::Object *Answer = nullptr;
  if (!Parsed) {
    consumeError(Parsed.takeError());
    Wrong = "its answer is not JSON";
  } else if (Answer = Parsed->getAsObject(); !Answer) {
    Wrong = "its answer is not a JSON object";
  } else if (Answer->getInteger("id") != int64_t(Id)) {
    Wrong = "its answer is to another job";
  } else if (!Answer->getBoolean("ok")) {
    Wrong = "its answer does not say whether the job is done";
  }
  if (Wrong)
    return failed(DeviceAnswer::Garbled,
                  formatv("can not be understood: {0}: '{1}'", Wrong,
                          Line.take_front(120))
                      .str());
  DeviceAnswer A;
  if (*Answer->getBoolean("ok")) {
    A.Body = std::move(*Answer);
    return A;
  }
  A.Status = DeviceAnswer::Refused;
  A.Problem = "failed without a reason";
  json::Object *Error = Answer->getObject("error");
  if (!Error)
    return A;
  if (auto Message = Error->getString("message"))
    A.Problem = Message->str();
  A.Body = std::move(*Error);
  return A;
}

/// The folders that the options of a job's programs name by -I.
static void headerFolders(const json::Object &Job, std::set<std::string> &Out) {
  if (const json::Array *Versions = Job.getArray("versions"))
    for (const json::Value &Each : *Versions)
      if (const json::Object *O = Each.getAsObject())
        headerFolders(*O, Out);
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *> Words;
  cl::TokenizeGNUCommandLine(Job.getString("options").value_or(""), Saver,
                             Words);
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    if (!Word.consume_front("-I"))
      continue;
    if (Word.empty() && I + 1 < Words.size())
      Word = Words[++I];
    if (std::string Folder = treeOf(Word); !Folder.empty())
      Out.insert(std::move(Folder));
  }
}

/// Lets the program read headers where the programs of \p Job have them: a
/// new process, as a sandbox that is closed stays so.
void DeviceClient::openFolders(const json::Object &Job) {
  std::set<std::string> Wanted;
  headerFolders(Job, Wanted);
  for (const std::string &Each : Wanted)
    if (Folders.insert(Each).second) {
      Command.Words.push_back("--read=" + Each);
      endProcess();
    }
}

/// A version of \p Job has sizes of its own.
static bool hasVersionSizes(const json::Object &Job) {
  const json::Array *Versions = Job.getArray("versions");
  return Versions && any_of(*Versions, [](const json::Value &V) {
           const json::Object *O = V.getAsObject();
           return O && O->get("global");
         });
}

DeviceAnswer DeviceClient::call(json::Object Job) {
  if (!TakesVersionSizes && hasVersionSizes(Job))
    return failed(DeviceAnswer::Refused,
                  "the device program is too old to launch two versions of a "
                  "kernel with different sizes");
  DeviceAnswer A = callOnce(Job);
  if (A.Status != DeviceAnswer::Refused)
    return A;
  // The program has dropped what it kept, to make room for other contents.
  bool Forgotten = A.Body.getString("name") == "NOT_KEPT";
  if (Forgotten)
    Kept.clear();
  // The process is closed for another kind of device; the next one is not.
  if (Forgotten || A.Body.getString("name") == "OTHER_SANDBOX")
    return callOnce(std::move(Job));
  return A;
}

void DeviceClient::endProcess() {
  Process.reset();
  Kept.clear();
}

/// Puts the contents that \p Job names (Contents.h) into it, for a program that
/// keeps some where there is \p Kept: by name where it has them already, else
/// with the name under which it is to keep them.
static Error fillIn(json::Object &Job, std::set<std::string> *Kept) {
  json::Array *Arguments = Job.getArray("args");
  if (!Arguments)
    return Error::success();
  for (json::Value &V : *Arguments)
    for (const char *Sort : {"buffer", "image"}) {
      json::Object *A = V.getAsObject();
      json::Object *M = A ? A->getObject(Sort) : nullptr;
      std::string Name =
          contentsIn(M ? M->getString("fill").value_or("") : "").str();
      if (Name.empty())
        continue;
      if (Kept && Kept->count(Name)) {
        (*M)["fill"] = "kept:" + Name;
        continue;
      }
      Expected<std::string> Contents = contentsOf(Name);
      if (!Contents)
        return Contents.takeError();
      if (Kept)
        Contents->insert(0, "keep:" + Name + ":");
      (*M)["fill"] = std::move(*Contents);
      if (Kept)
        Kept->insert(std::move(Name));
    }
  return Error::success();
}

DeviceAnswer DeviceClient::callOnce(json::Object Job) {
  if (Command.TakesFolders)
    openFolders(Job);
  if (!Process) {
    auto Started = DeviceProcess::start(Command.Words);
    if (!Started)
      return failed(DeviceAnswer::Crashed, toString(Started.takeError()));
    Process = std::move(*Started);
  }
  if (Error E = fillIn(Job, KeepsContents ? &Kept : nullptr))
    return failed(DeviceAnswer::Refused, toString(std::move(E)));
  uint64_t Id = NextId++;
  Job["v"] = Protocol;
  Job["id"] = int64_t(Id);
  double Seconds = Command.Seconds;
  if (auto Limit = Job.getNumber("limit_s"); Limit && *Limit > 0)
    Seconds = std::min(Seconds, *Limit);
  // The program's own alarm, for one far away that outlives its connection.
  // It goes by the wall's time, and comes behind the other limit.
  Job["limit_s"] = int64_t(Seconds * process::Clock::Longest) + 10;
  size_t Most = asksForContents(Job) ? MostContents : MostAnswer;
  std::string Line = jsonText(std::move(Job));
  LineResult R = Process->exchange(
      Line, std::chrono::milliseconds(int64_t(Seconds * 1000)), Most);
  if (R.Status != LineResult::Answered) {
    endProcess();
    return failed(R.Status == LineResult::TimedOut ? DeviceAnswer::TimedOut
                                                   : DeviceAnswer::Crashed,
                  std::move(R.Problem));
  }
  DeviceAnswer A = readAnswer(R.Line, Id);
  if (A.endsProcess())
    endProcess();
  return A;
}

} // namespace clrewrite::opencl
