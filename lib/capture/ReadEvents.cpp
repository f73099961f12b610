// Each line of an events file is a JSON object; a line that can't be read is
// counted and skipped.
#include "ReadEvents.h"
#include "source/BoundedJson.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace llvm;

namespace clrewrite::capture {

namespace {

/// Reads one events file. Its ids become indices of the capture's lists.
class Reader {
public:
  Reader(StringRef Counts, Capture &C) : Counts(Counts), C(C) {}

  Error line(StringRef Text);
  void finish();

private:
  using Ids = std::map<uint64_t, size_t>;

  Error start(const json::Object &O);
  void end(const json::Object &O);
  void device(const json::Object &O);
  void program(const json::Object &O);
  void build(const json::Object &O);
  void kernel(const json::Object &O);
  void launch(const json::Object &O);
  void data(const json::Object &O);
  void dropped(const json::Object &O);
  void plan(const json::Object &O);
  void planBuilds(const json::Object &O);
  void note(const json::Object &O);

  StringRef Counts;
  Capture &C;
  bool Started = false;
  Ids Devices, Programs, Builds, Kernels, Launches;
};

} // namespace

static std::string text(const json::Object &O, StringRef Name) {
  return O.getString(Name).value_or("").str();
}

static std::optional<uint64_t> number(const json::Object &O, StringRef Name) {
  std::optional<int64_t> N = O.getInteger(Name);
  return N && *N >= 0 ? std::optional<uint64_t>(*N) : std::nullopt;
}

static std::vector<uint64_t> numbers(const json::Object &O, StringRef Name) {
  std::vector<uint64_t> List;
  if (const json::Array *A = O.getArray(Name))
    for (const json::Value &V : *A)
      List.push_back(uint64_t(V.getAsInteger().value_or(0)));
  return List;
}

static std::vector<std::string> texts(const json::Object &O, StringRef Name) {
  std::vector<std::string> List;
  if (const json::Array *A = O.getArray(Name))
    for (const json::Value &V : *A)
      List.push_back(V.getAsString().value_or("").str());
  return List;
}

/// The objects of a list.
static std::vector<const json::Object *> objects(const json::Object &O,
                                                 StringRef Name) {
  std::vector<const json::Object *> List;
  if (const json::Array *A = O.getArray(Name))
    for (const json::Value &V : *A)
      if (const json::Object *Each = V.getAsObject())
        List.push_back(Each);
  return List;
}

/// The index of the thing that member \p Name names by its id.
static std::optional<size_t> find(const std::map<uint64_t, size_t> &Ids,
                                  std::optional<uint64_t> Id) {
  auto It = Id ? Ids.find(*Id) : Ids.end();
  return It == Ids.end() ? std::nullopt : std::optional<size_t>(It->second);
}

static std::vector<size_t> findAll(const std::map<uint64_t, size_t> &Ids,
                                   const std::vector<uint64_t> &List) {
  std::vector<size_t> Found;
  for (uint64_t Id : List)
    if (std::optional<size_t> I = find(Ids, Id))
      Found.push_back(*I);
  return Found;
}

Error Reader::start(const json::Object &O) {
  if (number(O, "version") != 1)
    return createStringError("%s: a capture of another version than 1",
                             C.Folder.c_str());
  Started = true;
  C.Processes.push_back(
      {texts(O, "command"), text(O, "directory"), std::nullopt});
  if (C.Command.empty())
    C.Command = C.Processes.back().Command;
  if (C.Directory.empty())
    C.Directory = C.Processes.back().Directory;
  return Error::success();
}

void Reader::end(const json::Object &O) {
  C.Processes.back().Nanoseconds = number(O, "ns");
}

void Reader::device(const json::Object &O) {
  CapturedDevice D;
  D.Process = C.Processes.size() - 1;
  D.Name = text(O, "name");
  D.Driver = text(O, "driver");
  if (const json::Object *P = O.getObject("platform"))
    D.PlatformName = text(*P, "name");
  Devices[number(O, "id").value_or(0)] = C.Devices.size();
  C.Devices.push_back(std::move(D));
}

void Reader::program(const json::Object &O) {
  CapturedProgram P;
  P.Process = C.Processes.size() - 1;
  StringRef Kind = O.getString("kind").value_or("");
  P.Kind = Kind == "source"    ? CapturedProgram::Source
           : Kind == "binary"  ? CapturedProgram::Binary
           : Kind == "il"      ? CapturedProgram::Il
           : Kind == "builtin" ? CapturedProgram::Builtin
                               : CapturedProgram::Linked;
  P.Devices = findAll(Devices, numbers(O, "devices"));
  for (const json::Object *Each : objects(O, "sources"))
    P.Strings.push_back(text(*Each, "blob"));
  P.Hash = text(O, "hash");
  // It becomes the name of files.
  if (!P.Hash.empty() && !isBlobHash(P.Hash)) {
    ++C.BadLines;
    return;
  }
  P.Swapped = text(O, "swapped");
  Programs[number(O, "id").value_or(0)] = C.Programs.size();
  C.Programs.push_back(std::move(P));
}

void Reader::build(const json::Object &O) {
  CapturedBuild B;
  StringRef Step = O.getString("step").value_or("");
  B.Step = Step == "compile" ? CapturedBuild::Compile
           : Step == "link"  ? CapturedBuild::Link
                             : CapturedBuild::Build;
  B.Program = find(Programs, number(O, "program"));
  B.Options = text(O, "options");
  for (const json::Object *H : objects(O, "headers"))
    if (auto P = find(Programs, number(*H, "program")))
      B.Headers.push_back({text(*H, "name"), *P});
  for (const json::Object *I : objects(O, "inputs"))
    if (auto P = find(Programs, number(*I, "program")))
      B.Inputs.push_back({*P, find(Builds, number(*I, "build"))});
  B.Devices = findAll(Devices, numbers(O, "devices"));
  for (const json::Object *R : objects(O, "results"))
    if (auto D = find(Devices, number(*R, "device")))
      B.Results.push_back({*D, text(*R, "status")});
  B.Code = O.getInteger("result").value_or(0);
  Builds[number(O, "id").value_or(0)] = C.Builds.size();
  C.Builds.push_back(std::move(B));
}

void Reader::kernel(const json::Object &O) {
  auto Program = find(Programs, number(O, "program"));
  if (!Program) {
    ++C.BadLines;
    return;
  }
  CapturedKernel K;
  K.Name = text(O, "name");
  K.Program = *Program;
  K.Build = find(Builds, number(O, "build"));
  Kernels[number(O, "id").value_or(0)] = C.Kernels.size();
  C.Kernels.push_back(std::move(K));
}

static CapturedArgument::Sort sortOf(StringRef Kind) {
  static constexpr std::pair<StringLiteral, CapturedArgument::Sort> Names[] = {
      {"buffer", CapturedArgument::Buffer},
      {"subbuffer", CapturedArgument::SubBuffer},
      {"image", CapturedArgument::Image},
      {"sampler", CapturedArgument::Sampler},
      {"svm", CapturedArgument::Svm},
      {"local", CapturedArgument::Local},
      {"bytes", CapturedArgument::Bytes},
      {"null", CapturedArgument::Null},
      {"unset", CapturedArgument::Unset},
  };
  for (const auto &[Name, Sort] : Names)
    if (Name == Kind)
      return Sort;
  return CapturedArgument::Other;
}

static CapturedArgument argument(const json::Object &O) {
  CapturedArgument A;
  A.Kind = sortOf(O.getString("kind").value_or(""));
  A.Mem = number(O, "mem").value_or(0);
  bool IsImage = A.Kind == CapturedArgument::Image;
  A.Parent = number(O, IsImage ? "buffer" : "parent").value_or(0);
  A.Offset = number(O, "offset").value_or(0);
  A.Size = number(O, "bytes");
  A.Flags = texts(O, "flags");
  A.ImageType = text(O, "type");
  A.ChannelOrder = text(O, "channel_order");
  A.ChannelType = text(O, "channel_type");
  A.Width = number(O, "width");
  A.Height = number(O, "height");
  A.Depth = number(O, "depth");
  A.Layers = number(O, "layers");
  A.ElementBytes = number(O, "element_bytes").value_or(0);
  A.Normalized = O.getBoolean("normalized").value_or(false);
  A.Address = text(O, "address");
  A.Filter = text(O, "filter");
  if (std::string Bytes; tryGetFromHex(text(O, "hex"), Bytes))
    A.Value = std::move(Bytes);
  return A;
}

/// The counts of launch \p Id; zeros where the file has none.
static LaunchCounts countsOf(StringRef File, uint64_t Id) {
  constexpr uint64_t RecordBytes = 64;
  if (Id == 0 || (Id + 1) * RecordBytes > File.size())
    return {};
  const char *At = File.data() + Id * RecordBytes;
  auto number = [&](unsigned I) {
    return support::endian::read<uint64_t>(At + I * 8, endianness::native);
  };
  return {number(0), number(1), number(2), number(3),
          number(4), number(5), number(6), number(7)};
}

void Reader::launch(const json::Object &O) {
  auto Kernel = find(Kernels, number(O, "kernel"));
  auto Device = find(Devices, number(O, "device"));
  uint64_t Id = number(O, "id").value_or(0);
  if (!Kernel || !Device) {
    ++C.BadLines;
    return;
  }
  CapturedLaunch L;
  L.Kernel = *Kernel;
  L.Device = *Device;
  L.Other = O.getBoolean("other").value_or(false);
  L.Global = numbers(O, "global");
  L.Local = numbers(O, "local");
  L.Offset = numbers(O, "offset");
  for (const json::Object *A : objects(O, "arguments"))
    L.Arguments.push_back(argument(*A));
  for (const json::Object *A : objects(O, "svm_pointers"))
    L.SvmPointers.push_back(argument(*A));
  L.Counts = countsOf(Counts, Id);
  Launches[Id] = C.Launches.size();
  C.Launches.push_back(std::move(L));
}

void Reader::data(const json::Object &O) {
  auto Launch = find(Launches, number(O, "launch"));
  if (!Launch) {
    ++C.BadLines;
    return;
  }
  CapturedData D;
  D.Sample = unsigned(number(O, "sample").value_or(0));
  if (auto A = number(O, "argument"))
    D.Argument = unsigned(*A);
  D.Mem = number(O, "mem").value_or(0);
  D.Size = number(O, "bytes").value_or(0);
  D.Before = text(O, "before");
  D.After = text(O, "after");
  D.Unreadable = text(O, "unreadable");
  C.Launches[*Launch].Data.push_back(std::move(D));
}

void Reader::dropped(const json::Object &O) {
  std::string What = text(O, "what"), Note = "not recorded: " + What;
  if (auto L = find(Launches, number(O, "launch")))
    Note += " of " + C.Kernels[C.Launches[*L].Kernel].Name;
  C.Notes.push_back(Note + ": " + text(O, "why"));
  if (What == "data")
    C.DataNotes.push_back(C.Notes.back());
}

void Reader::plan(const json::Object &O) {
  C.Planned.push_back({text(O, "kernel"), number(O, "took").value_or(0),
                       number(O, "others").value_or(0), text(O, "why")});
}

void Reader::planBuilds(const json::Object &O) {
  C.PlanBuildNs += number(O, "ns").value_or(0);
}

void Reader::note(const json::Object &O) { C.Notes.push_back(text(O, "text")); }

Error Reader::line(StringRef Text) {
  Expected<json::Value> V = parseJson(Text);
  if (!V) {
    consumeError(V.takeError());
    ++C.BadLines;
    return Error::success();
  }
  static const std::map<StringRef, void (Reader::*)(const json::Object &)>
      Sorts = {
          {"end", &Reader::end},         {"device", &Reader::device},
          {"program", &Reader::program}, {"build", &Reader::build},
          {"kernel", &Reader::kernel},   {"launch", &Reader::launch},
          {"data", &Reader::data},       {"dropped", &Reader::dropped},
          {"plan", &Reader::plan},       {"plan_builds", &Reader::planBuilds},
          {"note", &Reader::note}};
  const json::Object *O = V->getAsObject();
  StringRef Event = O ? O->getString("event").value_or("") : "";
  if (Event == "start")
    return start(*O);
  if (Event.empty() || !Started) {
    ++C.BadLines;
    return Error::success();
  }
  // What is not known came later within this version.
  if (auto It = Sorts.find(Event); It != Sorts.end())
    (this->*It->second)(*O);
  return Error::success();
}

void Reader::finish() {
  for (const auto &[Id, Index] : Launches)
    sort(C.Launches[Index].Data,
         [](const CapturedData &A, const CapturedData &B) {
           return std::tuple(A.Sample, A.Argument.value_or(~0u), A.Mem) <
                  std::tuple(B.Sample, B.Argument.value_or(~0u), B.Mem);
         });
}

Error readEvents(StringRef Text, StringRef Counts, Capture &C) {
  Reader R(Counts, C);
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    if (Error E = R.line(Line))
      return E;
    Text = Rest;
  }
  R.finish();
  return Error::success();
}

} // namespace clrewrite::capture
