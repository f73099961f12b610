// clrewrite init: looks at the kernels below a folder, at what they lack to be
// parsed, and at the devices here, and writes a commented configuration.
#include "CommandLine.h"
#include "Commands.h"
#include "measure/TargetFamily.h"
#include "measure/device/DeviceTargets.h"
#include "pipeline/FileText.h"
#include "pipeline/Hints.h"
#include "pipeline/InputUnits.h"
#include "pipeline/Look.h"
#include "pipeline/OptionFinder.h"
#include "source/File.h"
#include "source/RealPaths.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Regex.h"
#include <map>

using namespace llvm;

namespace clrewrite::cli {
namespace {

using config::Words;

/// What was found out of one text.
struct Inspected {
  std::string Path;
  Words Kernels;
  Words Options;     ///< without which it does not parse
  Words Guesses;     ///< macros among them that no program was seen to pass
  std::string Fault; ///< why it does not parse with them either
  std::string Hint;  ///< what the user can do about that
};

/// The first line of a compiler's messages that says what is wrong, not where
/// it was included.
StringRef firstError(StringRef Messages) {
  for (StringRef Line : split(Messages, '\n'))
    if (Line.contains("error:"))
      return Line;
  return Messages.split('\n').first;
}

/// What can be found out of a folder without a question.
class Inspector {
public:
  Inspector(StringRef Folder, const process::ChildLimits &Limits)
      : Folder(Folder), Limits(Limits), Files(pipeline::filesBelow(Folder)) {
    llvm::sort(Files);
  }

  /// Where values of macros come from: "host.cpp:12: -D TILE=16".
  Words Sources;

  /// Adds what the text lacks, as often as that makes something else known.
  Inspected inspect(const pipeline::Unit &U) {
    Inspected Out{U.Path, {}, {}, {}, "", ""};
    pipeline::FileText File(U);
    if (Error E = File.read(/*ToWrite=*/false)) {
      Out.Fault = toString(std::move(E));
      return Out;
    }
    auto look = [&](ArrayRef<std::string> Options) {
      Expected<Source> S = built(U, File, Options);
      if (S)
        return pipeline::look(*S, measure::archOf({}), {}, /*Colour=*/false,
                              Limits, /*Cache=*/nullptr);
      pipeline::Sight Failed;
      Failed.Failed = true;
      Failed.Messages = toString(S.takeError());
      return Failed;
    };
    pipeline::Sight First = look({});
    if (U.Incomplete && First.Failed)
      return Out; // a part of others
    pipeline::FoundOptions Found = pipeline::findOptions(
        U.Path, std::move(First),
        {look, [&](StringRef Header) { return folderOf(Header); },
         [&](StringRef Macro) { return passed(Macro); },
         [&](StringRef Path) { return config::quotedOption(below(Path)); }});
    // Where the text still does not parse, later guesses may answer errors that
    // earlier ones caused.
    if (Found.Last.Failed)
      Found.Options.resize(Found.OfFirst);
    Out.Options = Found.Options;
    Out.Guesses = std::move(Found.Guesses);
    for (const rewrite::KernelInfo &K : Found.Last.Found.Kernels)
      Out.Kernels.push_back(K.Name);
    if (Found.Last.Failed) {
      Out.Fault = firstError(Found.Last.Messages).str();
      Out.Hint = pipeline::definersHint(U.Path, Found.Others, {U.Path});
    }
    return Out;
  }

private:
  std::string Folder;
  const process::ChildLimits &Limits;
  Words Files;

  /// The text with \p Options, whose folders count from the configuration's.
  Expected<Source> built(const pipeline::Unit &U, const pipeline::FileText &F,
                         ArrayRef<std::string> Options) const {
    SmallString<256> Here(Folder);
    if (std::error_code EC = sys::fs::make_absolute(Here))
      return errorCodeToError(EC);
    Words Rebased;
    for (const std::string &Text : Options)
      Rebased.push_back(config::rebasedOptions(Text, Here));
    Expected<pipeline::Build> Plain =
        pipeline::withOptions(U.Builds.front(), Rebased);
    if (!Plain)
      return Plain.takeError();
    return pipeline::whole({U.Path, F.text(), {}}, *Plain, F.line());
  }

  /// \p Path as seen from the folder.
  StringRef below(StringRef Path) const {
    Path.consume_front(Folder);
    return Path.ltrim('/');
  }

  /// The folder in which \p Header is; empty where it is nowhere below.
  std::string folderOf(StringRef Header) const {
    for (const std::string &File : Files) {
      StringRef At = File;
      if (!At.consume_back(sys::path::remove_leading_dotslash(Header)) ||
          !(At.empty() || At.consume_back("/")))
        continue;
      At = below(At);
      return config::quotedOption(At.empty() ? "." : At);
    }
    return "";
  }

  /// What some program in the folder passes for a macro.
  struct PassedMacro {
    std::string As, Place; ///< "TILE=16" or "ADD(a,b)=a+b", "host.cpp:12"
  };
  /// By macro; read when it is first asked for.
  std::optional<StringMap<PassedMacro>> Passed;

  /// Notes the first definition of each macro in the program \p Path; of
  /// several one with a value, and without half, which not every GPU has.
  void notePassed(const std::string &Path) {
    Expected<std::string> Text = readText(Path, realPath(Folder));
    if (!Text)
      return consumeError(Text.takeError());
    // What the program puts together in pieces has no end here. Of a macro that
    // is called the body may be an expression.
    Regex Option("-D ?([A-Za-z_][A-Za-z_0-9]*)(=[A-Za-z0-9_.]+|"
                 "\\([A-Za-z0-9_,]+\\)=[A-Za-z0-9_.,+*/()-]+)?[\"' ]");
    SmallVector<StringRef> Groups;
    size_t Line = 1;
    for (StringRef Rest = *Text; Option.match(Rest, &Groups);) {
      const size_t At = size_t(Groups[0].data() - Rest.data());
      Line += Rest.take_front(At).count('\n');
      Rest = Rest.drop_front(At + Groups[0].size());
      auto rank = [](StringRef Value) {
        return Value.empty()                                         ? 0
               : Value.contains("half") || Value.ends_with("imageh") ? 1
                                                                     : 2;
      };
      PassedMacro &Known = (*Passed)[Groups[1]];
      if (Known.As.empty() || rank(StringRef(Known.As).drop_front(
                                  Groups[1].size())) < rank(Groups[2]))
        Known = {(Groups[1] + Groups[2]).str(),
                 Path + ":" + std::to_string(Line)};
    }
  }

  /// What a program in the folder passes for \p Macro, if any does.
  std::optional<std::string> passed(StringRef Macro) {
    if (!Passed) {
      Passed.emplace();
      for (const std::string &File : Files)
        if (pipeline::isHostProgram(File) || StringRef(File).ends_with(".py"))
          notePassed(File);
    }
    auto It = Passed->find(Macro);
    if (It == Passed->end())
      return std::nullopt;
    const PassedMacro &P = It->second;
    std::string Source = P.Place + ": -D " + P.As;
    if (!is_contained(Sources, Source))
      Sources.push_back(Source);
    return P.As;
  }
};

/// A set holds for a file: what one of its texts needs, all of them get.
std::vector<Inspected> byFile(ArrayRef<Inspected> All) {
  std::vector<Inspected> Out;
  for (const Inspected &I : All) {
    auto Known = find_if(
        Out, [&](const Inspected &Other) { return Other.Path == I.Path; });
    if (Known == Out.end()) {
      Out.push_back(I);
      continue;
    }
    for (const std::string &Option : I.Options)
      if (none_of(Known->Options, [&](StringRef Other) {
            return pipeline::subjectOf(Other) == pipeline::subjectOf(Option);
          }))
        Known->Options.push_back(Option);
  }
  return Out;
}

/// The first GPU that the device program knows.
std::optional<measure::Target> gpuHere(const config::Options &O,
                                       const char *Argv0) {
  Expected<std::unique_ptr<opencl::DeviceClient>> Client =
      startDevice(O, Argv0);
  if (!Client) {
    consumeError(Client.takeError());
    return std::nullopt;
  }
  Expected<std::vector<measure::Target>> Found = measure::resolveDevices(
      {cantFail(measure::parseTarget("device:gpu"))}, **Client);
  if (Found)
    return Found->front();
  consumeError(Found.takeError());
  return std::nullopt;
}

/// A pattern for \p Path alone, which stands in \p Folder.
std::string patternOf(StringRef Path, StringRef Folder) {
  Path.consume_front(Folder);
  std::string Out = "/" + Path.ltrim("/").str();
  for (char &C : Out)
    if (StringRef("*?[]{}\\").contains(C))
      C = '?';
  return Out;
}

/// Those of a text's options that no other has are its own set.
std::vector<config::OptionSet> setsOf(ArrayRef<Inspected> All,
                                      StringRef Folder) {
  const std::vector<Inspected> Files = byFile(All);
  std::map<Words, std::vector<const Inspected *>> Groups;
  for (const Inspected &I : Files)
    if (!I.Options.empty())
      Groups[I.Options].push_back(&I);
  std::vector<config::OptionSet> Out;
  for (const auto &[Options, Members] : Groups) {
    config::OptionSet Set{
        sys::path::stem(Members.front()->Path).str(), {}, Options};
    while (any_of(Out, [&](auto &Other) { return Other.Name == Set.Name; }))
      Set.Name += " again";
    for (const Inspected *I : Members)
      if (std::string Pattern = patternOf(I->Path, Folder);
          !is_contained(Set.Files, Pattern))
        Set.Files.push_back(Pattern);
    Out.push_back(std::move(Set));
  }
  return Out;
}

/// The guesses that stand in the sets.
Words guessesIn(ArrayRef<Inspected> All) {
  Words Out;
  for (const Inspected &I : All)
    for (const std::string &Name : I.Guesses)
      if (!is_contained(Out, Name) && any_of(I.Options, [&](StringRef Option) {
            return pipeline::subjectOf(Option) == "-D " + Name;
          }))
        Out.push_back(Name);
  return Out;
}

std::string keys(const config::Config &C) {
  std::string Out;
  raw_string_ostream OS(Out);
  config::writeConfig(C, OS);
  return Out;
}

/// \p Text as comments; a name may hold what ends a line.
std::string comment(const Twine &Text) {
  std::string Line = shown(Text.str());
  std::replace(Line.begin(), Line.end(), '\n', ' ');
  return "# " + Line + "\n";
}

std::string written(ArrayRef<Inspected> All, StringRef Folder,
                    const Inspector &By,
                    const std::optional<measure::Target> &Gpu) {
  std::string Out =
      "# Settings of clrewrite for the kernels in this folder and "
      "below, as clrewrite init\n# found them; change what you "
      "like. docs/configuration.md tells all keys, and\n# "
      "clrewrite --config-schema is for editors.\n\n";
  config::Config Targets;
  if (Gpu) {
    Out += comment("The GPU here, which times kernels whose launch is known (" +
                   Gpu->Name + "). Add those that count elsewhere.");
    Targets.Targets = Words{"device"};
    if (!Gpu->Chip.empty())
      Targets.Targets->push_back(Gpu->Chip);
  } else {
    Out += "# The GPUs that count; there is none here, and none is needed.\n";
    Targets.Targets = config::defaultConfig().Targets;
  }
  Out += keys(Targets);

  config::Config Sets;
  Sets.Sets = setsOf(All, Folder);
  if (!Sets.Sets->empty()) {
    Out += "\n# What the host program passes to clBuildProgram, without which "
           "these files do not\n# parse. A set for each way in which it builds "
           "them; an edit must be legal in all.\n";
    for (const std::string &From : By.Sources)
      Out += comment("As in " + From);
    if (Words Guesses = guessesIn(All); !Guesses.empty())
      Out += comment("Guessed, so put in what the host passes: " +
                     join(Guesses, ", "));
    Out += keys(Sets);
  }
  for (const Inspected &I : All)
    if (!I.Fault.empty())
      Out += "\n" + comment("This file does not parse yet: " + I.Fault) +
             (I.Hint.empty() ? "" : comment(I.Hint));

  Out += "\n# How kernels are launched, so that a device can time them: work-"
         "items, work-group,\n# arguments.\n# launch:\n";
  for (const Inspected &I : All)
    for (const std::string &Kernel : I.Kernels)
      Out += comment("  - \"" + Kernel + ":1024x1024:16x16\"");
  return Out + "# Or have launches made up for kernels that have none.\n"
               "# guess-launches: true\n"
               "\n# Files that are left alone, by patterns as in .gitignore.\n"
               "# exclude: [third_party/]\n";
}

/// Writes a file that is not there yet.
Error putNew(const std::string &Path, StringRef Text) {
  int FD = -1;
  if (std::error_code EC = sys::fs::openFileForWrite(
          Path, FD, sys::fs::CD_CreateNew, sys::fs::OF_None))
    return createStringError(
        EC == std::errc::file_exists
            ? Path + ": is there already, and stays as it is; clrewrite "
                     "--show-config FILE prints what holds for a file"
            : Path + ": " + EC.message());
  bool All = writeAll(FD, Text);
  if (std::error_code EC = sys::Process::SafelyCloseFileDescriptor(FD);
      !All || EC) {
    (void)sys::fs::remove(Path);
    return createStringError(Path + ": could not be written");
  }
  return Error::success();
}

/// Writes the configuration of \p Folder, and says what to type next.
Error init(const std::string &Folder, const config::Options &O,
           const char *Argv0) {
  std::string Path =
      (Folder == "." ? "" : Folder + "/") + std::string(config::ConfigName);
  if (!sys::fs::is_directory(Folder))
    return createStringError(Folder + ": no folder; clrewrite init takes the "
                                      "one in which the kernels are");
  sys::fs::file_status There;
  if (!sys::fs::status(Path, There, /*follow=*/false))
    return putNew(Path, ""); // says that it is there
  Words Notes;
  Expected<std::vector<pipeline::Unit>> Units =
      pipeline::inputUnits({Folder}, Notes);
  if (!Units)
    return Units.takeError();
  for (const std::string &Note : Notes)
    run::note(shown(Note));
  process::ChildLimits Limits;
  Inspector By(Folder, Limits);
  std::vector<Inspected> All;
  size_t Kernels = 0;
  for (const pipeline::Unit &U : *Units) {
    All.push_back(By.inspect(U));
    Kernels += All.back().Kernels.size();
  }
  std::string Text = written(All, Folder, By, gpuHere(O, Argv0));
  if (Expected<config::Config> Back = config::readConfig(Path, Text); !Back)
    return createStringError("internal error: what is written does not read "
                             "back; please report it: " +
                             toString(Back.takeError()));
  if (Error E = putNew(Path, Text))
    return E;
  outs() << formatv("{0}: written, for {1} kernel{2} in {3} text{4}\n",
                    shown(Path), Kernels, Kernels == 1 ? "" : "s", All.size(),
                    All.size() == 1 ? "" : "s");
  if (Words Guesses = guessesIn(All); !Guesses.empty())
    outs() << "look at it first: these values are guesses: "
           << shown(join(Guesses, ", ")) << "\n";
  if (auto Left =
          count_if(All, [](const Inspected &I) { return !I.Fault.empty(); }))
    outs() << Left << (Left == 1 ? " text does" : " texts do")
           << " not parse with what it says yet; comments in it say why\n";
  outs() << "then try: clrewrite " << shown(Folder) << "\n";
  return Error::success();
}

} // namespace

int initCommand(int Argc, char **Argv) {
  config::Options O;
  if (!parseCommandLine(Argc, Argv, "init", O))
    return 2;
  if (O.Files.size() > 1)
    return fail("clrewrite init takes one folder");
  for (const std::string &Name : O.Files)
    rememberName(Name);
  std::string Folder = O.Files.empty() ? "." : O.Files.front();
  while (Folder.size() > 1 && StringRef(Folder).ends_with("/"))
    Folder.pop_back();
  // As the files below it are named.
  if (StringRef Plain = sys::path::remove_leading_dotslash(Folder);
      !Plain.empty())
    Folder = Plain.str();
  if (Error E = init(Folder, O, Argv[0]))
    return fail(shown(toString(std::move(E))));
  return 0;
}

} // namespace clrewrite::cli
