// SARIF: what the standard requires, and fixes that are right alone.
#include "Sample.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::report;
using llvm::json::Object;

namespace {

const char *WholeRun = R"({
  "columnKind": "utf16CodeUnits",
  "invocations": [
    {
      "executionSuccessful": false,
      "toolExecutionNotifications": [
        {
          "level": "error",
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "bad.cl"
                }
              }
            }
          ],
          "message": {
            "text": "does not parse"
          }
        }
      ]
    }
  ],
  "results": [
    {
      "level": "warning",
      "locations": [
        {
          "logicalLocations": [
            {
              "kind": "function",
              "name": "k"
            }
          ],
          "physicalLocation": {
            "artifactLocation": {
              "uri": "k.cl"
            },
            "region": {
              "startLine": 4
            }
          }
        }
      ],
      "message": {
        "text": "r [way] (exact): gpu: occupancy rises from 6 to 10"
      },
      "properties": {
        "alternative": "way",
        "applied": false,
        "deltas": [],
        "safety": "exact",
        "verification": []
      },
      "ruleId": "r",
      "ruleIndex": 0
    }
  ],
  "tool": {
    "driver": {
      "name": "clrewrite",
      "rules": [
        {
          "id": "r"
        }
      ]
    }
  }
})";

/// The only run of the document.
Object run(const Report &R) {
  llvm::json::Value V =
      llvm::cantFail(llvm::json::parse(written(writeSarif, R)));
  Object &Document = *V.getAsObject();
  EXPECT_EQ(Document.getString("version"), "2.1.0");
  return std::move(*(*Document.getArray("runs"))[0].getAsObject());
}

Object &result(Object &Run, size_t I) {
  return *(*Run.getArray("results"))[I].getAsObject();
}

llvm::json::Array &replacements(Object &Result) {
  Object &Fix = *(*Result.getArray("fixes"))[0].getAsObject();
  Object &Change = *(*Fix.getArray("artifactChanges"))[0].getAsObject();
  return *Change.getArray("replacements");
}

/// The sample with a text in which the edit replaces "old".
Report withText() {
  Report R = sample();
  R.Files[0].Given = "\n\n\n/*\xC3\xA4\xF0\x9F\x98\x80*/ old;\n";
  select::Outcome &O = R.Files[0].Result.Outcomes[0];
  O.Offset = 14;
  O.Changes = {{14, 3, "new\n"}};
  return R;
}

} // namespace

TEST(Sarif, WholeRun) {
  Object Run = run(sample());
  Object &Driver = *Run.getObject("tool")->getObject("driver");
  EXPECT_FALSE(Driver.getString("version")->empty());
  Driver.erase("version");
  EXPECT_EQ(llvm::formatv("{0:2}", llvm::json::Value(std::move(Run))).str(),
            WholeRun);
}

TEST(Sarif, FixHasLinesAndColumnsOfUtf16) {
  Object Run = run(withText());
  Object &R = *replacements(result(Run, 0))[0].getAsObject();
  EXPECT_EQ(*R.getObject("deletedRegion"), (Object{{"startLine", 4},
                                                   {"startColumn", 9},
                                                   {"endLine", 4},
                                                   {"endColumn", 12}}));
  EXPECT_EQ(*R.getObject("insertedContent"), (Object{{"text", "new\n"}}));
}

TEST(Sarif, FixHasTheLineEndsOfTheFile) {
  Report R = withText();
  R.Files[0].Given = "\r\n\r\n\r\n        old;\r\n";
  Object Run = run(R);
  Object &First = *replacements(result(Run, 0))[0].getAsObject();
  EXPECT_EQ(First.getObject("insertedContent")->getString("text"), "new\r\n");
}

TEST(Sarif, EditsOfOneKernelAreOneFix) {
  Report R = withText();
  std::vector<select::Outcome> &List = R.Files[0].Result.Outcomes;
  List.resize(3, List[0]);
  List[0].Changes = {{0, 0, "#define M\n", true}, {14, 3, "new"}};
  List[1].Changes = {{0, 0, "#define M\n", true}, {17, 1, ";;"}};
  List[2].Kernels = {"other"};
  List[2].Changes = {{5, 1, "a"}};
  Object Run = run(R);
  EXPECT_EQ(replacements(result(Run, 0)).size(), 3u);
  EXPECT_EQ(replacements(result(Run, 1)), replacements(result(Run, 0)));
  EXPECT_EQ(replacements(result(Run, 2)).size(), 1u);
  // Where one of them has no place in the text, the other is not offered.
  List[1].Changes.reset();
  Run = run(R);
  EXPECT_EQ(result(Run, 0).getArray("fixes"), nullptr);
  EXPECT_NE(result(Run, 2).getArray("fixes"), nullptr);
}

TEST(Sarif, WhatWasWrittenIsANoteWithoutAFix) {
  Report R = withText();
  R.Files[0].Written = true;
  Object Run = run(R);
  EXPECT_EQ(result(Run, 0).getString("level"), "note");
  EXPECT_EQ(result(Run, 0).getArray("fixes"), nullptr);
}

TEST(Sarif, PathsAreUris) {
  Report R = sample();
  R.Files[0].Path = "/a b/\xC3\xA4#.cl";
  EXPECT_NE(written(writeSarif, R).find("\"file:///a%20b/%C3%A4%23.cl\""),
            std::string::npos);
}
