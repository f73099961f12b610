// Compiling two versions for a proof.
#include "pipeline/Proving.h"
#include "frontend/AskedNames.h"
#include "frontend/BuildOptions.h"
#include "frontend/Emit.h"
#include "measure/TargetFamily.h"
#include "measure/llvm/Optimise.h"
#include "measure/llvm/OtherKernels.h"
#include "process/Child.h"
#include "rewrite/Registry.h"
#include "source/BoundedJson.h"
#include "source/Words.h"
#include "verify/Versions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"
#include <set>

using namespace llvm;

namespace clrewrite::pipeline {
namespace {

/// \p Line with \p Name in the place of its @.
std::string named(StringRef Line, StringRef Name) {
  auto [Before, After] = Line.split('@');
  return Line.contains('@') ? (Before + Name + After).str() : Line.str();
}

/// The name of the macro, where \p Lines begin with \p Hint.
std::optional<StringRef> nameIn(ArrayRef<StringRef> Lines,
                                ArrayRef<StringRef> Hint) {
  if (Lines.size() < Hint.size())
    return std::nullopt;
  StringRef Name;
  for (auto [Expected, Line] : zip(Hint, Lines))
    if (auto [Before, After] = Expected.split('@');
        Name.empty() && Expected.contains('@')) {
      Name = Line.rtrim('\r');
      if (!Name.consume_front(Before) || !Name.consume_back(After) ||
          Name.empty() || !all_of(Name, isInWord))
        return std::nullopt;
    }
  bool Same = all_of(zip(Hint, Lines), [&](auto Each) {
    auto [Expected, Line] = Each;
    return Line.rtrim('\r') == named(Expected, Name);
  });
  return Same ? std::optional(Name) : std::nullopt;
}

/// \p Text as compilers read it that know none of the rewrites' hints; its
/// lines have the numbers that they had.
std::string withoutHints(StringRef Text) {
  SmallVector<StringRef> Lines, Left;
  Text.split(Lines, '\n');
  std::string Out;
  std::set<std::string> Macros; // that hints define
  size_t I = 0;
  auto skip = [&](const rewrite::Hint &H) {
    SmallVector<StringRef> Own;
    StringRef(H.Lines).rtrim('\n').split(Own, '\n');
    std::optional<StringRef> Name = nameIn(ArrayRef(Lines).drop_front(I), Own);
    if (!Name)
      return false;
    I += Own.size();
    std::string Definition = named(H.Elsewhere, *Name);
    StringRef Macro = Definition;
    Macro.consume_front("#define ");
    Macros.insert(Macro.take_while(isInWord).str());
    // Where the name means something else already it is no hint.
    Out += "#pragma clang diagnostic push\n"
           "#pragma clang diagnostic error \"-Wmacro-redefined\"\n" +
           Definition + "\n#pragma clang diagnostic pop\n";
    Out.append(Own.size() - 4, '\n'); // The lines keep their numbers.
    return true;
  };
  while (I < Lines.size())
    if (none_of(rewrite::allRewrites(), [&](const rewrite::Rewrite *R) {
          return any_of(R->Hints, skip);
        })) {
      Left.push_back(Lines[I]);
      Out += Lines[I++];
      if (I < Lines.size())
        Out += '\n';
    }
  // A directive may ask which of the definitions there is.
  bool Asks = any_of(Left, [&](StringRef Line) {
    return Line.ltrim().starts_with("#") &&
           any_of(Macros,
                  [&](StringRef Macro) { return Line.contains(Macro); });
  });
  return Asks ? Text.str() : Out;
}

/// Why a text has no IR that other compilers may read otherwise.
constexpr StringLiteral AsksMore = "the text asks what it is compiled for";
/// Why a text has no IR that no compiler builds.
constexpr StringLiteral RefusesItself = "an #error ends the build";

/// The IR of \p S as the comparison of bytes builds it, or null and why. \p
/// Headers are as for frontend::emit(). What \p Answers has is not defined or
/// undefined by it.
std::unique_ptr<Module>
compiled(Source S, const std::string &Standard, const std::string &Kernel,
         LLVMContext &Context, std::string &Why,
         frontend::FileTexts *Headers = nullptr,
         const std::map<std::string, bool> &Answers = {}) {
  Why = "it does not compile here";
  Expected<std::vector<std::string>> Options =
      frontend::parseBuildOptions(S.Options);
  if (!Options) {
    consumeError(Options.takeError());
    return nullptr;
  }
  S.Options = std::move(*Options);
  if (!Standard.empty())
    S.Options.push_back(Standard);
  Source Exact = verify::withArithmetic(S, verify::Arithmetic::Exact);
  if (Exact.Options != S.Options) {
    Why = "an option lets the compiler change results";
    return nullptr;
  }
  llvm::erase(Exact.Options, "-w"); // which would hide another definition
  frontend::Diagnosis D;
  std::unique_ptr<Module> M = frontend::emit(
      Exact, measure::archOf({}), Context, D, /*Lines=*/true, Headers);
  for (const std::string &Name : D.Redefined)
    if (Answers.count(Name)) { // which its text does not show
      Why = (AsksMore + ": '" + Name + "', which it defines itself").str();
      return nullptr;
    }
  if (!D.AsksForTarget.empty()) {
    Why = (AsksMore + ": " + D.AsksForTarget).str();
    return nullptr;
  }
  if (!M) {
    if (D.RefusesItself)
      Why = RefusesItself.str();
    return nullptr;
  }
  measure::removeOthers(*M, {Kernel});
  measure::hideFunctions(*M);
  return M;
}

/// The most names that are asked for: two readings for each.
constexpr size_t MostAsked = 4;

/// Two versions as each compiler reads them, whatever macros it predefines, as
/// far as they only ask whether these are defined.
struct Answered {
  Source Before, After;
  frontend::FileTexts Headers; ///< of both
  std::map<std::string, bool> Answers;

  /// What precedes its results, for the user.
  std::string label() const {
    std::vector<std::string> All;
    for (StringRef Says : {" defined", " not defined", " true", " false"}) {
      std::vector<StringRef> Names;
      for (const auto &[Question, Yes] : Answers)
        if (Says == (isQuery(Question) ? Yes ? " true" : " false"
                     : Yes             ? " defined"
                                       : " not defined"))
          Names.push_back(Question);
      if (!Names.empty())
        All.push_back(join(Names, ", ") + Says.str());
    }
    return All.empty() ? "" : "read with " + join(All, " and ") + ": ";
  }

  /// It asks by __has_builtin and its like, and not whether that is defined.
  static bool isQuery(StringRef Question) { return Question.contains('('); }

  /// A query is true by a macro that is not defined.
  bool contradicts() const {
    return any_of(Answers, [&](const auto &Each) {
      auto Is = Answers.find(StringRef(Each.first).split('(').first.str());
      return isQuery(Each.first) && Each.second && Is != Answers.end() &&
             !Is->second;
    });
  }
};

/// \p Asks for all answers to what its texts ask; empty where that is too much.
std::vector<Answered> answered(const Answered &Asks) {
  std::vector<std::string> Names =
      frontend::askedNames({Asks.Before.Text, Asks.After.Text}, Asks.Headers);
  // A file that an option includes could define them.
  bool Given =
      any_of(concat<const std::string>(Asks.Before.Options, Asks.After.Options),
             [](StringRef Each) {
               return Each.starts_with("-include") ||
                      Each.starts_with("-imacros") ||
                      Each.contains(frontend::AnswersPrefix) ||
                      Each.contains("__has_") || Each.contains("__builtin_");
             });
  if (Given || Names.empty() || Names.size() > MostAsked)
    return {};
  std::vector<Answered> Out;
  for (size_t Bits = 0; Bits < size_t(1) << Names.size(); ++Bits) {
    Answered A = Asks;
    for (size_t I = 0; I < Names.size(); ++I)
      A.Answers[Names[I]] = !(Bits >> I & 1);
    if (A.contradicts())
      continue;
    for (Source *S : {&A.Before, &A.After}) {
      S->Text = frontend::withAnswers(S->Text, A.Answers);
      S->Options.push_back(frontend::AnswersOption);
    }
    for (auto &[Name, Text] : A.Headers)
      Text = frontend::withAnswers(Text, A.Answers);
    Out.push_back(std::move(A));
  }
  return Out;
}

json::Array packed(ArrayRef<prove::Suspect> Launches) {
  json::Array Suspects;
  for (const prove::Suspect &S : Launches) {
    json::Array Values, Numbers, Contents;
    for (const auto &[Where, Bits] : S.Values)
      Values.push_back(json::Array{Where.first, Where.second, int64_t(Bits)});
    for (const auto &[Argument, List] : S.Numbers)
      for (auto [Width, Bits] : List)
        Numbers.push_back(json::Array{Argument, Width, int64_t(Bits)});
    for (const auto &[Which, Bytes] : S.Contents)
      Contents.push_back(json::Array{Which, encodeBase64(Bytes)});
    Suspects.push_back(json::Object{{"global", json::Array(S.Global)},
                                    {"local", json::Array(S.Local)},
                                    {"values", std::move(Values)},
                                    {"numbers", std::move(Numbers)},
                                    {"contents", std::move(Contents)}});
  }
  return Suspects;
}

json::Value packed(const prove::Proof &P) {
  return json::Object{{"proved", P.Proved},
                      {"why", P.Why},
                      {"line", P.Line},
                      {"new", P.InNew},
                      {"suspects", packed(P.Suspects)}};
}

using Triples = std::vector<std::vector<int64_t>>;

bool unpack(const json::Value &V, prove::Suspect &S, json::Path P) {
  json::ObjectMapper O(V, P);
  std::vector<int64_t> Global, Local;
  Triples Values, Numbers;
  if (!O || !O.map("global", Global) || !O.map("local", Local) ||
      !O.map("values", Values) || !O.map("numbers", Numbers) ||
      Global.size() != 3 || Local.size() != 3 ||
      any_of(concat<std::vector<int64_t>>(Values, Numbers),
             [](const auto &Each) { return Each.size() != 3; }))
    return false;
  std::copy(Global.begin(), Global.end(), S.Global);
  std::copy(Local.begin(), Local.end(), S.Local);
  for (const auto &Each : Values)
    S.Values[{unsigned(Each[0]), unsigned(Each[1])}] = uint64_t(Each[2]);
  for (const auto &Each : Numbers)
    S.Numbers[unsigned(Each[0])].push_back(
        {unsigned(Each[1]), uint64_t(Each[2])});
  const json::Array *Contents = V.getAsObject()->getArray("contents");
  return Contents && all_of(*Contents, [&](const json::Value &Each) {
           const json::Array *Pair = Each.getAsArray();
           std::vector<char> Bytes;
           if (!Pair || Pair->size() != 2 || !(*Pair)[0].getAsInteger() ||
               !(*Pair)[1].getAsString() ||
               errorToBool(decodeBase64(*(*Pair)[1].getAsString(), Bytes)))
             return false;
           S.Contents[unsigned(*(*Pair)[0].getAsInteger())].assign(
               Bytes.begin(), Bytes.end());
           return true;
         });
}

std::vector<prove::Suspect> unpacked(const json::Array *List) {
  std::vector<prove::Suspect> Out;
  json::Path::Root Root;
  if (List)
    for (const json::Value &Each : *List)
      if (prove::Suspect S; unpack(Each, S, Root))
        Out.push_back(std::move(S));
  return Out;
}

prove::Proof unpacked(StringRef Text) {
  prove::Proof Out;
  json::Value V = jsonOrNull(Text);
  json::Path::Root Root;
  json::ObjectMapper O(V, Root);
  if (!O || !O.map("proved", Out.Proved) || !O.map("why", Out.Why) ||
      !O.map("line", Out.Line) || !O.map("new", Out.InNew)) {
    Out = {};
    Out.Why = "the prover sent no result";
  }
  if (const json::Object *All = V.getAsObject())
    Out.Suspects = unpacked(All->getArray("suspects"));
  return Out;
}

} // namespace

prove::Proof prove(const Source &Before, const Source &After,
                   const std::string &Standard, const std::string &Kernel,
                   const verify::VerifyOptions &How) {
  prove::Proof Out;
  if (!(How.Change == launch::LaunchChange()))
    Out.Why = "the versions are not launched alike";
  else if (How.Build != verify::Arithmetic::Exact)
    Out.Why = "the versions are not built alike";
  if (!Out.Why.empty())
    return Out;
  auto asksMore = [](StringRef Why) { return Why.starts_with(AsksMore); };
  // Of A; none where the compilers that read it so have nothing to prove. A
  // gets the headers that it has not yet.
  auto proofOf = [&](Answered &A) -> std::optional<prove::Proof> {
    LLVMContext OldContext, NewContext;
    prove::Proof P;
    std::string WhyNew;
    std::unique_ptr<Module> New,
        Old = compiled(A.Before, Standard, Kernel, OldContext, P.Why,
                       &A.Headers, A.Answers);
    if (!Old && P.Why == RefusesItself)
      return std::nullopt;
    if (Old || asksMore(P.Why))
      New = compiled(A.After, Standard, Kernel, NewContext, WhyNew, &A.Headers,
                     A.Answers);
    if (!Old || !New) {
      if (Old)
        P.Why = WhyNew;
      return P;
    }
    if (!Old->getFunction(Kernel) && !New->getFunction(Kernel))
      return std::nullopt;
    return prove::prove(*Old, *New, Kernel, /*NoOverlap=*/!How.MayOverlap,
                        std::min(1.0, How.ProofSeconds / 10.0));
  };
  auto work = [&]() -> std::string {
    prove::Proof Done; // of the last reading that some compiler has
    Done.Why = "it does not compile here";
    // False where it is not proved, which ends it.
    auto goesOn = [&](std::optional<prove::Proof> P, const std::string &Label) {
      if (!P)
        return true;
      Done = std::move(*P);
      if (!Done.Proved && !asksMore(Done.Why))
        Done.Why = Label + Done.Why;
      return Done.Proved;
    };
    for (const verify::Reading &R : verify::readingsOf(Before, After)) {
      Answered Plain{R.Before, R.After, {}, {}};
      for (Source *S : {&Plain.Before, &Plain.After})
        S->Text = withoutHints(S->Text);
      std::optional<prove::Proof> P = proofOf(Plain);
      std::vector<Answered> Each;
      if (P && asksMore(P->Why))
        Each = answered(Plain);
      if (Each.empty() && !goesOn(std::move(P), R.label()))
        return formatv("{0}", packed(Done));
      for (Answered &A : Each) {
        P = proofOf(A);
        if (A.Headers.size() != Plain.Headers.size()) {
          P = prove::Proof();
          P->Why = (AsksMore + ", as it includes another file then").str();
        }
        if (!goesOn(std::move(P), R.label() + A.label()))
          return formatv("{0}", packed(Done));
      }
    }
    return formatv("{0}", packed(Done));
  };
  process::ChildResult Result =
      process::runInChildren({work}, {How.ProofSeconds, 1, 4096}).front();
  if (Result.Status == process::ChildResult::Done)
    return unpacked(Result.Output);
  Out.Why = "the prover " + Result.Problem;
  return Out;
}

std::vector<prove::Suspect>
launchesThatTake(const std::vector<unsigned> &Branches, const Source &Original,
                 const verify::Instrumented &Copy, const std::string &Standard,
                 const std::string &Kernel, const verify::VerifyOptions &How) {
  auto work = [&]() -> std::string {
    LLVMContext Context;
    std::string Why;
    Source Noting = Original;
    Noting.Text = Copy.Text;
    std::unique_ptr<Module> M =
        compiled(Noting, Standard, Kernel, Context, Why);
    if (!M)
      return "[]";
    return jsonText(packed(
        prove::launchesThatWrite(*M, Kernel, Branches, !How.MayOverlap,
                                 std::min(1.0, How.ProofSeconds / 10.0))));
  };
  process::ChildResult Result =
      process::runInChildren({work}, {How.ProofSeconds, 1, 4096}).front();
  return unpacked(jsonOrNull(Result.Output).getAsArray());
}

/// The value of an argument of type \p A whose lanes have the bits \p Lanes.
static json::Value valueOf(const rewrite::KernelArg &A,
                           ArrayRef<uint64_t> Lanes) {
  uint64_t Each = std::max<uint64_t>(1, A.Bytes / Lanes.size());
  unsigned Rest = 64 - unsigned(std::min<uint64_t>(8, Each) * 8);
  if (Lanes.size() == 1 &&
      is_contained({"int", "uint", "long", "short"}, A.Type))
    return json::Object{
        {"scalar",
         json::Object{{"type", A.Type},
                      {"value", A.Type == "uint"
                                    ? int64_t(Lanes[0])
                                    : int64_t(Lanes[0] << Rest) >> Rest}}}};
  std::string Bytes;
  for (uint64_t Bits : Lanes)
    for (uint64_t I = 0; I < Each; ++I)
      Bytes += char(I < 8 ? Bits >> (8 * I) : 0);
  Bytes.resize(A.Bytes);
  return json::Object{{"bytes", encodeBase64(Bytes)}};
}

/// The bits of a scalar type; 0 for any other.
static unsigned bitsOf(StringRef Type) {
  return is_contained({"char", "uchar"}, Type)             ? 8
         : is_contained({"short", "ushort", "half"}, Type) ? 16
         : is_contained({"int", "uint", "float"}, Type)    ? 32
         : is_contained({"long", "ulong", "double"}, Type) ? 64
                                                           : 0;
}

std::vector<verify::LaunchShape> shapesOf(ArrayRef<prove::Suspect> Suspects,
                                          const rewrite::KernelInfo &Kernel) {
  std::vector<verify::LaunchShape> Out;
  for (const prove::Suspect &S : Suspects) {
    verify::LaunchShape L;
    size_t Dimensions = std::clamp<size_t>(Kernel.Dimensions, 1, 3);
    L.Global.assign(S.Global, S.Global + Dimensions);
    L.Local.assign(S.Local, S.Local + Dimensions);
    for (auto [I, A] : enumerate(Kernel.Args)) {
      std::vector<uint64_t> Lanes;
      for (unsigned Lane = 0; S.Values.count({unsigned(I), Lane}); ++Lane)
        Lanes.push_back(S.Values.at({unsigned(I), Lane}));
      if (!Lanes.empty() && !A.Pointer && A.Bytes)
        L.Values.push_back({A.Name, valueOf(A, Lanes)});
      if (auto Held = S.Contents.find(unsigned(I)); Held != S.Contents.end()) {
        std::string Bytes = Held->second;
        if (A.Pointer) {
          L.Fills.push_back({A.Name, {"base64:" + encodeBase64(Bytes), ""}});
        } else if (A.Bytes) {
          Bytes.resize(A.Bytes);
          L.Values.push_back(
              {A.Name, json::Object{{"bytes", encodeBase64(Bytes)}}});
        }
      }
      auto Numbers = S.Numbers.find(unsigned(I));
      if (Numbers == S.Numbers.end() || !A.Pointer)
        continue;
      unsigned Width = Numbers->second.front().first;
      std::string Fill = "bits";
      for (auto [Bits, Value] : Numbers->second)
        if (Bits == Width)
          Fill += ":" + utostr(Value);
      // What is not compared as floats has NaNs of many kinds.
      bool IsOwn = Width == bitsOf(StringRef(A.Type).rtrim("0123456789"));
      L.Fills.push_back({A.Name,
                         {Fill, IsOwn         ? ""
                                : Width == 8  ? "uchar"
                                : Width == 16 ? "ushort"
                                : Width == 32 ? "uint"
                                              : "ulong"}});
    }
    Out.push_back(std::move(L));
  }
  return Out;
}

/// The versions leave the same bytes in \p Job, within their buffers.
static bool agree(json::Object Job, const verify::ChosenDevice &On) {
  opencl::DeviceAnswer A = On.Channel->call(std::move(Job));
  auto none = [&](StringRef Of) {
    const json::Array *List = A.Body.getArray(Of);
    return List && List->empty();
  };
  return A.ok() && none("differences") && none("out_of_bounds");
}

/// The job that told the versions apart; none where there is none that could be
/// done again.
static std::optional<json::Object> jobOf(const verify::Verification &V,
                                         const verify::ChosenDevice &On) {
  if (!On.Channel || V.Replay.empty())
    return std::nullopt;
  Expected<json::Value> Job = json::parse(V.Replay);
  if (!Job) {
    consumeError(Job.takeError());
    return std::nullopt;
  }
  return std::move(*Job->getAsObject());
}

/// The versions agree in one of several more runs of \p Job. A wrong
/// compilation shows in every run; work-items that race leave other bytes from
/// run to run.
static bool comesAndGoes(const json::Object &Job,
                         const verify::ChosenDevice &On) {
  constexpr unsigned Times = 4;
  return any_of(seq(Times), [&](unsigned) { return agree(Job, On); });
}

void addProof(verify::Verification &V, const prove::Proof &P,
              const verify::ChosenDevice &On) {
  using verify::Verification;
  if (!P.Proved || V.DeviceFailed)
    return;
  if (V.Verdict == Verification::Different) {
    std::optional<json::Object> Job = jobOf(V, On);
    if (!Job || !comesAndGoes(*Job, On)) {
      V.Evidence += "; but it was proved equal for all inputs";
      V.Evidence +=
          Job && agree(opencl::unoptimised(std::move(*Job)), On)
              ? ", and with -cl-opt-disable both leave the same there: the "
                "compiler of " +
                    On.Name + " is suspected, not the edit"
              : ": either the driver of " + On.Name + " or the proof is wrong";
      return;
    }
    V.Verdict = Verification::Unknown;
    V.Evidence = "its work-items race, a launch leaves other bytes from run to "
                 "run";
    V.Replay.clear();
    V.How.reset();
  }
  V.Evidence = V.Verdict == Verification::Same ? V.Evidence + "; " + words(P)
               : V.Verdict == Verification::Varying
                   ? words(P) + "; in runs it " + V.Evidence
                   : words(P) + "; not compared by runs: " + V.Evidence;
  V.Verdict = Verification::Same;
  V.Proved = true;
}

std::string words(const prove::Proof &P) {
  if (P.Proved)
    return "proved equal for all inputs";
  std::string Where =
      P.Line ? "line " + utostr(P.Line) +
                   (P.InNew ? " of the new version: " : " of the original: ")
             : "";
  return "not proved: " + Where + P.Why;
}

} // namespace clrewrite::pipeline
