// The history as a table for people, and as a page.
#include "history/History.h"
#include "history/NightChart.h"
#include "report/CurveChart.h"
#include "report/HtmlParts.h"
#include "source/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::history {

std::string Decline::text() const {
  return Now ? report::changes(Before, *Now)
             : "could be measured, and now not: " + Problem;
}

size_t Summary::worseSinceLast() const {
  return size_t(count_if(
      Worse, [&](const Decline &D) { return D.Since + 1 == Nights.size(); }));
}

std::string Summary::changesOf(size_t I) const {
  std::vector<std::string> Out;
  for (auto [What, Of] : {std::pair("commit", &Night::Commit),
                          {"compiler", &Night::Compiler},
                          {"driver", &Night::Driver}})
    if (I && Nights[I - 1].*Of != Nights[I].*Of)
      Out.push_back(std::string(What) + " " + Nights[I - 1].*Of + " -> " +
                    Nights[I].*Of);
  return Out.empty() ? "nothing that is known" : join(Out, ", ");
}

/// Of a Decline or a Course.
template <typename T> static std::string placeOf(const T &Of) {
  return Of.Path + ": " + Of.Kernel +
         (Of.Copy > 1 ? " (" + utostr(Of.Copy) + ")" : "");
}

/// A browser still shows so many.
static constexpr size_t MostCourses = 500;

/// The curves of the kernels whose figures changed.
static void writeCurves(const Summary &S, report::Markup &M) {
  if (S.Courses.empty())
    return;
  report::Element Section(M, "section");
  M.leaf("h2", "Night after night");
  for (auto [I, C] : enumerate(ArrayRef(S.Courses).take_front(MostCourses))) {
    M.leaf("h3",
           placeOf(C) + " on " + C.Target + (C.IsWorse ? " (worse)" : ""));
    report::Element Grid(M, "div", {{"class", "charts"}});
    std::string Id = "course-" + utostr(I + 1);
    drawCourse(M, S, C, /*Waves=*/false, Id + "-registers");
    drawCourse(M, S, C, /*Waves=*/true, Id + "-waves");
  }
  if (S.Courses.size() > MostCourses)
    M.leaf("p", "and " + utostr(S.Courses.size() - MostCourses) +
                    " more kernels and targets whose figures changed");
}

static std::string headline(const Summary &S) {
  size_t Last = S.worseSinceLast(), All = S.Worse.size();
  return utostr(S.Nights.size()) +
         (S.Nights.size() == 1 ? " night; " : " nights; ") + utostr(S.Kernels) +
         " figures of kernels and targets; worse since the "
         "last night: " +
         utostr(Last) + ", in all: " + utostr(All);
}

void writeText(const Summary &S, raw_ostream &OS) {
  OS << headline(S) << "\n";
  size_t Since = S.Nights.size(); // of no decline
  for (const Decline &D : S.Worse) {
    if (D.Since != Since)
      OS << printable("since " + S.Nights[D.Since].Date + ", with " +
                      S.changesOf(D.Since))
         << ":\n";
    Since = D.Since;
    OS << printable("  " + placeOf(D) + " on " + D.Target + ": " + D.text())
       << "\n";
  }
}

void writePage(const Summary &S, raw_ostream &OS) {
  using report::Element;
  report::Markup M(OS);
  M.raw("<!DOCTYPE html>");
  {
    Element Html(M, "html", {{"lang", "en"}});
    {
      Element Head(M, "head");
      M.empty("meta", {{"charset", "utf-8"}});
      M.empty("meta", {{"http-equiv", "Content-Security-Policy"},
                       {"content", "default-src 'none'; "
                                   "style-src 'unsafe-inline'"}});
      M.empty("meta", {{"name", "viewport"},
                       {"content", "width=device-width, initial-scale=1"}});
      M.leaf("title", "clrewrite: history");
      M.open("style");
      M.raw(report::chartStyle());
      M.raw(report::pageStyle());
      M.close();
    }
    Element Body(M, "body");
    {
      Element Header(M, "header");
      M.leaf("p", "clrewrite", {{"class", "brand"}});
      M.leaf("h1", "History");
      M.leaf("p", headline(S));
    }
    Element Main(M, "main");
    auto Table = [&](StringRef Title, ArrayRef<StringRef> Heads, auto Rows) {
      Element Section(M, "section");
      M.leaf("h2", Title);
      Element List(M, "table");
      {
        Element Head(M, "thead");
        Element Row(M, "tr");
        for (StringRef Each : Heads)
          M.leaf("th", Each, {{"scope", "col"}});
      }
      Element Rest(M, "tbody");
      Rows([&](ArrayRef<std::string> Cells) {
        Element Row(M, "tr");
        for (auto [Name, Text] : zip(Heads, Cells)) {
          report::Cell Data(M, Name);
          M.text(Text);
        }
      });
    };
    Table("Worse than they were",
          {"kernel", "target", "figures", "since", "with"}, [&](auto Row) {
            for (const Decline &D : S.Worse)
              Row({placeOf(D), D.Target, D.text(), S.Nights[D.Since].Date,
                   S.changesOf(D.Since)});
          });
    writeCurves(S, M);
    Table("Nights", {"date", "commit", "compiler", "driver", "got worse"},
          [&](auto Row) {
            for (size_t I = S.Nights.size(); I-- > 0;) {
              const Night &N = S.Nights[I];
              Row({N.Date, N.Commit, N.Compiler, N.Driver,
                   utostr(size_t(count_if(S.Worse, [&](const Decline &D) {
                     return D.Since == I;
                   })))});
            }
          });
  }
  OS << "\n";
}

} // namespace clrewrite::history
