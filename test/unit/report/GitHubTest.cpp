// Annotations of GitHub Actions.
#include "Sample.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::report;

TEST(GitHub, ALineAnEditAndAFailedFile) {
  EXPECT_EQ(written(writeGitHub, sample()),
            "::warning file=k.cl,line=4,title=clrewrite%3A r::r [way] "
            "(exact): gpu: occupancy rises from 6 to 10\n"
            "::error file=bad.cl,title=clrewrite::does not parse\n");
}

TEST(GitHub, WrittenEditsAreNotices) {
  Report R = sample();
  R.Files[0].Written = true;
  EXPECT_EQ(written(writeGitHub, R).find("::notice file=k.cl,line=4"), 0u);
}

TEST(GitHub, EscapesWhatWouldEndAPropertyOrTheCommand) {
  Report R;
  FileReport F;
  F.Path = "a,b:c%.cl";
  F.Problem = "50 %\nnext: line";
  R.Files = {F};
  EXPECT_EQ(written(writeGitHub, R),
            "::error file=a%2Cb%3Ac%25.cl,title=clrewrite::50 %25%0Anext: "
            "line\n");
}

TEST(GitHub, ErrorsStandAtTheirLinesOnce) {
  Report R = sample();
  R.Files = {R.Files[1], R.Files[1]};
  R.Files[1].Path = "other.cl";
  R.Files[0].Errors = R.Files[1].Errors = {{"bad.cl", 3, 14, "expected ';'"},
                                           {"shape.h", 7, 0, "no shape"}};
  EXPECT_EQ(written(writeGitHub, R),
            "::error file=bad.cl,line=3,col=14,title=clrewrite%3A does not "
            "parse::expected ';'\n"
            "::error file=shape.h,line=7,title=clrewrite%3A does not "
            "parse::no shape\n"
            "::error file=other.cl,title=clrewrite::does not parse: "
            "bad.cl:3:14: expected ';'\n");
}

TEST(GitHub, NamesThatAreNoUtf8AreMadeThat) {
  Report R = sample();
  R.Files = {R.Files[1]};
  R.Files[0].Path = "caf\xe9.cl";
  EXPECT_EQ(written(writeGitHub, R), "::error file=caf\xef\xbf\xbd.cl,"
                                     "title=clrewrite::does not parse\n");
}
