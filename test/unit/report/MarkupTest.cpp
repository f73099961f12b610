// HTML and SVG: what is text stays text.
#include "report/Markup.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::report;

TEST(Markup, EscapesWhatMeansSomething) {
  EXPECT_EQ(
      escapedMarkup("<script>'a' && \"b\"</script>"),
      "&lt;script&gt;&#39;a&#39; &amp;&amp; &quot;b&quot;&lt;/script&gt;");
  EXPECT_EQ(escapedMarkup("a\tb\nπ"), "a\tb\nπ");
}

TEST(Markup, ReplacesWhatXmlCannotHold) {
  EXPECT_EQ(escapedMarkup(llvm::StringRef("\0\x1b[1m\r", 6)),
            "\xEF\xBF\xBD\xEF\xBF\xBD[1m\xEF\xBF\xBD");
  EXPECT_EQ(escapedMarkup("\xff"), "\xEF\xBF\xBD");
  EXPECT_EQ(escapedMarkup("\xEF\xBF\xBFx"), "\xEF\xBF\xBDx"); // U+FFFF
}

TEST(Markup, ClosesWhatItOpens) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Markup M(OS);
  {
    Element Row(M, "tr", {{"class", "a\"b"}});
    M.leaf("td", "1 < 2");
    M.empty("img");
  }
  EXPECT_EQ(Text, "\n<tr class=\"a&quot;b\"><td>1 &lt; 2</td><img/></tr>");
}
