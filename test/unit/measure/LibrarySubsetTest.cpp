// Modules are linked from libraries again and again, with what they need and no
// more.
#include "measure/llvm/LibrarySubset.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;
using namespace llvm;

namespace {

std::unique_ptr<Module> parse(LLVMContext &Context, StringRef Text) {
  SMDiagnostic Problem;
  std::unique_ptr<Module> M = parseAssemblyString(Text, Problem, Context);
  EXPECT_TRUE(M) << Problem.getMessage().str();
  return M;
}

constexpr StringRef Upper = R"(
@table = private constant [2 x ptr] [ptr @inner, ptr null]
define i32 @unused() { ret i32 7 }
define i32 @outer(i32 %a) {
  %p = load ptr, ptr @table, !nonnull !0
  %r = call i32 %p(i32 %a)
  ret i32 %r
}
define linkonce_odr i32 @inner(i32 %a) {
  %r = call i32 @below(i32 %a)
  ret i32 %r
}
define i32 @other() { ret i32 3 }
declare i32 @below(i32)
!0 = !{}
)";
constexpr StringRef Lower = R"(
define i32 @below(i32 %a) {
  %r = call i32 @llvm.abs.i32(i32 %a, i1 false)
  ret i32 %r
}
declare i32 @llvm.abs.i32(i32, i1)
)";

class LibrarySubset : public testing::Test {
protected:
  LibrarySubsets Libraries;

  void SetUp() override {
    for (StringRef Text : {Upper, Lower}) {
      SmallString<64> Path;
      int FD;
      ASSERT_FALSE(sys::fs::createTemporaryFile("subset", "bc", FD, Path));
      {
        LLVMContext Context;
        raw_fd_ostream OS(FD, /*shouldClose=*/true);
        WriteBitcodeToFile(*parse(Context, Text), OS);
      }
      Error E = Libraries.open(Path.str().str());
      sys::fs::remove(Path);
      ASSERT_FALSE(bool(E)) << toString(std::move(E));
    }
  }

  /// What a module that calls \p Name is after linking: its functions, those
  /// without a body in brackets.
  std::string linked(StringRef Name, StringRef Type) {
    LLVMContext Context;
    std::unique_ptr<Module> M =
        parse(Context, ("declare i32 @" + Name + Type +
                        "\ndefine ptr @own() { ret ptr @" + Name + " }")
                           .str());
    if (Error E = Libraries.link(*M))
      return toString(std::move(E));
    EXPECT_FALSE(verifyModule(*M, &errs()));
    std::string Out;
    for (const Function &F : *M) {
      EXPECT_TRUE(F.isDeclaration() || F.getName() == "own" ||
                  F.hasInternalLinkage());
      Out += F.isDeclaration() ? "[" + F.getName().str() + "] "
                               : F.getName().str() + " ";
    }
    return Out;
  }
};

} // namespace

TEST_F(LibrarySubset, LinksWhatIsNeededAnyNumberOfTimes) {
  std::string Outer = linked("outer", "(i32)");
  EXPECT_EQ(Outer, "own outer inner below [llvm.abs.i32] ");
  EXPECT_EQ(linked("other", "()"), "own other ");
  EXPECT_EQ(linked("outer", "(i32)"), Outer);
  EXPECT_EQ(linked("nowhere", "()"), "[nowhere] own ");
  EXPECT_EQ(linked("below", "(i32)"), "own below [llvm.abs.i32] ");
}

TEST_F(LibrarySubset, TellsNames) {
  std::string Names;
  Libraries.eachName([&](StringRef Name) { Names += Name.str() + " "; });
  EXPECT_EQ(Names, "unused outer inner other below below llvm.abs.i32 ");
}
