// Sources as messages between processes.
#include "source/Source.h"
#include <gtest/gtest.h>

using namespace clrewrite;

TEST(Source, JsonHoldsAnyBytes) {
  Source S{"/a\xff.cl",
           std::string("a\0\xff\"\n", 5),
           {"-DX=\xfe", ""},
           "-w \xfd",
           std::string("h.h\0", 4)};
  std::string Text = llvm::formatv("{0}", toJSON(S));
  llvm::Expected<llvm::json::Value> V = llvm::json::parse(Text);
  ASSERT_TRUE(bool(V));
  Source Read;
  llvm::json::Path::Root Root;
  ASSERT_TRUE(fromJSON(*V, Read, Root));
  EXPECT_EQ(Read.Path, S.Path);
  EXPECT_EQ(Read.Text, S.Text);
  EXPECT_EQ(Read.Options, S.Options);
  EXPECT_EQ(Read.DeviceOptions, S.DeviceOptions);
  EXPECT_EQ(Read.Headers, S.Headers);
}
