// Runs the copy that notes branches, and says what was not reached.
#include "verify/Coverage.h"
#include "source/BoundedJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
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
  json::Array InPart, False;
  for (const Branch &B : I.Branches) {
    Lines.push_back(B.Lines);
    InPart.push_back(unsigned(B.FirstInPart));
    False.push_back(unsigned(B.IsFalse));
  }
  return json::Object{
      {"problem", textOfBytes(I.Problem)}, {"text", textOfBytes(I.Text)},
      {"plain", textOfBytes(I.Plain)},     {"lines", toJSON(Lines)},
      {"in part", std::move(InPart)},      {"false", std::move(False)},
      {"not looked at", I.NotLookedAt}};
}

bool fromJSON(const json::Value &V, Instrumented &I, json::Path P) {
  json::ObjectMapper O(V, P);
  std::vector<LineRange> Lines;
  std::vector<unsigned> InPart, IsFalse; // 0 or 1
  if (!O || !mapBytes(O, "problem", I.Problem) ||
      !mapBytes(O, "text", I.Text) || !mapBytes(O, "plain", I.Plain) ||
      !mapLines(O, "lines", Lines) || !O.map("in part", InPart) ||
      !O.map("false", IsFalse) || !O.map("not looked at", I.NotLookedAt) ||
      InPart.size() != Lines.size() || IsFalse.size() != Lines.size())
    return false;
  I.Branches.clear();
  for (size_t B = 0; B < Lines.size(); ++B)
    I.Branches.push_back({Lines[B], InPart[B] != 0, IsFalse[B] != 0});
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
                      {"never_false", json::Array(C.NeverFalse)},
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
      !O.map("never_false", C.NeverFalse) ||
      !O.map("looked_at_rounds", Looked) || (Looked && Looked->size() != 2))
    return false;
  C.Unknown = Unknown.value_or("");
  C.Looked = Looked ? (*Looked)[0] : 0;
  C.Rounds = Looked ? (*Looked)[1] : 0;
  return true;
}

static std::vector<LineRange> asRanges(ArrayRef<unsigned> Lines) {
  std::vector<LineRange> Out;
  for (unsigned Line : Lines)
    Out.push_back({Line, Line});
  return Out;
}

std::string words(const Coverage &C) {
  if (!C.Unknown.empty())
    return "coverage: unknown (" + C.Unknown + ")";
  std::vector<std::string> Lines, Out;
  auto named = [](StringRef Before, ArrayRef<LineRange> List) {
    bool One = List.size() == 1 && List[0].First == List[0].Last;
    return (Before + (One ? "line " : "lines ")).str() + lineNumbers(List);
  };
  std::string Within = C.Looked ? " in the first " + utostr(C.Looked) + " of " +
                                      utostr(C.Rounds) + " rounds"
                                : "";
  if (!C.NotReached.empty())
    Lines.push_back(named("", C.NotReached));
  if (!C.ReachedInPart.empty())
    Lines.push_back(named("part of ", asRanges(C.ReachedInPart)));
  if (!Lines.empty())
    Out.push_back("not reached" + Within + ": " + join(Lines, ", "));
  if (!C.NeverFalse.empty())
    Out.push_back("never false" + Within + ": " +
                  named(C.NeverFalse.size() == 1 ? "the condition of "
                                                 : "the conditions of ",
                        asRanges(C.NeverFalse)));
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
  std::set<unsigned> NeverFalse;
  for (const Coverage *Each : {&std::as_const(Into), &Other}) {
    for (const LineRange &L : Each->NotReached)
      addLines(NotReached, L);
    InPart.insert(Each->ReachedInPart.begin(), Each->ReachedInPart.end());
    NeverFalse.insert(Each->NeverFalse.begin(), Each->NeverFalse.end());
  }
  setLines(Into, NotReached, InPart);
  Into.NeverFalse.assign(NeverFalse.begin(), NeverFalse.end());
  Into.Branches = std::max(Into.Branches, Other.Branches);
  Into.Taken = std::min(Into.Taken, Other.Taken);
  Into.Seconds += Other.Seconds;
  Into.NotLookedAt = std::max(Into.NotLookedAt, Other.NotLookedAt);
  if (Other.Looked && (!Into.Looked || Other.Looked < Into.Looked)) {
    Into.Looked = Other.Looked;
    Into.Rounds = Other.Rounds;
  }
}

BufferHashes hashesOf(const opencl::DeviceAnswer &A) {
  BufferHashes Out;
  if (const json::Array *Buffers = A.Body.getArray("buffers"))
    for (const json::Value &B : *Buffers)
      if (const json::Object *O = B.getAsObject())
        if (const json::Array *List = O->getArray("hash");
            List && !List->empty())
          Out[O->getInteger("arg").value_or(-1)] =
              List->front().getAsString().value_or("").str();
  return Out;
}

static json::Object versionOf(Source Original, const std::string &Text,
                              const std::string &Kernel, Arithmetic How) {
  Original.Text = Text;
  json::Object Out = deviceProgram(Original, How);
  Out["kernel"] = Kernel;
  return Out;
}

CoverageRuns::CoverageRuns(Instrumented Copy, const Source &Original,
                           const std::string &Kernel, Arithmetic How,
                           opencl::DeviceChannel &Device, double Seconds)
    : I(std::move(Copy)), Device(Device), Limit(Seconds),
      Noting(versionOf(Original, I.Text, Kernel, How)),
      Plain(versionOf(Original, I.Plain, Kernel, How)),
      Taken(I.Branches.size()), Unknown(I.Problem) {}

double CoverageRuns::left() const {
  return std::chrono::duration<double>(*End - process::Clock::now()).count();
}

std::vector<unsigned> CoverageRuns::missed() const {
  std::vector<unsigned> Out;
  for (size_t B = 0; B < Taken.size() && Unknown.empty(); ++B)
    if (!Taken[B])
      Out.push_back(unsigned(B));
  return Out;
}

/// The versions on the inputs of \p R, with the buffer of words behind them.
opencl::DeviceAnswer CoverageRuns::call(const CountedRound &R,
                                        json::Array Versions) {
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

/// Builds the copy for the device of \p R, which does not count as time for the
/// rounds. Why it can't be built; empty where it can.
std::string CoverageRuns::build(const CountedRound &R) {
  json::Object Job(Noting);
  Job["job"] = "build";
  if (const json::Value *Index = R.Job.get("device"))
    Job["device"] = *Index;
  opencl::DeviceAnswer A = Device.call(std::move(Job));
  End = process::Clock::now() +
        std::chrono::duration_cast<process::Clock::duration>(Limit);
  return A.ok() ? "" : "the copy that notes branches: " + opencl::reasonOf(A);
}

/// Notes the branches that \p A, the answer to \p R, says were taken. False
/// where it says nothing.
bool CoverageRuns::note(const CountedRound &R, const opencl::DeviceAnswer &A) {
  auto Argument = int64_t(R.Job.getArray("args")->size());
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
      if ((R.Wrote || I.Branches[Each].IsFalse) &&
          any_of(ArrayRef(Bytes).slice(4 * Each, 4),
                 [](char C) { return C != 0; }))
        Taken[Each] = true;
    return true;
  }
  return false;
}

/// Whether the copy leaves what the original does. Where bytes differ it is
/// asked again, since they may be those of NaNs, which are all the same.
bool CoverageRuns::leavesTheSame(const CountedRound &R,
                                 const opencl::DeviceAnswer &A) {
  const json::Array *Outside = A.Body.getArray("out_of_bounds");
  if (Outside && !Outside->empty())
    return false;
  auto Words = int64_t(R.Job.getArray("args")->size());
  BufferHashes Left = hashesOf(A);
  Left.erase(Words);
  if (R.Hashes.empty() || Left == R.Hashes)
    return true;
  opencl::DeviceAnswer Both =
      call(R, json::Array{json::Object(Plain), json::Object(Noting)});
  const json::Array *Differences = Both.Body.getArray("differences");
  return Both.ok() && Differences &&
         all_of(*Differences, [&](const json::Value &Each) {
           return Each.getAsObject()->getInteger("arg") == Words;
         });
}

/// Why nothing is known of the round; empty where something is.
std::string CoverageRuns::look(const CountedRound &R) {
  opencl::DeviceAnswer A = call(R, json::Array{json::Object(Noting)});
  if (!A.ok())
    return "the copy that notes branches: " + opencl::reasonOf(A);
  if (!leavesTheSame(R, A))
    return "the copy that notes branches leaves other results";
  if (!note(R, A))
    return "the device program sent no words back";
  return "";
}

void CoverageRuns::sum(Coverage &C) const {
  C.Taken = unsigned(count(Taken, true));
  std::set<size_t> NotReached, InPart;
  for (auto [B, Reached] : zip(I.Branches, Taken)) {
    if (Reached || B.IsFalse)
      continue;
    LineRange Lines = B.Lines;
    if (B.FirstInPart)
      InPart.insert(Lines.First++);
    addLines(NotReached, Lines);
  }
  // Where a branch that was taken begins, some of the line was reached.
  for (auto [B, Reached] : zip(I.Branches, Taken))
    if (Reached && !B.IsFalse && NotReached.erase(B.Lines.First))
      InPart.insert(B.Lines.First);
  setLines(C, NotReached, InPart);
  // A condition that was not asked was not true either.
  std::set<unsigned> NeverFalse;
  for (auto [B, Reached] : zip(I.Branches, Taken))
    if (!Reached && B.IsFalse && !NotReached.count(B.Lines.First))
      NeverFalse.insert(unsigned(B.Lines.First));
  C.NeverFalse.assign(NeverFalse.begin(), NeverFalse.end());
}

Coverage CoverageRuns::run(const std::vector<CountedRound> &Rounds) {
  Coverage C;
  C.Branches = unsigned(Taken.size());
  C.NotLookedAt = I.NotLookedAt;
  if (Unknown.empty() && !End && !Taken.empty() && !Rounds.empty())
    Unknown = build(Rounds.front());
  for (; Unknown.empty() && Next < Rounds.size() && !missed().empty() &&
         left() > 0;
       ++Next) {
    if (!Rounds[Next].Wrote &&
        none_of(missed(), [&](unsigned B) { return I.Branches[B].IsFalse; }))
      continue;
    std::string Why = look(Rounds[Next]);
    if (!Why.empty() && left() <= 0)
      break; // this one was not looked at
    Unknown = std::move(Why);
  }
  C.Unknown = Unknown;
  if (Unknown.empty() && !Next && !Taken.empty())
    C.Unknown = "no time was left for it";
  if (!C.Unknown.empty())
    return C;
  if (Next < Rounds.size() && !missed().empty()) {
    C.Looked = unsigned(Next);
    C.Rounds = unsigned(Rounds.size());
  }
  sum(C);
  return C;
}

} // namespace clrewrite::verify
