// XML for CI servers.
#include "Sample.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::report;

TEST(JUnit, AKernelWithAnEditLeftFails) {
  EXPECT_EQ(
      written(writeJUnit, sample()),
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"clrewrite\">\n"
      "  <testsuite name=\"k.cl\" tests=\"1\" failures=\"1\" errors=\"0\" "
      "skipped=\"0\" time=\"0\">\n"
      "    <testcase classname=\"k.cl\" name=\"k\" file=\"k.cl\" line=\"3\" "
      "time=\"0\">\n"
      "      <failure type=\"r\" message=\"r [way] (exact): gpu: occupancy "
      "rises from 6 to 10\">k.cl:4: r [way] (exact): gpu: occupancy rises "
      "from 6 to 10\n"
      "</failure>\n"
      "      <system-out>gpu: VGPRs 37 -&gt; 24, occupancy 6 -&gt; 10 of 10 "
      "warps/SM\n"
      "</system-out>\n"
      "    </testcase>\n"
      "  </testsuite>\n"
      "  <testsuite name=\"bad.cl\" tests=\"1\" failures=\"0\" errors=\"1\" "
      "skipped=\"0\" time=\"0\">\n"
      "    <testcase classname=\"bad.cl\" name=\"clrewrite\" file=\"bad.cl\" "
      "time=\"0\">\n"
      "      <error message=\"does not parse\"/>\n"
      "    </testcase>\n"
      "  </testsuite>\n"
      "</testsuites>\n");
}

TEST(JUnit, AWrittenFilePasses) {
  Report R = sample();
  R.Files[0].Written = true;
  std::string Text = written(writeJUnit, R);
  EXPECT_NE(Text.find("tests=\"1\" failures=\"0\""), std::string::npos);
  EXPECT_EQ(Text.find("<failure"), std::string::npos);
}

TEST(JUnit, EscapesWhatXmlCanNotHold) {
  Report R;
  FileReport F;
  F.Path = "a&b.cl";
  F.Problem = "\"<\x01\xff\n";
  R.Files = {F};
  std::string Text = written(writeJUnit, R);
  EXPECT_NE(Text.find("name=\"a&amp;b.cl\""), std::string::npos);
  EXPECT_NE(Text.find("message=\"&quot;&lt;?\xEF\xBF\xBD&#10;\""),
            std::string::npos);
}

TEST(JUnit, AnEditThatNoKernelReachesHasItsOwnCase) {
  Report R = sample();
  R.Files[0].Result.Outcomes[0].Kernels.clear();
  std::string Text = written(writeJUnit, R);
  EXPECT_NE(Text.find("tests=\"2\" failures=\"1\""), std::string::npos);
  EXPECT_NE(Text.find("name=\"r in line 4\""), std::string::npos);
}
