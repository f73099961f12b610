// Headers after the files that include them, each with its text in the place of
// its #include.
#include "pipeline/Headers.h"
#include "frontend/Inclusions.h"
#include "measure/TargetFamily.h"
#include "pipeline/Includers.h"
#include "pipeline/Look.h"
#include "pipeline/Unit.h"
#include "source/BoundedJson.h"
#include "source/File.h"
#include "source/Lines.h"
#include "source/RealPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace llvm;

namespace clrewrite::pipeline {

static json::Value packed(const frontend::Inclusions &Seen) {
  json::Array List;
  for (const frontend::Inclusion &I : Seen.List)
    List.push_back(json::Array{
        textOfBytes(I.Path), textOfBytes(I.Real),
        I.Within ? json::Value(int64_t(*I.Within)) : nullptr, int64_t(I.Begin),
        int64_t(I.End), I.Line, I.Entered, I.System, I.AtFileScope});
  return json::Object{{"list", std::move(List)},
                      {"tokens", Seen.Tokens},
                      {"failed", Seen.Failed}};
}

static frontend::Inclusions unpacked(const json::Object &O) {
  frontend::Inclusions Seen;
  Seen.Failed = O.getBoolean("failed").value_or(true);
  if (const json::Value *Tokens = O.get("tokens"))
    Seen.Tokens = Tokens->getAsUINT64().value_or(0);
  for (const json::Value &V : *O.getArray("list")) {
    const json::Array &A = *V.getAsArray();
    frontend::Inclusion I;
    I.Path = bytesOfText(*A[0].getAsString());
    I.Real = bytesOfText(*A[1].getAsString());
    if (std::optional<int64_t> Within = A[2].getAsInteger())
      I.Within = size_t(*Within);
    I.Begin = size_t(*A[3].getAsInteger());
    I.End = size_t(*A[4].getAsInteger());
    I.Line = unsigned(*A[5].getAsInteger());
    I.Entered = *A[6].getAsBoolean();
    I.System = *A[7].getAsBoolean();
    I.AtFileScope = *A[8].getAsBoolean();
    Seen.List.push_back(std::move(I));
  }
  return Seen;
}

/// inclusionsOf, in a child process.
static frontend::Inclusions scan(const Source &S, const frontend::Arch &A,
                                 const process::ChildLimits &Limits) {
  std::function<std::string()> Job = [&] {
    std::string Text;
    raw_string_ostream(Text) << packed(frontend::inclusionsOf(S, A));
    return Text;
  };
  process::ChildResult Result = process::runInChildren(Job, Limits).front();
  frontend::Inclusions Failed;
  Failed.Failed = true;
  if (Result.Status != process::ChildResult::Done)
    return Failed;
  json::Value V = jsonOrNull(Result.Output);
  if (V.getAsObject() && V.getAsObject()->getArray("list"))
    return unpacked(*V.getAsObject());
  return Failed;
}

namespace {

/// What stands before and behind the text of a header.
struct Surrounding {
  std::string Before, After;
  /// Why there is none; a part of a sentence that begins with the includer.
  std::string Problem = {};
};

/// Writes the program with the text of some files in it.
class Inliner {
public:
  Inliner(const Source &S, const frontend::Inclusions &Seen, size_t Target,
          function_ref<std::string(const std::string &)> Read)
      : S(S), Seen(Seen), Target(Target), Read(Read) {
    // What includes the header, even a second time in vain, must be there as
    // text too: #pragma once tells files, not texts.
    Inlined.insert(Seen.List[Target].Real);
    for (bool Grown = true; Grown;) {
      Grown = false;
      for (const frontend::Inclusion &I : Seen.List)
        if (Inlined.count(I.Real) && I.Within)
          Grown |= Inlined.insert(Seen.List[*I.Within].Real).second;
    }
  }

  Surrounding run() {
    text(S.Text, S.Path, std::nullopt);
    return {Out.substr(0, Begin), Out.substr(End)};
  }

private:
  const Source &S;
  const frontend::Inclusions &Seen;
  size_t Target;
  function_ref<std::string(const std::string &)> Read;
  std::set<std::string> Inlined;
  std::string Out;
  size_t Begin = 0, End = 0;

  void mark(StringRef Path, unsigned Line) {
    if (!Out.empty() && Out.back() != '\n')
      Out += '\n';
    Out += lineMarker(Out, Path, Line);
  }

  /// The text of a file, which is that of inclusion \p Number.
  void text(StringRef Text, StringRef Path, std::optional<size_t> Number) {
    size_t At = 0;
    for (size_t I = 0; I < Seen.List.size(); ++I) {
      const frontend::Inclusion &Each = Seen.List[I];
      if (Each.Within != Number || Each.End == 0 || Each.Begin < At)
        continue;
      Out += Text.slice(At, Each.Begin);
      At = Each.End;
      if (Each.System)
        Out += Text.slice(Each.Begin, Each.End);
      else if (!Inlined.count(Each.Real))
        Out += "#include \"" + Each.Real + "\"";
      else if (Each.Entered)
        inlined(I, Path);
    }
    Out += Text.substr(At);
  }

  void inlined(size_t I, StringRef Outer) {
    const frontend::Inclusion &Each = Seen.List[I];
    std::string Text = Read(Each.Real);
    if (I == Target) {
      // The unit marks its own first line.
      if (!Out.empty() && Out.back() != '\n')
        Out += '\n';
      Begin = Out.size();
      Out += Text;
      End = Out.size();
    } else {
      mark(Each.Path, 1);
      this->text(Text, Each.Path, I);
    }
    mark(Outer, Each.Line);
  }
};

} // namespace

/// What \p S, which includes \p Seen, has around the file \p Real. \p Read
/// gives the texts of files.
static Surrounding
surrounding(const Source &S, const frontend::Inclusions &Seen, StringRef Real,
            function_ref<std::string(const std::string &)> Read) {
  std::optional<size_t> Target;
  for (size_t I = 0; I < Seen.List.size(); ++I)
    if (const frontend::Inclusion &Each = Seen.List[I];
        Each.Entered && Each.Real == Real) {
      if (Target)
        return {"", "", "includes it more than once"};
      Target = I;
    }
  if (!Target)
    return {"", "", "does not include it"};
  // Its includers', too, must be directives that can be replaced.
  for (std::optional<size_t> I = Target; I; I = Seen.List[*I].Within) {
    if (!Seen.List[*I].AtFileScope)
      return {"", "", "includes it within a declaration"};
    if (Seen.List[*I].End == 0)
      return {"", "", "includes it by an option"};
  }
  return Inliner(S, Seen, *Target, Read).run();
}

namespace {

/// The bytes of a file that can't be read are none: its run says why.
std::string ifRead(Expected<std::string> Text) {
  if (Text)
    return std::move(*Text);
  consumeError(Text.takeError());
  return "";
}

/// A way in which an includer is built.
struct Program {
  std::string Path, Name; ///< the includer, and what tells the build apart
  Build How;
  Source Whole; ///< with what the includer became
  frontend::Inclusions Seen;
  report::FileReport *Report;
  const Setup *With;

  const frontend::Inclusion *entering(StringRef Real) const {
    auto It = find_if(Seen.List, [&](const frontend::Inclusion &I) {
      return I.Entered && I.Real == Real;
    });
    return It == Seen.List.end() ? nullptr : &*It;
  }
};

/// A header, and of each of its builds the program that it is; null for the
/// header by itself.
struct HeaderUnit {
  Unit What;
  std::vector<const Program *> Of;
  const Setup *With = nullptr;
};

/// What \p S, worked on with \p With, includes.
frontend::Inclusions scanned(const Source &S, const Setup &With) {
  return scan(S, measure::archOf(With.Options.Search.Targets),
              With.Options.Limits);
}

bool isWholeFile(const Unit &U) { return !U.Within && !U.Text; }

Source partOf(const Unit &U, StringRef File) {
  Part P = U.Within.value_or(Part{0, File.size()});
  return {U.Path, File.slice(P.Begin, P.End).str(), {}};
}

class HeaderRuns {
public:
  HeaderRuns(std::vector<Unit> &Mains, std::vector<const Setup *> Setups,
             bool All)
      : All(All), Mains(Mains), Setups(std::move(Setups)) {}

  report::Report run() {
    putIncludedAside();
    R = clrewrite::pipeline::run(Mains, Setups);
    if (!All && Aside.empty())
      return std::move(R);
    if (!interrupted())
      runHeaders();
    if (interrupted())
      noteNotBegun();
    append_range(R.Files, std::move(Headers.Files));
    append_range(Mains, std::move(HeaderUnits));
    return std::move(R);
  }

private:
  bool All;
  std::vector<Unit> &Mains;
  std::vector<const Setup *> Setups; ///< of Mains
  /// Files that were given, and that others include, by their real paths.
  std::map<std::string, std::pair<Unit, const Setup *>> Aside;
  std::set<std::string> Done; ///< headers, by their real paths
  report::Report R, Headers;
  std::vector<Unit> HeaderUnits;           ///< of Headers.Files
  std::map<std::string, Includers> Beside; ///< by the folder of all sources

  bool interrupted() const {
    return any_of(Setups, [](const Setup *S) { return isInterrupted(*S); });
  }

  void runHeaders() {
    std::vector<Program> Programs = programs();
    while (std::optional<frontend::Inclusion> Next = nextHeader(Programs)) {
      // An edit moves what other headers stand in.
      if (header(*Next, Programs))
        Programs = programs();
      if (interrupted())
        return;
    }
  }

  /// Headers that were given, and whose turn did not come.
  void noteNotBegun() {
    for (const auto &[Real, Given] : Aside)
      if (!Done.count(Real)) {
        Headers.Files.push_back(notBegun(Given.first));
        HeaderUnits.push_back(Given.first);
      }
  }

  /// Files that others include are looked at after them.
  void putIncludedAside() {
    std::map<std::string, std::set<size_t>> Includers =
        includersAmong(Mains, Setups);
    std::set<size_t> Moved;
    for (size_t I = 0; I < Mains.size(); ++I) {
      std::string Real = realPath(Mains[I].Path);
      // Of two that include each other one comes first.
      // A part that is no program is given as whatever changed is.
      bool Later = isWholeFile(Mains[I]) && (All || !Mains[I].Incomplete) &&
                   any_of(Includers[Real], [&](size_t Other) {
                     return Other != I && !Moved.count(Other);
                   });
      if (Later && Aside.insert({Real, {Mains[I], Setups[I]}}).second)
        Moved.insert(I);
    }
    std::vector<Unit> Kept;
    std::vector<const Setup *> KeptSetups;
    for (size_t I = 0; I < Mains.size(); ++I)
      if (!Moved.count(I)) {
        Kept.push_back(std::move(Mains[I]));
        KeptSetups.push_back(Setups[I]);
      }
    Mains = std::move(Kept);
    Setups = std::move(KeptSetups);
  }

  std::vector<Program> programs() {
    std::vector<Program> Out;
    for (auto [U, With, F] : zip(Mains, Setups, R.Files)) {
      if (U.HostMade || U.Text || (U.Within && U.Within->Escaped) ||
          !With->Problem.empty())
        continue;
      Source Text = partOf(U, F.Given);
      if (F.Problem.empty())
        Text.Text = F.Result.Result.Text;
      for (const Build &B : U.Builds) {
        Source S = whole(Text, B);
        frontend::Inclusions Seen = scanned(S, *With);
        if (!Seen.List.empty())
          Out.push_back({U.Path, nameOf(U, B), B, std::move(S), std::move(Seen),
                         &F, With});
      }
    }
    return Out;
  }

  static std::string nameOf(const Unit &U, const Build &B) {
    std::string Name = U.Path;
    if (U.Within)
      Name += ":" + std::to_string(lineAt(ifRead(readText(U.Path, U.Folder)),
                                          U.Within->Begin));
    return Name + (B.Name.empty() ? "" : ", " + B.Name);
  }

  /// The first of those to look at that are not done, by name.
  std::optional<frontend::Inclusion> nextHeader(ArrayRef<Program> Programs) {
    std::optional<frontend::Inclusion> First;
    for (const Program &P : Programs)
      for (const frontend::Inclusion &I : P.Seen.List)
        if (I.Entered && !I.System && !Done.count(I.Real) &&
            (!First || I.Real < First->Real) &&
            (Aside.count(I.Real) || (All && hasSites(P, I))))
          First = I;
    if (First)
      Done.insert(First->Real);
    return First;
  }

  static bool standsIn(const rewrite::Declined &D,
                       const frontend::Inclusion &I) {
    SmallString<256> Path(I.Path); // Declined::Header has no dots either
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    return D.Header == Path.str();
  }

  static bool hasSites(const Program &P, const frontend::Inclusion &I) {
    return any_of(P.Report->Result.Declines,
                  [&](const rewrite::Declined &D) { return standsIn(D, I); });
  }

  /// Says of the sites in \p I why they are left. False: nothing is written.
  bool decline(const frontend::Inclusion &I, ArrayRef<Program> Programs,
               const std::string &Why) const {
    for (const Program &P : Programs)
      if (const frontend::Inclusion *Own = P.entering(I.Real))
        for (rewrite::Declined &D : P.Report->Result.Declines)
          if (standsIn(D, *Own))
            D.Reason = includedIn(D) + "; not edited: " + Why;
    if (Aside.count(I.Real))
      Programs.front().With->Options.Tell(
          "clrewrite: note: " + shortPath(I.Real) + ": not edited: " + Why +
          "\n");
    return false;
  }

  /// Why somebody who is not asked might use \p I, with text \p Text; empty
  /// where nobody is seen.
  std::string otherUser(const frontend::Inclusion &I, StringRef Text,
                        ArrayRef<Program> Programs) {
    for (const char *Macro :
         {"__OPENCL_VERSION__", "__OPENCL_C_VERSION__", "__cplusplus"})
      if (Text.contains(Macro))
        return std::string("it asks for ") + Macro +
               ", so host programs may use it, too";
    std::set<std::string> Known;
    for (const Program &P : Programs) {
      Known.insert(realPath(P.Path));
      for (const frontend::Inclusion &Each : P.Seen.List)
        Known.insert(Each.Real);
    }
    for (const auto &[Path, Given] : Aside)
      Known.insert(Path);
    std::string Root = repositoryOf(I.Real);
    if (Root.empty())
      Root = isBelow(I.Real, realPath(".")) ? realPath(".") : folderOf(I.Real);
    auto [It, New] = Beside.try_emplace(Root, Root);
    std::string Other = It->second.unknown(I.Real, Known);
    return Other.empty() ? ""
                         : shortPath(Other) + " includes it, too, directly or "
                                              "not, and is not worked on";
  }

  /// They are told where they stand.
  static void forget(const frontend::Inclusion &I, ArrayRef<Program> Programs) {
    for (const Program &P : Programs)
      if (const frontend::Inclusion *Own = P.entering(I.Real))
        llvm::erase_if(
            P.Report->Result.Declines,
            [&](const rewrite::Declined &D) { return standsIn(D, *Own); });
  }

  bool isOurs(const frontend::Inclusion &I, const Program &P) const {
    if (Aside.count(I.Real) || isBelow(I.Real, realPath(".")) ||
        isBelow(I.Real, folderOf(P.Path)))
      return true;
    std::string Repository = repositoryOf(P.Path);
    return !Repository.empty() && isBelow(I.Real, Repository);
  }

  /// Why the header can't be edited, or \p H's builds.
  std::string builds(const frontend::Inclusion &I, const std::string &Text,
                     ArrayRef<Program> Programs, HeaderUnit &H) const {
    std::map<std::string, std::pair<const rewrite::KernelInfo *, std::string>>
        Kernels;
    for (const Program &P : Programs) {
      if (!P.entering(I.Real))
        continue;
      if (H.With && H.With != P.With)
        return P.Path + ", which includes it, has other settings than other "
                        "files that do";
      H.With = P.With;
      if (!isOurs(I, P))
        return "it stands outside of the working folder and of the repository";
      if (!P.Report->Problem.empty())
        return P.Path + ", which includes it, could not be worked on";
      Surrounding Around =
          surrounding(P.Whole, P.Seen, I.Real, [&](const std::string &Real) {
            return ifRead(readReal(Real));
          });
      if (!Around.Problem.empty())
        return P.Path + " " + Around.Problem;
      Build B = P.How;
      B.Name = P.Name;
      B.Before = std::move(Around.Before);
      B.After = std::move(Around.After);
      B.Options.push_back("-Wno-pragma-once-outside-header");
      if (!isSame({H.What.Path, Text, {}}, B, *P.With, P.Seen.Tokens))
        return P.Path + " is another program with its text in the place of "
                        "#include";
      for (const rewrite::KernelInfo &K : P.Report->Kernels) {
        auto [It, New] = Kernels.insert({K.Name, {&K, P.Path}});
        if (!New && !sameParameters(K, *It->second.first))
          return "kernel " + K.Name + " has other parameters in " + P.Path +
                 " than in " + It->second.second;
      }
      H.What.Builds.push_back(std::move(B));
      H.Of.push_back(&P);
    }
    return "";
  }

  static bool sameParameters(const rewrite::KernelInfo &A,
                             const rewrite::KernelInfo &B) {
    return A.Args.size() == B.Args.size() &&
           all_of(zip(A.Args, B.Args), [](auto Pair) {
             auto &[One, Two] = Pair;
             return One.Type == Two.Type && One.Pointer == Two.Pointer &&
                    One.Bytes == Two.Bytes;
           });
  }

  /// \p Text, built as \p B, is the program of these \p Tokens.
  static bool isSame(const Source &Text, const Build &B, const Setup &With,
                     uint64_t Tokens) {
    frontend::Inclusions Seen = scanned(whole(Text, B), With);
    return !Seen.Failed && Seen.Tokens == Tokens;
  }

  /// Where the header is a program by itself, that is one of its builds.
  static void addOwnBuild(const Unit &Own, const Setup &With,
                          const std::string &Text, HeaderUnit &H) {
    const PipelineOptions &Options = With.Options;
    for (Build B : Own.Builds) {
      Sight Seen = look(whole({Own.Path, Text, {}}, B),
                        measure::archOf(Options.Search.Targets),
                        Options.Rewrites, false, Options.Limits, Options.Cache);
      if (Seen.Failed || Seen.Found.Kernels.empty())
        continue;
      B.Name = "by itself" + (B.Name.empty() ? "" : ", " + B.Name);
      H.What.Builds.push_back(std::move(B));
      H.Of.push_back(nullptr);
    }
  }

  /// Whether anything is written.
  bool header(const frontend::Inclusion &I, ArrayRef<Program> Programs) {
    Expected<std::string> Text = readReal(I.Real);
    if (!Text)
      return decline(I, Programs, toString(Text.takeError()));
    if (Error E = checkWritable(shortPath(I.Real)))
      return decline(I, Programs, toString(std::move(E)));
    HeaderUnit H{{shortPath(I.Real), std::nullopt, {}}, {}};
    if (auto Own = Aside.find(I.Real); Own != Aside.end()) {
      const auto &[Unit, With] = Own->second;
      if (!With->Problem.empty())
        return decline(I, Programs, "its settings don't work");
      H.What.Path = Unit.Path;
      H.What.Place = Unit.PlaceBehind;
      H.With = With;
      addOwnBuild(Unit, *With, *Text, H);
    }
    std::string Why = builds(I, *Text, Programs, H);
    if (Why.empty())
      Why = otherUser(I, *Text, Programs);
    if (!Why.empty())
      return decline(I, Programs, Why);
    if (H.What.Builds.size() == 1)
      H.What.Builds.front().Name.clear();
    forget(I, Programs);
    report::FileReport F =
        clrewrite::pipeline::run(H.What, H.With).Files.front();
    if (F.Written)
      checkIncluders(H, F);
    bool Written = F.Written;
    Headers.Files.push_back(std::move(F));
    HeaderUnits.push_back(std::move(H.What));
    return Written;
  }

  /// What was measured had the header's text in it; see that the includers are
  /// that program now.
  void checkIncluders(const HeaderUnit &H, report::FileReport &F) const {
    for (auto [B, P] : zip(H.What.Builds, H.Of)) {
      if (!P || isSame({H.What.Path, F.Result.Result.Text, {}}, B, *P->With,
                       scanned(P->Whole, *P->With).Tokens))
        continue;
      F.Written = false;
      F.Problem = "not as measured";
      Error Back = replaceText(H.What.Path, F.Given);
      H.With->Options.Tell("clrewrite: error: " + H.What.Path + ": with it " +
                           P->Path + " is not what was measured, " +
                           (Back ? "and the old text could not be put back: " +
                                       toString(std::move(Back))
                                 : "restored") +
                           "\n");
      return;
    }
  }
};

} // namespace

std::map<std::string, std::set<size_t>>
includersAmong(ArrayRef<Unit> Units, ArrayRef<const Setup *> Setups) {
  std::vector<std::string> Texts;
  for (const Unit &U : Units)
    Texts.push_back(U.Text ? "" : ifRead(readText(U.Path, U.Folder)));
  StringSet<> Names;
  for (const Unit &U : Units)
    if (isWholeFile(U))
      Names.insert(sys::path::filename(U.Path));
  std::map<std::string, std::set<size_t>> Out;
  for (size_t I = 0; I < Units.size(); ++I) {
    if (!Setups[I]->Problem.empty() || !mayInclude(Texts[I], Names))
      continue;
    Source Text = partOf(Units[I], Texts[I]);
    for (const Build &B : Units[I].Builds)
      for (const frontend::Inclusion &Each :
           scanned(whole(Text, B), *Setups[I]).List)
        if (Each.Entered)
          Out[Each.Real].insert(I);
  }
  return Out;
}

report::Report runWithHeaders(std::vector<Unit> &Units,
                              std::vector<const Setup *> Setups, bool All) {
  return HeaderRuns(Units, std::move(Setups), All).run();
}

} // namespace clrewrite::pipeline
