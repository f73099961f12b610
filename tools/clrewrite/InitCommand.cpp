// clrewrite init: looks at the kernels below a folder, at what they lack to be
// parsed, and at the devices here, and writes a commented configuration.
#include "CommandLine.h"
#include "Commands.h"
#include "frontend/BuildOptions.h"
#include "measure/TargetFamily.h"
#include "measure/device/DeviceTargets.h"
#include "pipeline/FileText.h"
#include "pipeline/Hints.h"
#include "pipeline/InputUnits.h"
#include "pipeline/Look.h"
#include "source/File.h"
#include "source/RealPaths.h"
#include "llvm/ADT/StringExtras.h"
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
  std::string Fault; ///< why it does not parse with them either
  std::string Hint;  ///< what the user can do about that
};

/// What can be found out of a folder without a question.
class Inspector {
public:
  Inspector(StringRef Folder, const process::ChildLimits &Limits)
      : Folder(Folder), Limits(Limits), Files(pipeline::filesBelow(Folder)) {}

  /// Where values of macros come from: "host.cpp:12: -D TILE=16".
  Words Sources;
  /// Macros whose values nobody told.
  Words Guesses;

  /// Adds what the text lacks, as often as that makes something else known.
  Inspected inspect(const pipeline::Unit &U) {
    Inspected Out{U.Path, {}, {}, "", ""};
    pipeline::FileText File(U);
    if (Error E = File.read(/*ToWrite=*/false)) {
      Out.Fault = toString(std::move(E));
      return Out;
    }
    for (unsigned Round = 0; Round < Rounds; ++Round) {
      Expected<Source> S = built(U, File, Out.Options);
      if (!S) {
        Out.Fault = toString(S.takeError());
        return Out;
      }
      pipeline::Sight Seen =
          pipeline::look(*S, measure::archOf({}), {}, /*Colour=*/false, Limits,
                         /*Cache=*/nullptr);
      Out.Fault.clear();
      Out.Hint.clear();
      if (!Seen.Failed) {
        for (const rewrite::KernelInfo &K : Seen.Found.Kernels)
          Out.Kernels.push_back(K.Name);
        return Out;
      }
      Out.Fault = StringRef(Seen.Messages).split('\n').first.str();
      const std::vector<pipeline::Definer> Others = othersWith(U, Seen.Missing);
      Out.Hint = pipeline::definersHint(U.Path, Others, {U.Path});
      if (U.Incomplete || !add(Seen.Missing, Others, Out.Options))
        break;
    }
    if (U.Incomplete)
      Out = {U.Path, {}, {}, "", ""}; // a part of others
    return Out;
  }

private:
  static constexpr unsigned Rounds = 6;

  std::string Folder;
  const process::ChildLimits &Limits;
  Words Files;

  /// The text with \p Options, whose folders count from the configuration's.
  Expected<Source> built(const pipeline::Unit &U, const pipeline::FileText &F,
                         const Words &Options) const {
    SmallString<256> Here(Folder);
    if (std::error_code EC = sys::fs::make_absolute(Here))
      return errorCodeToError(EC);
    Words Given;
    for (const std::string &Text : Options)
      append_range(Given, frontend::splitBuildOptions(
                              config::rebasedOptions(Text, Here)));
    Expected<Words> Parsed = frontend::parseBuildOptions(Given);
    if (!Parsed)
      return Parsed.takeError();
    Source Text{U.Path, F.text(), {}};
    pipeline::Build Plain = U.Builds.front();
    append_range(Plain.Options, *Parsed);
    return pipeline::whole(Text, Plain, F.line());
  }

  /// The files beside \p U that define what it lacks: a host puts them before
  /// it, so that no option is to be guessed for that.
  static std::vector<pipeline::Definer>
  othersWith(const pipeline::Unit &U, const frontend::Missing &What) {
    Words Names = What.Functions;
    append_range(Names, What.Types);
    append_range(Names, What.Names);
    return pipeline::definersOf(U.Path, Names);
  }

  /// False where nothing is new.
  bool add(const frontend::Missing &What, ArrayRef<pipeline::Definer> Others,
           Words &Options) {
    size_t Before = Options.size();
    auto Add = [&](const std::string &Option) {
      if (!Option.empty() && !is_contained(Options, Option))
        Options.push_back(Option);
    };
    for (const std::string &Header : What.Headers)
      Add(folderOf(Header));
    auto Guess = [&](const std::string &Name, StringRef Value) {
      bool Elsewhere = any_of(Others, [&](const pipeline::Definer &D) {
        return is_contained(D.Names, Name);
      });
      return Elsewhere ? "" : Value;
    };
    for (const std::string &Function : What.Functions) // no value fits one
      Add(definition(Function, "", Options));
    for (const std::string &Type : What.Types)
      Add(definition(Type, Guess(Type, "float"), Options));
    for (const std::string &Name : What.Names)
      Add(definition(Name, Guess(Name, "16"), Options));
    return Options.size() > Before;
  }

  /// -I of the folder in which \p Header is; empty where it is nowhere below.
  std::string folderOf(StringRef Header) const {
    for (const std::string &File : Files) {
      StringRef At = File;
      if (!At.consume_back(sys::path::remove_leading_dotslash(Header)) ||
          !(At.empty() || At.consume_back("/")))
        continue;
      At.consume_front(Folder);
      At = At.ltrim('/');
      return "-I " + config::quotedOption(At.empty() ? "." : At);
    }
    return "";
  }

  /// -D \p Name with the value that a program in the folder passes, or else
  /// with \p Guess, unless that is empty; empty where it is defined already.
  std::string definition(const std::string &Name, StringRef Guess,
                         const Words &Options) {
    std::string Start = "-D " + Name + "=";
    if (any_of(Options,
               [&](StringRef Option) { return Option.starts_with(Start); }))
      return "";
    Regex Passed("-D ?" + Regex::escape(Name) + "=([A-Za-z0-9_.]+)");
    for (const std::string &File : Files) {
      if (!pipeline::isHostProgram(File) && !StringRef(File).ends_with(".py"))
        continue;
      Expected<std::string> Text = readText(File, realPath(Folder));
      SmallVector<StringRef> Groups;
      if (!Text) {
        consumeError(Text.takeError());
      } else if (Passed.match(*Text, &Groups)) {
        size_t Line = StringRef(*Text)
                          .take_front(Groups[0].data() - Text->data())
                          .count('\n') +
                      1;
        std::string Found = Start + Groups[1].str();
        std::string From = File + ":" + std::to_string(Line) + ": " + Found;
        if (!is_contained(Sources, From))
          Sources.push_back(From);
        return Found;
      }
    }
    if (Guess.empty())
      return "";
    if (!is_contained(Guesses, Name))
      Guesses.push_back(Name);
    return Start + Guess.str();
  }
};

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
  std::map<Words, std::vector<const Inspected *>> Groups;
  for (const Inspected &I : All)
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
    if (!By.Guesses.empty())
      Out += comment("Guessed, so put in what the host passes: " +
                     join(By.Guesses, ", "));
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
  if (!By.Guesses.empty())
    outs() << "look at it first: these values are guesses: "
           << shown(join(By.Guesses, ", ")) << "\n";
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
  if (Error E = init(Folder, O, Argv[0]))
    return fail(shown(toString(std::move(E))));
  return 0;
}

} // namespace clrewrite::cli
