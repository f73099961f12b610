// Runs the copy that notes branches, and says what was not reached.
#include "verify/Coverage.h"
#include "source/BoundedJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include <chrono>
#include <set>

using namespace llvm;

namespace clrewrite::verify {

static json::Array toJSON(ArrayRef<LineRange> List) {
  json::Array Out;
  for (const LineRange &L : List)
    Out.push_back(json::Array{L.First, L.Last});
  return Out;
}

static bool mapLines(json::ObjectMapper &O, StringLiteral Name,
                     std::vector<LineRange> &List) {
  std::vector<std::vector<int64_t>> Pairs;
  if (!O.map(Name, Pairs) || any_of(Pairs, [](const auto &Each) {
        return Each.size() != 2 || Each[0] < 1 || Each[1] < Each[0];
      }))
    return false;
  List.clear();
  for (const auto &Each : Pairs)
    List.push_back({size_t(Each[0]), size_t(Each[1])});
  return true;
}

json::Value toJSON(const Instrumented &I) {
  std::vector<LineRange> Lines;
  json::Array InPart;
  for (const Branch &B : I.Branches) {
    Lines.push_back(B.Lines);
    InPart.push_back(B.FirstInPart);
  }
  return json::Object{
      {"problem", textOfBytes(I.Problem)}, {"text", textOfBytes(I.Text)},
      {"plain", textOfBytes(I.Plain)},     {"lines", toJSON(Lines)},
      {"in part", std::move(InPart)},      {"not looked at", I.NotLookedAt}};
}

bool fromJSON(const json::Value &V, Instrumented &I, json::Path P) {
  json::ObjectMapper O(V, P);
  std::vector<LineRange> Lines;
  std::vector<bool> InPart;
  if (!O || !mapBytes(O, "problem", I.Problem) ||
      !mapBytes(O, "text", I.Text) || !mapBytes(O, "plain", I.Plain) ||
      !mapLines(O, "lines", Lines) || !O.map("not looked at", I.NotLookedAt))
    return false;
  const json::Array *List = V.getAsObject()->getArray("in part");
  if (!List || List->size() != Lines.size())
    return false;
  I.Branches.clear();
  for (auto [L, First] : zip(Lines, *List))
    I.Branches.push_back({L, First.getAsBoolean().value_or(false)});
  return true;
}

json::Value toJSON(const Coverage &C) {
  json::Value Unknown = nullptr, Looked = nullptr;
  if (!C.Unknown.empty())
    Unknown = json::fixUTF8(C.Unknown);
  if (C.Looked)
    Looked = json::Array{C.Looked, C.Rounds};
  return json::Object{{"unknown", std::move(Unknown)},
                      {"branches", C.Branches},
                      {"not_looked_at", C.NotLookedAt},
                      {"not_reached", toJSON(C.NotReached)},
                      {"reached_in_part", json::Array(C.ReachedInPart)},
                      {"looked_at_rounds", std::move(Looked)}};
}

bool fromJSON(const json::Value &V, Coverage &C, json::Path P) {
  json::ObjectMapper O(V, P);
  std::optional<std::string> Unknown;
  std::optional<std::vector<unsigned>> Looked;
  if (!O || !O.map("unknown", Unknown) || !O.map("branches", C.Branches) ||
      !O.map("not_looked_at", C.NotLookedAt) ||
      !mapLines(O, "not_reached", C.NotReached) ||
      !O.map("reached_in_part", C.ReachedInPart) ||
      !O.map("looked_at_rounds", Looked) || (Looked && Looked->size() != 2))
    return false;
  C.Unknown = Unknown.value_or("");
  C.Looked = Looked ? (*Looked)[0] : 0;
  C.Rounds = Looked ? (*Looked)[1] : 0;
  return true;
}

std::string words(const Coverage &C) {
  if (!C.Unknown.empty())
    return "coverage: unknown (" + C.Unknown + ")";
  std::vector<std::string> Lines, Out;
  auto add = [&](StringRef Before, ArrayRef<LineRange> List) {
    bool One = List.size() == 1 && List[0].First == List[0].Last;
    if (!List.empty())
      Lines.push_back((Before + (One ? "line " : "lines ")).str() +
                      lineNumbers(List));
  };
  add("", C.NotReached);
  std::vector<LineRange> InPart;
  for (unsigned Line : C.ReachedInPart)
    InPart.push_back({Line, Line});
  add("part of ", InPart);
  if (!Lines.empty())
    Out.push_back("not reached" +
                  (C.Looked ? " in the first " + utostr(C.Looked) + " of " +
                                  utostr(C.Rounds) + " rounds"
                            : "") +
                  ": " + join(Lines, ", "));
  if (C.NotLookedAt)
    Out.push_back(utostr(C.NotLookedAt) +
                  (C.NotLookedAt == 1 ? " branch was" : " branches were") +
                  " not looked at");
  return join(Out, "; ");
}

/// Sorts lines into those of \p C.
static void setLines(Coverage &C, const std::set<size_t> &NotReached,
                     const std::set<size_t> &InPart) {
  C.NotReached.clear();
  C.ReachedInPart.clear();
  for (size_t Line : NotReached)
    if (!C.NotReached.empty() && C.NotReached.back().Last + 1 == Line)
      C.NotReached.back().Last = Line;
    else
      C.NotReached.push_back({Line, Line});
  for (size_t Line : InPart)
    if (!NotReached.count(Line))
      C.ReachedInPart.push_back(unsigned(Line));
}

static void addLines(std::set<size_t> &Into, const LineRange &L) {
  for (size_t Line = L.First; Line <= L.Last; ++Line)
    Into.insert(Line);
}

void merge(Coverage &Into, const Coverage &Other) {
  if (Into.Unknown.empty())
    Into.Unknown = Other.Unknown;
  std::set<size_t> NotReached, InPart;
  for (const Coverage *Each : {&std::as_const(Into), &Other}) {
    for (const LineRange &L : Each->NotReached)
      addLines(NotReached, L);
    InPart.insert(Each->ReachedInPart.begin(), Each->ReachedInPart.end());
  }
  setLines(Into, NotReached, InPart);
  Into.Branches = std::max(Into.Branches, Other.Branches);
  Into.Taken = std::min(Into.Taken, Other.Taken);
  Into.Seconds += Other.Seconds;
  Into.NotLookedAt = std::max(Into.NotLookedAt, Other.NotLookedAt);
  if (Other.Looked && (!Into.Looked || Other.Looked < Into.Looked)) {
    Into.Looked = Other.Looked;
    Into.Rounds = Other.Rounds;
  }
}

std::vector<std::string> hashesOf(const opencl::DeviceAnswer &A) {
  std::vector<std::string> Out;
  if (const json::Array *Buffers = A.Body.getArray("buffers"))
    for (const json::Value &B : *Buffers)
      if (const json::Object *O = B.getAsObject())
        if (const json::Array *List = O->getArray("hash");
            List && !List->empty())
          Out.push_back(List->front().getAsString().value_or("").str());
  return Out;
}

namespace {

/// The instrumented copy on a device.
class Runs {
  const Instrumented &I;
  const std::string &Kernel;
  opencl::DeviceChannel &Device;
  std::chrono::duration<double> Limit;
  std::chrono::steady_clock::time_point End;
  json::Object Noting, Plain;
  std::vector<bool> Taken;

public:
  Runs(const Instrumented &I, const Source &Original, const std::string &Kernel,
       Arithmetic How, opencl::DeviceChannel &Device, double Seconds)
      : I(I), Kernel(Kernel), Device(Device), Limit(Seconds),
        Noting(version(Original, I.Text, How)),
        Plain(version(Original, I.Plain, How)), Taken(I.Branches.size()) {}

  Coverage run(ArrayRef<CountedRound> Rounds);

private:
  std::string build(const CountedRound &R);
  json::Object version(Source S, const std::string &Text,
                       Arithmetic How) const {
    S.Text = Text;
    json::Object Out = deviceProgram(S, How);
    Out["kernel"] = Kernel;
    return Out;
  }
  double left() const {
    return std::chrono::duration<double>(End - std::chrono::steady_clock::now())
        .count();
  }
  /// The versions on the inputs of \p R, with the buffer of words behind them.
  opencl::DeviceAnswer call(const CountedRound &R, json::Array Versions) {
    json::Object Job = R.Job;
    Job["versions"] = std::move(Versions);
    Job["limit_s"] = left();
    // The last word lies right before a fence.
    json::Object Words{{"bytes", int64_t(4 * Taken.size())},
                       {"type", "uint"},
                       {"fill", "zeros"},
                       {"return", true}};
    Job.getArray("args")->push_back(json::Object{{"buffer", std::move(Words)}});
    return Device.call(std::move(Job));
  }
  std::string look(const CountedRound &R);
  bool note(const opencl::DeviceAnswer &A, int64_t Argument);
  bool leavesTheSame(const CountedRound &R, const opencl::DeviceAnswer &A);
  void sum(Coverage &C) const;
};

/// Builds the copy for the device of \p R, which does not count as time for the
/// rounds. Why it can't be built; empty where it can.
std::string Runs::build(const CountedRound &R) {
  json::Object Job(Noting);
  Job["job"] = "build";
  if (const json::Value *Index = R.Job.get("device"))
    Job["device"] = *Index;
  opencl::DeviceAnswer A = Device.call(std::move(Job));
  End = std::chrono::steady_clock::now() +
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(Limit);
  return A.ok() ? "" : "the copy that notes branches: " + opencl::reasonOf(A);
}

/// Notes the branches that \p A says were taken. False where it says nothing.
bool Runs::note(const opencl::DeviceAnswer &A, int64_t Argument) {
  const json::Array *Buffers = A.Body.getArray("buffers");
  for (size_t B = 0; Buffers && B < Buffers->size(); ++B) {
    const json::Object *O = (*Buffers)[B].getAsObject();
    if (!O || O->getInteger("arg") != Argument)
      continue;
    const json::Array *List = O->getArray("contents");
    std::vector<char> Bytes;
    if (!List || List->empty() || !List->front().getAsString() ||
        errorToBool(decodeBase64(*List->front().getAsString(), Bytes)) ||
        Bytes.size() < 4 * Taken.size())
      return false;
    for (size_t Each = 0; Each < Taken.size(); ++Each)
      if (any_of(ArrayRef(Bytes).slice(4 * Each, 4),
                 [](char C) { return C != 0; }))
        Taken[Each] = true;
    return true;
  }
  return false;
}

/// Whether the copy leaves what the original does. Where bytes differ it is
/// asked again, since they may be those of NaNs, which are all the same.
bool Runs::leavesTheSame(const CountedRound &R, const opencl::DeviceAnswer &A) {
  const json::Array *Outside = A.Body.getArray("out_of_bounds");
  if (Outside && !Outside->empty())
    return false;
  std::vector<std::string> Left = hashesOf(A);
  if (!Left.empty())
    Left.pop_back(); // the words
  if (R.Hashes.empty() || Left == R.Hashes)
    return true;
  opencl::DeviceAnswer Both =
      call(R, json::Array{json::Object(Plain), json::Object(Noting)});
  const json::Array *Differences = Both.Body.getArray("differences");
  auto Words = int64_t(R.Job.getArray("args")->size());
  return Both.ok() && Differences &&
         all_of(*Differences, [&](const json::Value &Each) {
           return Each.getAsObject()->getInteger("arg") == Words;
         });
}

/// Why nothing is known of the round; empty where something is.
std::string Runs::look(const CountedRound &R) {
  opencl::DeviceAnswer A = call(R, json::Array{json::Object(Noting)});
  if (!A.ok())
    return "the copy that notes branches: " + opencl::reasonOf(A);
  if (!leavesTheSame(R, A))
    return "the copy that notes branches leaves other results";
  if (!note(A, int64_t(R.Job.getArray("args")->size())))
    return "the device program sent no words back";
  return "";
}

void Runs::sum(Coverage &C) const {
  C.Taken = unsigned(count(Taken, true));
  std::set<size_t> NotReached, InPart;
  for (auto [B, Reached] : zip(I.Branches, Taken)) {
    if (Reached)
      continue;
    LineRange Lines = B.Lines;
    if (B.FirstInPart)
      InPart.insert(Lines.First++);
    addLines(NotReached, Lines);
  }
  // Where a branch that was taken begins, some of the line was reached.
  for (auto [B, Reached] : zip(I.Branches, Taken))
    if (Reached && NotReached.erase(B.Lines.First))
      InPart.insert(B.Lines.First);
  setLines(C, NotReached, InPart);
}

Coverage Runs::run(ArrayRef<CountedRound> Rounds) {
  Coverage C;
  C.Branches = unsigned(Taken.size());
  C.NotLookedAt = I.NotLookedAt;
  if (!Taken.empty() && !Rounds.empty())
    C.Unknown = build(Rounds.front());
  if (!C.Unknown.empty())
    return C;
  unsigned Looked = 0;
  for (const CountedRound &R : Rounds) {
    if (!is_contained(Taken, false))
      break;
    if (left() <= 0) {
      C.Looked = Looked;
      C.Rounds = unsigned(Rounds.size());
      break;
    }
    C.Unknown = look(R);
    if (!C.Unknown.empty() && left() <= 0) {
      C.Unknown = "";
      continue; // this one was not looked at
    }
    if (!C.Unknown.empty())
      return C;
    ++Looked;
  }
  if (!Looked && !Taken.empty())
    C.Unknown = "no time was left for it";
  else
    sum(C);
  return C;
}

} // namespace

Coverage coverageOf(const Instrumented &I, const Source &Original,
                    const std::string &Kernel, Arithmetic How,
                    const std::vector<CountedRound> &Rounds,
                    opencl::DeviceChannel &Device, double Seconds) {
  if (I.Problem.empty())
    return Runs(I, Original, Kernel, How, Device, Seconds).run(Rounds);
  Coverage C;
  C.Unknown = I.Problem;
  return C;
}

} // namespace clrewrite::verify
