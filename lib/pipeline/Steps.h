// The steps of a text that take more than a few lines, and how its way ends
// early. Pipeline.cpp has their order.
#pragma once

#include "pipeline/Builds.h"
#include "pipeline/FileText.h"
#include "pipeline/Pipeline.h"
#include "pipeline/Suppressing.h"

namespace clrewrite::pipeline {

/// Why the work on a text ends before its last step.
class Ending : public llvm::ErrorInfo<Ending> {
public:
  static char ID;
  std::string Problem; ///< for the report; empty where this is no failure
  std::string Message; ///< for the user, with its line end

  Ending(std::string Problem, std::string Message)
      : Problem(std::move(Problem)), Message(std::move(Message)) {}
  void log(llvm::raw_ostream &OS) const override { OS << Message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
};

/// Notes in \p Out why the work ends, and tells the user.
void noteEnd(llvm::Error Why, const PipelineOptions &Options,
             report::FileReport &Out);

/// The end of the work on the file \p Path: \p Problem in a few words, for the
/// report, and \p Why in a sentence, for the user.
llvm::Error ending(std::string Problem, const std::string &Path,
                   const std::string &Why);

/// Finds the sites of a text, and of what a search makes of it, in all of its
/// builds, without those that the text's comments suppress.
class TextLooker {
public:
  /// The first look describes the builds of \p Of. \p Comments notes what each
  /// suppression keeps away.
  TextLooker(Unit &Of, const FileText &File, const PipelineOptions &Options,
             process::Workers &Lookers, Suppressing &Comments)
      : Of(Of), File(File), Options(Options), Lookers(Lookers),
        Comments(Comments) {}

  /// As the compilers for \p Targets read it.
  Sight look(const Source &Text, llvm::ArrayRef<measure::Target> Targets,
             bool Colour);
  /// As its first build reads it with \p More options, such as "-D TILE=16";
  /// no sites are looked for.
  Sight lookWith(const Source &Text, llvm::ArrayRef<measure::Target> Targets,
                 llvm::ArrayRef<std::string> More);
  /// What look() gives, of a text that must parse, since an edit made it.
  llvm::Expected<rewrite::Findings>
  findAgain(const Source &Text, llvm::ArrayRef<measure::Target> Targets);

private:
  Unit &Of;
  const FileText &File;
  const PipelineOptions &Options;
  process::Workers &Lookers;
  Suppressing &Comments;
};

/// The end of the work on \p What, which does not parse, as \p Seen says.
/// \p Told has what the compiler said of other texts, and gets what it says of
/// this one. \p Again looks at it with more options.
llvm::Error
doesNotParse(const Unit &What, const FileText &File, const Sight &Seen,
             llvm::function_ref<Sight(llvm::ArrayRef<std::string>)> Again,
             std::set<std::string> &Told, report::FileReport &Out);

/// Adds what was found in \p Given to the report.
void addFindings(const rewrite::Findings &Found, const Source &Given,
                 report::FileReport &Out);

/// Fills in how each build of \p What launches \p Kernels: as it was watched,
/// or as the launches \p Given and the text's comments say.
llvm::Error setLaunches(Unit &What, llvm::ArrayRef<rewrite::KernelInfo> Kernels,
                        llvm::ArrayRef<launch::Launch> Given);

/// Some kernel's launch on a device in a sandbox is known: the search runs it.
bool willRun(const BuiltText &Text);

/// Says which code of \p Text may run although nobody has looked at it, unless
/// \p Out says it already. \p InHeaders is Sight::AssemblyInHeaders.
void tellUnseen(const BuiltText &Text, const FileText &File,
                llvm::ArrayRef<std::string> InHeaders,
                const PipelineOptions &Options, report::FileReport &Out);

/// Adds to the report what the user should know of the search: what held
/// kernels that ran; kernels that ask for their id and of which no code is
/// left, since they do nothing, or something undefined that Clang does not see,
/// so that their few registers are no merit; suppressions that are wrong or of
/// no use; alternatives that were not tried, because the search was \p Stopped
/// or its budget spent.
void addWarnings(const BuiltText &Text, const Suppressing &Comments,
                 const PipelineOptions &Options, bool Stopped,
                 report::FileReport &Out);

/// By target, the registers that are alive in \p Text.
std::vector<measure::PressureReport> liveIn(const BuiltText &Text,
                                            measure::Meter &M);

/// Fills in FileReport::Work and LaunchedItems, for kernels that are known.
void countWork(const BuiltText &Text, measure::Meter &M,
               report::FileReport &Out);

/// Takes all edits of \p S, a search of \p Given, back because of \p Refusal.
void takeBack(select::Selection &S, const Source &Given,
              const std::string &Refusal);

/// Gives the edits that \p Exact, a search of exact edits alone, left out for
/// not being exact the reasons that they have in \p All, a search of all of
/// them, whose text was refused because of \p Refusal.
void noteRefused(select::Selection &Exact, const select::Selection &All,
                 const std::string &Refusal);

/// Tries build options on \p S, and keeps for each device and build the one
/// that gains most, if its results stand.
void chooseBuilds(const BuiltText &Text, const select::Selection &S,
                  measure::Meter &M, const select::SelectOptions &Search,
                  const VerifySettings &Verify,
                  llvm::function_ref<void()> BeforeRunning,
                  report::FileReport &Out);

/// By target, then kernel, before and after the edits of \p S. Kernels that
/// could not be measured, and targets of which nothing is known, have none.
std::vector<std::map<std::string, measure::OccupancyCurves>>
curvesOf(const select::Selection &S, llvm::ArrayRef<measure::Target> Targets,
         const process::ChildLimits &Limits);

/// By target, what limits each kernel before and after the edits of \p S. The
/// work-group's size is that of one of \p Launches, where the kernel requires
/// none.
std::vector<measure::TargetAccounts>
accountsOf(const select::Selection &S, llvm::ArrayRef<measure::Target> Targets,
           llvm::ArrayRef<launch::Launch> Launches,
           const process::ChildLimits &Limits);

/// Writes \p Result into its file. Where \p Check does not like what stands
/// there then, puts the old bytes back and fails.
llvm::Error write(const FileText &File, const Source &Result,
                  llvm::function_ref<llvm::Error(const Source &)> Check);

/// Fails where \p Now, by \p M, is other code than \p Measured, by target.
llvm::Error checkCode(const Source &Now, const BuiltText &Text,
                      llvm::ArrayRef<rewrite::KernelInfo> Kernels,
                      llvm::ArrayRef<measure::Measurement> Measured,
                      measure::Meter &M);

} // namespace clrewrite::pipeline
