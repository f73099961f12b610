// Finding the kernel that a launch comment stands before.
#include "rewrite/LaunchComments.h"
#include "clang/AST/ASTContext.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using clang::tok::TokenKind;

namespace clrewrite::rewrite {

/// The kernels whose name is the first of all names of kernels after \p Offset,
/// if only a declaration's own words stand between. A macro may declare several
/// kernels, and then its name stands for all of theirs.
static std::vector<std::string>
kernelsAfter(unsigned Offset, const std::map<std::string, unsigned> &Names,
             const clang::ASTContext &Context) {
  const clang::SourceManager &SM = Context.getSourceManager();
  StringRef Text = SM.getBufferData(SM.getMainFileID());
  clang::SourceLocation Start = SM.getLocForStartOfFile(SM.getMainFileID());
  clang::Lexer Lex(Start, Context.getLangOpts(), Text.begin(),
                   Text.begin() + Offset, Text.end());
  std::vector<std::string> Out;
  clang::Token T;
  bool AtEnd = false;
  while (!AtEnd && Out.empty()) {
    AtEnd = Lex.LexFromRawLexer(T);
    bool Directive = T.is(TokenKind::hash) && T.isAtStartOfLine();
    if (Directive || T.isOneOf(TokenKind::semi, TokenKind::l_brace,
                               TokenKind::r_brace, TokenKind::eof))
      break;
    unsigned Here = SM.getFileOffset(T.getLocation());
    for (const auto &[Name, At] : Names)
      if (At == Here)
        Out.push_back(Name);
  }
  return Out;
}

/// Something else stands before \p C on its line.
static bool standsBehindCode(const frontend::ToolComment &C,
                             const clang::ASTContext &Context) {
  const clang::SourceManager &SM = Context.getSourceManager();
  StringRef Before =
      SM.getBufferData(SM.getMainFileID()).take_front(C.Offset).trim();
  StringRef Line = Before.drop_front(Before.find_last_of("\r\n") + 1).ltrim();
  return !Line.starts_with("//") && !Line.starts_with("/*");
}

void attachLaunches(ArrayRef<frontend::ToolComment> Comments,
                    const std::map<std::string, unsigned> &NameOffsets,
                    const clang::ASTContext &Context, Findings &Into) {
  for (const frontend::ToolComment &C : Comments) {
    StringRef Text = C.Text;
    StringRef Word = Text.take_until([](char Each) { return isSpace(Each); });
    auto warn = [&](const Twine &Message) {
      Into.Warnings.push_back({C.Line, "", Message.str()});
    };
    if (Word != "launch") {
      // A remark that an earlier run wrote behind its edit.
      if (standsBehindCode(C, Context))
        continue;
      warn("this comment says 'clrewrite: " + Word +
           "', which means nothing (known: launch)");
      continue;
    }
    auto Kernels = kernelsAfter(C.End, NameOffsets, Context);
    if (Kernels.empty())
      warn("this launch comment is not used: it must stand directly before a "
           "kernel, with nothing but attributes and comments between");
    for (KernelInfo &K : Into.Kernels)
      if (is_contained(Kernels, K.Name))
        K.Launches.push_back({C.Line, Text.drop_front(Word.size()).str(),
                              unsigned(C.Offset + Word.size())});
  }
}

/// The edit by which \p C has \p New for its sizes.
static void changeSizes(const LaunchComment &C, const launch::NDRange &Old,
                        const launch::NDRange &New, Edits &Into) {
  auto word = [](StringRef Name, const std::vector<uint64_t> &Sizes) {
    return (Name + "=" + launch::sizesText(Sizes)).str();
  };
  SmallVector<StringRef> Words;
  SplitString(C.Text, Words, " \t\r\n,*");
  for (StringRef Each : Words) {
    std::string Other = Each.str();
    if (Each.starts_with("global=")) {
      Other = word("global", New.Global);
      if (Old.Local.empty() && !New.Local.empty())
        Other += " " + word("local", New.Local);
    } else if (Each.starts_with("local=")) {
      Other = word("local", New.Local);
    }
    if (Other != Each)
      Into.push_back({C.Offset + unsigned(Each.data() - C.Text.data()),
                      unsigned(Each.size()), Other});
  }
}

Error changeLaunches(const KernelInfo &K, Alternative &A) {
  for (const LaunchComment &C : K.Launches) {
    Expected<launch::Launch> Old = launch::parseLaunchComment(K.Name, C.Text);
    if (!Old) { // which is told where launches are read
      consumeError(Old.takeError());
      continue;
    }
    Expected<launch::NDRange> New = A.Launch->of(*Old);
    if (!New)
      return New.takeError();
    changeSizes(C, *Old, *New, A.Changes);
  }
  return Error::success();
}

} // namespace clrewrite::rewrite
