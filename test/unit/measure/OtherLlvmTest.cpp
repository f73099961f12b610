// clrewrite-compile-NN, here with the LLVM of this program, so that each answer
// can be compared with one of our own.
#include "measure/OtherLlvm.h"
#include "measure/Backend.h"
#include "measure/BackendProcesses.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;

namespace {

constexpr const char *Add = "kernel void add(global float *p, int n) {"
                            "  for (int i = 0; i < n; ++i)"
                            "    p[get_global_id(0)] += p[i]; }";
constexpr const char *Wrong = "kernel void add(global float *p) { p[0] = x; }";

MeasureRequest requestFor(const char *Text, const char *On) {
  return {{"/add.cl", Text, {"-cl-std=CL1.2"}},
          llvm::cantFail(parseTarget(On)),
          {"add"}};
}

llvm::Expected<std::unique_ptr<OtherLlvm>>
open(unsigned Major, llvm::StringRef Target, std::string Program) {
  return OtherLlvm::open(Major, llvm::cantFail(parseTarget(Target)),
                         {"", {60, 2}}, std::move(Program));
}

template <typename T> std::string text(const Answer<T> &A) {
  return llvm::formatv("{0} {1}", A.Lasting, toJSON(A.Value));
}

} // namespace

TEST(OtherLlvm, AnswersAsBackEndsDo) {
  auto Other = open(LLVM_VERSION_MAJOR, "gfx906", CLREWRITE_COMPILE);
  ASSERT_TRUE(bool(Other)) << llvm::toString(Other.takeError());
  EXPECT_EQ((*Other)->version(), LLVM_VERSION_STRING);
  auto Own = openBackends(llvm::cantFail(parseTarget("gfx906")), {});
  ASSERT_TRUE(bool(Own)) << llvm::toString(Own.takeError());
  BackendProcesses Here(std::move(Own->front()), {60, 2});

  std::vector<MeasureRequest> Asked{requestFor(Add, "gfx906"),
                                    requestFor(Wrong, "gfx906"),
                                    requestFor(Add, "gfx1100")};
  auto Theirs = (*Other)->measure(Asked), Ours = Here.measure(Asked);
  ASSERT_EQ(Theirs.size(), 3u);
  for (size_t I = 0; I < 3; ++I)
    EXPECT_EQ(text(Theirs[I]), text(Ours[I]));
  EXPECT_EQ(Theirs[0].Value.Kernels.size(), 1u);
  EXPECT_EQ(Theirs[1].Value.Problem,
            "does not compile for gfx906: /add.cl:1:43: error: use of "
            "undeclared identifier 'x'");
  EXPECT_EQ(text((*Other)->pressure(Asked[0])), text(Here.pressure(Asked[0])));
  EXPECT_EQ(text((*Other)->work(Asked[0])), text(Here.work(Asked[0])));
  // What it is made of is there for the cache's keys.
  std::vector<std::string> Files = (*Other)->files(Asked[0].On);
  EXPECT_EQ(Files.front(), CLREWRITE_COMPILE);
  EXPECT_EQ(std::vector(Files.begin() + 1, Files.end()),
            Here.files(Asked[0].On));
}

TEST(OtherLlvm, AllAreThoseThatAreHere) {
  auto All = parseTargets("hawaii@all");
  ASSERT_TRUE(bool(All)) << llvm::toString(All.takeError());
  unsigned Own = 0, Newest = 0;
  for (const Target &T : *All) {
    EXPECT_EQ(T.Cpu, "gfx701");
    unsigned Version = 0;
    ASSERT_FALSE(
        llvm::StringRef(T.Name).split('@').second.getAsInteger(10, Version));
    EXPECT_GT(Version, Newest) << "in order, each once";
    Newest = Version;
    Own += T.Llvm == 0;
    if (T.Llvm != 0) {
      EXPECT_NE(programWithLlvm(T.Llvm), "");
    }
  }
  EXPECT_EQ(Own, 1u);
  auto One = parseTargets("device:a@all");
  ASSERT_TRUE(bool(One)) << llvm::toString(One.takeError());
  EXPECT_EQ(One->size(), 1u) << "a device's name may have any characters";
  auto None = parseTargets("gfx9@all");
  ASSERT_FALSE(bool(None));
  llvm::consumeError(None.takeError());
}

TEST(OtherLlvm, SaysWhatIsMissing) {
  auto None = open(20, "gfx906@20", "");
  ASSERT_FALSE(bool(None));
  EXPECT_EQ(llvm::toString(None.takeError()),
            "target 'gfx906@20': clrewrite-compile-20 is neither "
            "installed nor on PATH; install the package of that name, or build "
            "it of clrewrite's source by LLVM=20 ./dev helper");
  auto NoProgram = open(20, "gfx906@20", "/nowhere");
  ASSERT_FALSE(bool(NoProgram));
  EXPECT_EQ(llvm::toString(NoProgram.takeError()),
            "/nowhere ended with status 127: cannot run /nowhere: No such file "
            "or directory");
  auto Another = open(20, "gfx906@20", "/bin/true");
  ASSERT_FALSE(bool(Another));
  EXPECT_EQ(llvm::toString(Another.takeError()),
            "/bin/true ended without an answer");
  auto Version = open(18, "gfx906", CLREWRITE_COMPILE);
  ASSERT_FALSE(bool(Version));
  EXPECT_EQ(llvm::toString(Version.takeError()),
            CLREWRITE_COMPILE " compiles with LLVM " LLVM_VERSION_STRING);
}
