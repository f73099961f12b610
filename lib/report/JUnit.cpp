// The report as JUnit's XML, which CI servers show as tests: a suite a file, a
// case a kernel. A case fails where an edit that pays is left in its kernel,
// and a file that could not be worked on is a case with an error.
#include "report/Listing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::report {
namespace {

/// For text and for values in double quotes. XML has no way to write most
/// control characters.
std::string asXml(StringRef Given) {
  std::string Out, Text = json::fixUTF8(Given);
  for (char C : Text)
    switch (C) {
    case '&':
      Out += "&amp;";
      break;
    case '<':
      Out += "&lt;";
      break;
    case '>':
      Out += "&gt;";
      break;
    case '"':
      Out += "&quot;";
      break;
    case '\n':
    case '\t':
    case '\r':
      Out += "&#" + utostr(unsigned(C)) + ";";
      break;
    default:
      Out += static_cast<unsigned char>(C) < ' ' ? '?' : C;
    }
  return Out;
}

struct Case {
  std::string Name;
  unsigned Line = 0;
  std::string Problem = {};
  std::string Details = {}; ///< of Problem, in lines
  std::vector<const select::Outcome *> Left = {};
  std::vector<std::string> Figures = {};
};

Case caseOf(const FileReport &F, const rewrite::KernelInfo &K) {
  Case C{K.Name, K.Line};
  if (!F.Written)
    copy_if(keptEdits(F), std::back_inserter(C.Left),
            [&](const select::Outcome *O) {
              return is_contained(O->Kernels, K.Name);
            });
  for (const KernelRow &Row : kernelRows(F))
    if (Row.Kernel == &K)
      C.Figures.push_back(
          (Row.Target + ": " +
           (Row.Before ? describe(*Row.Before, *Row.After) : Row.Problem) +
           (Row.time() ? ", time " + measure::describe(*Row.time()) : ""))
              .str());
  return C;
}

/// The line is that of the first error in the file itself.
Case failed(const FileReport &F) {
  Case C{"clrewrite", 0, F.Errors.empty() ? F.Problem : problemOf(F)};
  for (const SourceError &E : F.Errors) {
    if (!C.Line && E.Path == F.Path)
      C.Line = E.Line;
    C.Details += describe(E) + "\n";
  }
  return C;
}

std::vector<Case> casesOf(const FileReport &F) {
  std::vector<Case> Out;
  if (!F.Problem.empty())
    return {failed(F)};
  for (const rewrite::KernelInfo &K : F.Kernels)
    Out.push_back(caseOf(F, K));
  // These are edits of functions that no kernel of the file reaches.
  for (const select::Outcome *O : keptEdits(F))
    if (!F.Written && none_of(F.Kernels, [&](const rewrite::KernelInfo &K) {
          return is_contained(O->Kernels, K.Name);
        }))
      Out.push_back(
          {O->Rewrite + " in line " + utostr(O->Line), O->Line, "", "", {O}});
  return Out;
}

void write(const Case &C, const FileReport &F, raw_ostream &OS) {
  OS << "    <testcase classname=\"" << asXml(F.Path) << "\" name=\""
     << asXml(C.Name) << "\" file=\"" << asXml(F.Path) << "\"";
  if (C.Line)
    OS << " line=\"" << C.Line << "\"";
  OS << " time=\"0\">\n";
  if (!C.Problem.empty())
    OS << "      <error message=\"" << asXml(C.Problem) << "\""
       << (C.Details.empty() ? "/>\n" : ">" + asXml(C.Details) + "</error>\n");
  if (!C.Left.empty()) {
    OS << "      <failure type=\"" << asXml(C.Left.front()->Rewrite)
       << "\" message=\"" << asXml(headline(*C.Left.front())) << "\">";
    for (const select::Outcome *O : C.Left)
      OS << asXml(F.Path + ":" + utostr(O->Line) + ": " + headline(*O)) << "\n";
    OS << "</failure>\n";
  }
  if (!C.Figures.empty()) {
    OS << "      <system-out>";
    for (const std::string &Line : C.Figures)
      OS << asXml(Line) << "\n";
    OS << "</system-out>\n";
  }
  OS << "    </testcase>\n";
}

/// A suite of its own: a case a kernel and target, which fails where it got
/// worse. What is new or gone is no case.
void baselineSuite(const BaselineReport &B, raw_ostream &OS) {
  OS << "  <testsuite name=\"" << asXml(B.Path) << "\" tests=\""
     << B.Rows.size() - B.count(Fate::New) - B.count(Fate::Gone)
     << "\" failures=\"" << B.count(Fate::Worse)
     << "\" errors=\"0\" skipped=\"0\" time=\"0\">\n";
  for (const BaselineRow &Row : B.Rows) {
    if (Row.What == Fate::New || Row.What == Fate::Gone)
      continue;
    OS << "    <testcase classname=\"" << asXml(Row.Path) << "\" name=\""
       << asXml(Row.Kernel + " on " + Row.Target + " against the baseline")
       << "\" file=\"" << asXml(Row.Path) << "\"";
    if (Row.Line)
      OS << " line=\"" << Row.Line << "\"";
    OS << " time=\"0\">\n";
    if (Row.What == Fate::Worse)
      OS << "      <failure type=\"regression\" message=\"" << asXml(Row.text())
         << "\"/>\n";
    else if (Row.What != Fate::Same)
      OS << "      <system-out>" << asXml(Row.text()) << "</system-out>\n";
    OS << "    </testcase>\n";
  }
  OS << "  </testsuite>\n";
}

} // namespace

void writeJUnit(const Report &R, raw_ostream &OS) {
  OS << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
     << "<testsuites name=\"clrewrite\">\n";
  for (const FileReport &F : R.Files) {
    std::vector<Case> Cases = casesOf(F);
    OS << "  <testsuite name=\"" << asXml(F.Path) << "\" tests=\""
       << Cases.size() << "\" failures=\""
       << count_if(Cases, [](const Case &C) { return !C.Left.empty(); })
       << "\" errors=\""
       << count_if(Cases, [](const Case &C) { return !C.Problem.empty(); })
       << "\" skipped=\"0\" time=\"0\">\n";
    for (const Case &C : Cases)
      write(C, F, OS);
    OS << "  </testsuite>\n";
  }
  if (R.Against)
    baselineSuite(*R.Against, OS);
  OS << "</testsuites>\n";
}

} // namespace clrewrite::report
