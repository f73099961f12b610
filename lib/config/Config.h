// A configuration: what a file says, and what the command line says instead.
//
// A key has the name of the option that does the same for a run. A member that
// is empty was not given.
#pragma once

#include "select/EditName.h"
#include "select/Judge.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace clrewrite::config {

/// The name of the file that is looked for.
inline constexpr const char *ConfigName = ".clrewrite.yaml";

using Words = std::vector<std::string>;

/// One way in which a host builds some files.
struct OptionSet {
  std::string Name;
  Words Files = {};   ///< patterns; empty: all
  Words Options = {}; ///< as for clBuildProgram, each split as a shell does
};

/// A launch, as --launch takes it, and the files that it is for.
struct FileLaunch {
  std::string Text;
  Words Files = {}; ///< patterns; empty: all
};

struct Config {
  /// The file, as it is shown; empty where there is none.
  std::string Path = {};
  /// Its folder, absolute: patterns and relative paths count from there.
  std::string Folder = {};
  /// Folders of -I that it may not name (readFoundConfig).
  Words LeftOut = {};

  std::optional<Words> Targets = {};
  std::optional<select::Objective> Goal = {};
  std::optional<double> MaxSlowdown = {}; ///< percent
  /// GPUs that stand for families which no target names may refuse edits.
  std::optional<bool> OnlyTarget = {};
  /// Edits that do not suit all GPUs may be written for some.
  std::optional<bool> Variants = {};
  std::optional<std::string> Budget = {};
  std::optional<Words> Only = {}, Without = {}; ///< names of rewrites
  /// Names of sorts of advice, "all" or "off".
  std::optional<Words> Advise = {};
  std::optional<std::vector<select::EditName>> Granted = {}, Demoted = {};
  /// Build options that are tried, as buildOptionsNamed takes them.
  std::optional<Words> TryOptions = {};
  /// For every build; before those of a set.
  std::optional<Words> Options = {};
  std::optional<std::vector<OptionSet>> Sets = {};
  std::optional<std::vector<FileLaunch>> Launches = {};
  /// Kernels of which no launch is known get one that is made up.
  std::optional<bool> GuessLaunches = {};
  std::optional<Words> Exclude = {};
  std::optional<std::string> Verify = {}, Tolerance = {};
  std::optional<double> VerifySeconds = {};
  /// Edits need not hold in builds with other options than those that are known.
  std::optional<bool> OnlyTheseBuilds = {};
  /// Where a kernel's results differ from run to run, exact edits are held to
  /// how far they do.
  std::optional<bool> AllowVarying = {};
  /// Only edits that are proved are kept.
  std::optional<bool> RequireProof = {};
  std::optional<unsigned> ProofSeconds = {};
  std::optional<unsigned> CompileTimeout = {}, Jobs = {};
};

/// What is wrong with the text of a configuration: "PATH:LINE:COLUMN: error:
/// ...", with what to write instead. It stands at the start of its line.
class TextError : public llvm::ErrorInfo<TextError, llvm::StringError> {
public:
  static char ID;
  explicit TextError(const llvm::Twine &Message)
      : ErrorInfo(Message, llvm::inconvertibleErrorCode()) {}
};

/// Reads \p Text, that of the file \p Path. An error is a TextError.
llvm::Expected<Config> readConfig(llvm::StringRef Path, llvm::StringRef Text);

/// The same of the file that stands there.
llvm::Expected<Config> readConfigFile(llvm::StringRef Path);

/// The configuration that counts for \p File (source/NearestFile.h); empty
/// where there is none. \p Note, unless null, says which is left out as it
/// belongs to somebody else.
std::string configFor(llvm::StringRef File, std::string *Note = nullptr);

/// readConfigFile for what configFor found, which a repository brings along: a
/// link that leads out of its folder or repository is an error, and not read.
/// Folders of -I that lie outside are left out, but for the system's, which
/// everybody may read.
llvm::Expected<Config> readFoundConfig(llvm::StringRef Path);

/// \p Under, but for what \p Over says. Build options there replace those of
/// \p Under along with its option sets.
Config overlay(Config Under, const Config &Over);

/// What holds where nothing is said.
Config defaultConfig();

/// \p C with those of its option sets and launches alone that are for \p File.
Config resolvedFor(Config C, llvm::StringRef File);

/// \p C leaves \p File alone.
bool excludes(const Config &C, llvm::StringRef File);

/// \p Word so that splitBuildOptions gives it back.
std::string quotedOption(llvm::StringRef Word);

/// \p Text, build options, with what -I, -isystem and -include name relative to
/// \p Folder made absolute; what -include names only where it is there.
std::string rebasedOptions(const std::string &Text, llvm::StringRef Folder);

/// \p Text, build options, without the include folders that lie in none of \p
/// Roots; these go into \p LeftOut (frontend::withoutForeignFolders).
std::string withoutForeignFolders(const std::string &Text,
                                  llvm::ArrayRef<std::string> Roots,
                                  Words &LeftOut);

/// Prints \p C so that readConfig gives the same; null members are left out.
void writeConfig(const Config &C, llvm::raw_ostream &OS);

/// The objectives by name.
inline constexpr std::pair<llvm::StringLiteral, select::Objective>
    Objectives[] = {{"auto", select::Objective::Auto},
                    {"occupancy", select::Objective::Occupancy},
                    {"registers", select::Objective::Registers},
                    {"estimate", select::Objective::Estimate},
                    {"time", select::Objective::Time}};

} // namespace clrewrite::config
