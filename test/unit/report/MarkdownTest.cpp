// Tables for a pull request.
#include "Sample.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::report;

TEST(Markdown, TablesOfKernelsAndEdits) {
  EXPECT_EQ(
      written(writeMarkdown, sample()),
      "| kernel | target | VGPRs | spills | occupancy | est. cycles | time |\n"
      "|---|---|---:|---:|---:|---:|---:|\n"
      "| `k` (`k.cl:3`) | gpu | 37 → **24** |  | 6 → **10** of 10 |  |  |\n"
      "\n"
      "| edit | where | safety | state | why |\n"
      "|---|---|---|---|---|\n"
      "| `r` \\[way\\] | `k.cl:4` | exact | left | gpu: occupancy rises from 6 "
      "to 10 |\n"
      "\n"
      "- `bad.cl`: does not parse\n"
      "\n"
      "2 files, 1 kernel; edits that pay: 1 left, 0 applied\n");
}

TEST(Markdown, EscapesWhatWouldEndACell) {
  Report R;
  FileReport F;
  F.Path = "a|b.cl";
  F.Problem = "a|b.cl: x | <y>\n*z*";
  R.Files = {F};
  EXPECT_EQ(written(writeMarkdown, R),
            "- a\\|b.cl: x \\| &lt;y> \\*z\\*\n\n"
            "1 file, 0 kernels; edits that pay: 0 left, 0 applied\n");
}

TEST(Markdown, NamesThatAreNoUtf8AreMadeThat) {
  Report R = sample();
  R.Files = {R.Files[1]};
  R.Files[0].Path = "caf\xe9.cl";
  EXPECT_NE(written(writeMarkdown, R).find("- `caf\xef\xbf\xbd.cl`: "),
            std::string::npos);
}
