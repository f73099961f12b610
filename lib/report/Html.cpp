// The report as a page to look at and to send: figures first, then each file
// with its kernels' curves, its edits beside what they gained, and what was
// left alone. It holds all that it needs, and no script.
//
// It is written so that it is well-formed XML too: a test reads it with an XML
// parser, which tells a forgotten escape at once.
#include "report/CurveChart.h"
#include "report/HtmlParts.h"
#include "source/AddOnce.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;

namespace clrewrite::report {
namespace {

std::string count(size_t N, StringRef One, StringRef Many) {
  return utostr(N) + " " + (N == 1 ? One : Many).str();
}

bool gainsWaves(const PageKernel &K) {
  return any_of(K.Rows, [](const KernelRow &Row) {
    return Row.Before && Row.After->Occupancy > Row.Before->Occupancy;
  });
}

/// The page.
class Page {
public:
  Page(const Report &R, raw_ostream &OS)
      : R(R), M(OS), Kernels(pageKernels(R)) {}

  void write() {
    M.raw("<!DOCTYPE html>");
    Element Html(M, "html", {{"lang", "en"}});
    head();
    Element Body(M, "body");
    heading();
    {
      Element Main(M, "main");
      failures();
      sandbox();
      writeSummary(M, Kernels);
      if (R.Against)
        writeBaselineTable(M, *R.Against);
      files();
    }
    footer();
  }

private:
  const Report &R;
  Markup M;
  std::vector<PageKernel> Kernels;
  ErrorList Errors;

  void head() {
    Element Head(M, "head");
    M.empty("meta", {{"charset", "utf-8"}});
    // Should an escape ever be forgotten: nothing is run, loaded or sent.
    M.empty("meta",
            {{"http-equiv", "Content-Security-Policy"},
             {"content", "default-src 'none'; style-src 'unsafe-inline'; "
                         "img-src data:; base-uri 'none'; form-action "
                         "'none'"}});
    M.empty("meta", {{"name", "viewport"},
                     {"content", "width=device-width, initial-scale=1"}});
    M.empty("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
    M.empty("meta", {{"name", "generator"},
                     {"content", "clrewrite " CLREWRITE_VERSION}});
    M.leaf("title", "clrewrite: " + subject());
    M.open("style");
    M.raw(chartStyle());
    M.raw(pageStyle());
    M.close();
  }

  /// The subject of the page: a file, or a number of files.
  std::string subject() const {
    if (fileCount(R) == 1)
      return R.Files.front().Path;
    return count(fileCount(R), "file", "files") + ", " +
           count(Kernels.size(), "kernel", "kernels");
  }

  void fact(StringRef What, const std::string &Value,
            const std::string &Detail) {
    Element Tile(M, "div");
    M.leaf("dt", What);
    Element Text(M, "dd");
    M.leaf("strong", Value);
    M.text(" " + Detail);
  }

  void heading() {
    Element Header(M, "header");
    M.leaf("p", "clrewrite", {{"class", "brand"}});
    M.leaf("h1", subject());
    Element Facts(M, "dl", {{"class", "facts"}});
    std::vector<std::string> Targets;
    for (const FileReport &F : R.Files)
      addOnce(Targets, F.Targets);
    fact("Kernels", utostr(Kernels.size()),
         Targets.empty() ? "" : "on " + join(Targets, ", "));
    editFacts();
    if (!R.Unmeasured)
      fact("More waves", utostr(count_if(Kernels, gainsWaves)),
           "of " + count(Kernels.size(), "kernel", "kernels"));
    verdictFact();
  }

  void editFacts() {
    size_t Left = 0, Applied = 0;
    for (const FileReport &F : R.Files)
      (F.Written ? Applied : Left) += keptEdits(F).size();
    StringRef What = R.Unmeasured ? "Legal edits" : "Edits that pay";
    if (Applied && Left)
      fact(What, utostr(Applied + Left),
           utostr(Applied) + " applied, " + utostr(Left) + " left");
    else
      fact(What, utostr(Applied + Left),
           Applied ? "applied"
           : Left  ? "not applied yet"
                   : "");
  }

  void verdictFact() {
    size_t Same = 0, All = 0;
    for (const FileReport &F : R.Files)
      for (const KernelEvidence &E : F.Verified) {
        ++All;
        Same += E.Verdict == verify::Verification::Same;
      }
    if (All)
      fact("Same results shown", utostr(Same),
           "of " + count(All, "changed kernel", "changed kernels"));
  }

  void sandbox() {
    for (const std::string &Each : sandboxes(R))
      M.leaf("p", "S" + SandboxWords.drop_front().str() + Each + ".");
  }

  void failures() {
    std::vector<const FileReport *> Failed;
    for (const FileReport &F : R.Files)
      if (!F.Problem.empty())
        Failed.push_back(&F);
    if (Failed.empty())
      return;
    Element Section(M, "section", {{"class", "problem"}});
    M.leaf("h2", "Could not be worked on");
    Element List(M, "ul");
    for (const FileReport *F : Failed) {
      StringRef Why = F->Problem;
      Why.consume_front(F->Path + ": ");
      Element Item(M, "li");
      M.leaf("code", F->Path);
      M.text((": " + Why).str());
      errors(*F);
    }
  }

  /// The first messages of the compiler, with their places.
  void errors(const FileReport &F) {
    std::vector<const SourceError *> New = Errors.newOf(F);
    if (New.empty())
      return;
    Element List(M, "ul");
    for (const SourceError *E : New)
      M.leaf("li", describe(*E));
  }

  void files() {
    std::map<StringRef, std::vector<const FileReport *>> Texts; // by path
    for (const FileReport &F : R.Files)
      if (F.Problem.empty())
        Texts[F.Path].push_back(&F);
    for (const FileReport &F : R.Files)
      if (F.Problem.empty())
        file(F, Texts[F.Path]);
  }

  void file(const FileReport &F, ArrayRef<const FileReport *> Texts) {
    Element Section(M, "section", {{"class", "file"}});
    {
      Element H(M, "h2");
      M.leaf("code", F.Path);
    }
    if (F.Kernels.empty())
      M.leaf("p", "No kernels.");
    warnings(F);
    for (const PageKernel &K : Kernels)
      if (K.File == &F)
        writeKernel(M, K);
    // Texts of one file share its diff, which stands after the last.
    if (Texts.back() == &F || F.Diff.empty())
      writeEdits(M, R, F, Texts);
    writeLeftAlone(M, F);
  }

  void warnings(const FileReport &F) {
    if (F.Warnings.empty() && F.Skipped.empty() && F.Unseen.empty())
      return;
    Element List(M, "ul", {{"class", "warnings"}});
    for (const rewrite::Warning &W : F.Warnings) {
      Element Item(M, "li");
      M.leaf("strong", W.Line ? "Warning, line " + utostr(W.Line) : "Warning");
      M.text(": " + W.Message);
    }
    for (LineRange L : F.Skipped) {
      bool One = L.First == L.Last;
      M.leaf("li", (One ? "Line " + utostr(L.First) + " is"
                        : "Lines " + utostr(L.First) + " to " + utostr(L.Last) +
                              " are") +
                       " not looked at in any build (#if).");
    }
    for (const std::string &What : F.Unseen) {
      std::string Text = UnseenWords.str() + What + ".";
      Text[0] = toUpper(Text[0]);
      M.leaf("li", Text);
    }
  }

  void footer() {
    static constexpr std::pair<StringLiteral, StringLiteral> Terms[] = {
        {"Occupancy",
         "Waves that a SIMD holds at once (NVIDIA: warps a multiprocessor). A "
         "wave that waits for memory costs nothing where others can run."},
        {"Limiter", "What the kernel takes most of, so that no further wave "
                    "fits: VGPRs, SGPRs, LDS or the work-group's size."},
        {"Allocated", "Registers are given out in groups: what is set aside is "
                      "rounded up."},
        {"Estimate", "Cycles of one SIMD for one wave, and which bound they "
                     "come from. It orders versions of one kernel on one "
                     "target, and predicts no time."},
        {"Dashed line", "What the quantity alone would allow, where something "
                        "else allows less."},
    };
    Element Foot(M, "footer");
    Element Fold(M, "details");
    M.leaf("summary", "What the words mean");
    Element List(M, "dl");
    for (const auto &[Term, Meaning] : Terms) {
      M.leaf("dt", Term);
      M.leaf("dd", Meaning);
    }
  }
};

} // namespace

std::vector<PageKernel> pageKernels(const Report &R) {
  std::vector<PageKernel> Out;
  for (const FileReport &F : R.Files)
    for (const rewrite::KernelInfo &K : F.Kernels)
      if (F.Problem.empty() && !isToldElsewhere(R, F, K))
        Out.push_back(
            {&F, &K, "kernel-" + utostr(Out.size() + 1), kernelRows(F, K)});
  return Out;
}

std::string placeOf(const PageKernel &K) {
  return K.Kernel->Line ? K.File->Path + ":" + utostr(K.Kernel->Line)
                        : K.File->Path;
}

void writeHtml(const Report &R, raw_ostream &OS) {
  Page(R, OS).write();
  OS << '\n';
}

} // namespace clrewrite::report
