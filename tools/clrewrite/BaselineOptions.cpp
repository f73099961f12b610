// The baseline's options, and its paths: entries are relative to its folder, so
// that it means the same wherever it is used from.
#include "BaselineOptions.h"
#include "CommonOptions.h"
#include "pipeline/Diff.h"
#include "source/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite::cli {

static cl::opt<std::string>
    BaselineFile("baseline",
                 cl::desc("Compare all figures with those of this file"),
                 cl::value_desc("file.json"), cl::cat(Output));
static cl::opt<bool>
    UpdateBaseline("update-baseline",
                   cl::desc("Write the figures into the file of --baseline"),
                   cl::cat(Output));
static cl::opt<bool> FailOnRegression(
    "fail-on-regression",
    cl::desc("Exit with 1 where a kernel is worse than in the baseline"),
    cl::cat(Output));
static cl::opt<bool>
    BaselineDiff("baseline-diff",
                 cl::desc("Print what --update-baseline would change in the "
                          "file, for patch -p1"),
                 cl::cat(Output));

std::string badBaselineOption(bool NoMeasure) {
  if (BaselineFile.empty())
    return UpdateBaseline || FailOnRegression || BaselineDiff
               ? "--update-baseline, --fail-on-regression and --baseline-diff "
                 "go with --baseline=FILE"
               : "";
  if (NoMeasure)
    return "--baseline compares figures; leave out --no-measure";
  if (UpdateBaseline && (FailOnRegression || BaselineDiff))
    return "--update-baseline takes the figures as they are; leave out "
           "--fail-on-regression and --baseline-diff";
  return "";
}

Expected<std::optional<report::Baseline>> givenBaseline() {
  if (BaselineFile.empty())
    return std::nullopt;
  if (!sys::fs::exists(BaselineFile)) {
    if (UpdateBaseline || BaselineDiff)
      return report::emptyBaseline();
    return createStringError(BaselineFile +
                             ": no such file; --update-baseline makes it");
  }
  Expected<std::string> Text = readText(BaselineFile);
  if (!Text)
    return Text.takeError();
  Expected<report::Baseline> B = report::readBaseline(BaselineFile, *Text);
  if (!B)
    return B.takeError();
  return std::optional<report::Baseline>(std::move(*B));
}

namespace {

/// Absolute, with the links that lead to its folder followed: the file itself
/// may be one, or be gone.
SmallString<256> absolute(StringRef Path) {
  SmallString<256> Whole(Path);
  sys::fs::make_absolute(Whole);
  sys::path::remove_dots(Whole, /*remove_dot_dot=*/true);
  SmallString<256> Folder;
  if (sys::fs::real_path(sys::path::parent_path(Whole), Folder))
    return Whole;
  sys::path::append(Folder, sys::path::filename(Whole));
  return Folder;
}

/// \p Path as seen from the baseline's folder.
std::string nameOf(StringRef Path) {
  SmallString<256> To = absolute(Path), From = absolute(BaselineFile);
  sys::path::remove_filename(From);
  auto A = sys::path::begin(From), AEnd = sys::path::end(From);
  auto B = sys::path::begin(To), BEnd = sys::path::end(To);
  while (A != AEnd && B != BEnd && *A == *B) {
    ++A;
    ++B;
  }
  SmallString<256> Out;
  for (; A != AEnd; ++A)
    sys::path::append(Out, sys::path::Style::posix, "..");
  for (; B != BEnd; ++B)
    sys::path::append(Out, sys::path::Style::posix, *B);
  return Out.str().str();
}

/// The other way.
std::string pathOf(StringRef Name) {
  SmallString<256> Out(sys::path::parent_path(BaselineFile));
  sys::path::append(Out, Name);
  sys::path::remove_dots(Out, /*remove_dot_dot=*/true);
  return Out.str().str();
}

/// \p E's kernel was looked for in one of \p Folders, and is in no file there.
/// A file that is there and was left out may have it still.
bool vanished(const report::BaselineEntry &E, ArrayRef<std::string> Folders) {
  std::string Path = pathOf(E.File);
  SmallString<256> Whole = absolute(Path);
  bool Below = any_of(Folders, [&](StringRef Folder) {
    SmallString<256> Real;
    return !sys::fs::real_path(Folder, Real) &&
           (Whole.str().starts_with((Real + "/").str()) || Real == "/");
  });
  if (!Below)
    return false;
  if (!sys::fs::exists(Whole))
    return true;
  Expected<std::string> Text = readText(Path);
  if (Text)
    return !StringRef(*Text).contains(E.Kernel);
  consumeError(Text.takeError());
  return false;
}

} // namespace

Error compareWithBaseline(report::Report &R, const report::Baseline &Old,
                          ArrayRef<std::string> Paths) {
  std::vector<std::string> Folders;
  copy_if(Paths, std::back_inserter(Folders),
          [](const std::string &P) { return sys::fs::is_directory(P); });
  report::Compared C = report::compare(
      Old, R, nameOf, pathOf,
      [&](const report::BaselineEntry &E) { return vanished(E, Folders); });
  C.Against.Path = BaselineFile;
  R.Against = std::move(C.Against);
  if (!UpdateBaseline && !BaselineDiff)
    return Error::success();
  std::string Before;
  if (sys::fs::exists(BaselineFile)) {
    Expected<std::string> Text = readText(BaselineFile);
    if (!Text)
      return Text.takeError();
    Before = std::move(*Text);
  }
  std::string Now = report::toText(C.Now);
  if (BaselineDiff) {
    Expected<std::string> Diff =
        pipeline::unifiedDiff(BaselineFile, Before, Now);
    if (!Diff)
      return Diff.takeError();
    R.Against->Diff = std::move(*Diff);
    return Error::success();
  }
  // Nor is a file made of nothing.
  if (Now == Before || (Before.empty() && C.Now.Entries.empty()))
    return Error::success();
  if (Error E = putText(BaselineFile, Now))
    return createStringError("cannot write the baseline: " +
                             toString(std::move(E)));
  R.Against->Written = true;
  return Error::success();
}

void tellBaseline(const report::Report &R, bool NoReport) {
  if (!R.Against)
    return;
  if (NoReport)
    return report::writeBaseline(*report::withoutControls(R).Against, errs(),
                                 errs().has_colors());
  if (!is_contained({Format::Text, Format::Json, Format::Markdown},
                    OutputFormat.getValue()))
    errs() << R.Against->Diff;
}

bool failsOnRegression(const report::Report &R) {
  return FailOnRegression && R.Against && R.Against->regressed();
}

} // namespace clrewrite::cli
