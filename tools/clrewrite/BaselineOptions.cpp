// The baseline's options, and its paths: entries are relative to its folder, so
// that it means the same wherever it is used from.
#include "BaselineOptions.h"
#include "pipeline/Diff.h"
#include "source/File.h"
#include "source/RealPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite::cli {

std::string badBaselineOption(const config::Options &O) {
  if (O.Baseline.empty())
    return O.UpdateBaseline || O.FailOnRegression || O.BaselineDiff
               ? "--update-baseline, --fail-on-regression and --baseline-diff "
                 "go with --baseline=FILE"
               : "";
  if (O.NoMeasure)
    return "--baseline compares figures; leave out --no-measure";
  if (O.UpdateBaseline && (O.FailOnRegression || O.BaselineDiff))
    return "--update-baseline takes the figures as they are; leave out "
           "--fail-on-regression and --baseline-diff";
  return "";
}

Expected<std::optional<report::Baseline>>
givenBaseline(const config::Options &O) {
  if (O.Baseline.empty())
    return std::nullopt;
  if (!sys::fs::exists(O.Baseline)) {
    if (O.UpdateBaseline || O.BaselineDiff)
      return report::emptyBaseline();
    return createStringError(O.Baseline +
                             ": no such file; --update-baseline makes it");
  }
  Expected<std::string> Text = readText(O.Baseline);
  if (!Text)
    return Text.takeError();
  Expected<report::Baseline> B = report::readBaseline(O.Baseline, *Text);
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

/// \p Path as seen from the folder of \p Baseline.
std::string nameOf(StringRef Baseline, StringRef Path) {
  SmallString<256> To = absolute(Path), From = absolute(Baseline);
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
std::string pathOf(StringRef Baseline, StringRef Name) {
  SmallString<256> Out(sys::path::parent_path(Baseline));
  sys::path::append(Out, Name);
  sys::path::remove_dots(Out, /*remove_dot_dot=*/true);
  return Out.str().str();
}

/// \p E's kernel was looked for in one of \p Folders, and is in no file there.
/// A file that is there and was left out may have it still.
bool vanished(const config::Options &O, const report::BaselineEntry &E,
              ArrayRef<std::string> Folders) {
  std::string Path = pathOf(O.Baseline, E.File);
  SmallString<256> Whole = absolute(Path);
  SmallString<256> Holder;
  bool Below = any_of(Folders, [&](StringRef Folder) {
    return !sys::fs::real_path(Folder, Holder) && isBelow(Whole, Holder);
  });
  if (!Below)
    return false;
  if (!sys::fs::exists(Whole))
    return true;
  // The name is the baseline's, so a link that it names leads nowhere else.
  Expected<std::string> Text = readText(Path, Holder);
  if (Text)
    return !StringRef(*Text).contains(E.Kernel);
  consumeError(Text.takeError());
  return false;
}

} // namespace

report::Baseline movedTo(report::Baseline B, StringRef From, StringRef To) {
  for (report::BaselineEntry &E : B.Entries)
    E.File = nameOf(To, pathOf(From, E.File));
  return B;
}

Error compareWithBaseline(report::Report &R, const report::Baseline &Old,
                          const config::Options &O) {
  std::vector<std::string> Folders;
  copy_if(O.Files, std::back_inserter(Folders),
          [](const std::string &P) { return sys::fs::is_directory(P); });
  report::Compared C = report::compare(
      Old, R, [&](StringRef Path) { return nameOf(O.Baseline, Path); },
      [&](StringRef Name) { return pathOf(O.Baseline, Name); },
      [&](const report::BaselineEntry &E) { return vanished(O, E, Folders); });
  C.Against.Path = O.Baseline;
  R.Against = std::move(C.Against);
  if (!O.UpdateBaseline && !O.BaselineDiff)
    return Error::success();
  std::string Before;
  if (sys::fs::exists(O.Baseline)) {
    Expected<std::string> Text = readText(O.Baseline);
    if (!Text)
      return Text.takeError();
    Before = std::move(*Text);
  }
  C.Now.Shard = R.Shard;
  std::string Now = report::toText(C.Now);
  if (O.BaselineDiff) {
    Expected<std::string> Diff = pipeline::unifiedDiff(O.Baseline, Before, Now);
    if (!Diff)
      return Diff.takeError();
    R.Against->Diff = std::move(*Diff);
    return Error::success();
  }
  // Without entries no file is made either, but for a shard, which may have no
  // kernels.
  if (Now == Before || (Before.empty() && C.Now.Entries.empty() && !R.Shard))
    return Error::success();
  if (Error E = putText(O.Baseline, Now))
    return createStringError("cannot write the baseline: " +
                             toString(std::move(E)));
  R.Against->Written = true;
  return Error::success();
}

void tellBaseline(const report::Report &R, const config::Options &O,
                  bool NoReport) {
  if (!R.Against)
    return;
  if (NoReport)
    return report::writeBaseline(*report::withoutControls(R).Against, errs(),
                                 errs().has_colors());
  if (!is_contained({config::Format::Text, config::Format::Json,
                     config::Format::Markdown},
                    O.Form))
    errs() << R.Against->Diff;
}

} // namespace clrewrite::cli
