// Messages of an editor, and what is none.
#include "lsp/ReadMessage.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::lsp;

namespace {

/// What is read of \p Text: the messages, and the problem last.
std::vector<std::string> messages(std::string Text) {
  std::FILE *In = ::fmemopen(Text.data(), Text.size(), "r");
  MessageReader Reader(In);
  std::vector<std::string> Out;
  while (std::optional<std::string> Message = Reader.next())
    Out.push_back(*Message);
  std::fclose(In);
  Out.push_back(Reader.problem());
  return Out;
}

using Strings = std::vector<std::string>;

} // namespace

TEST(ReadMessage, HeadsAndBodies) {
  EXPECT_EQ(messages("Content-Length: 2\r\n\r\n{}content-length:1\nX: y\n\n7"),
            (Strings{"{}", "7", ""}));
  EXPECT_EQ(messages("Content-Length: 0\r\n\r\n"), (Strings{"", ""}));
}

TEST(ReadMessage, WhatIsWrongEndsIt) {
  EXPECT_EQ(messages("Content-Length: -5\r\n\r\n{}"),
            (Strings{"'-5' is no Content-Length from 0 to 419430400"}));
  EXPECT_EQ(messages("Content-Length: 3\r\n\r\n{}"),
            (Strings{"the input ends within a message"}));
  EXPECT_EQ(messages("X: y\r\n\r\nContent-Length: 2\r\n\r\n{}"),
            (Strings{"a message's head has no Content-Length: NUMBER"}));
  EXPECT_EQ(messages("Content-Len"),
            (Strings{"the input ends within a message's head"}));
}

TEST(ReadMessage, JsonRpc) {
  EXPECT_TRUE(jsonRpc(R"({"jsonrpc": "2.0", "method": "exit"})"));
  EXPECT_FALSE(jsonRpc(R"({"jsonrpc": "2.0"})"));
  EXPECT_FALSE(jsonRpc("no json"));
  EXPECT_FALSE(jsonRpc(R"({"jsonrpc": "2.0", "id": 1, "params": )" +
                       std::string(100, '[')));
}
