// What a source lacks, by what Clang says of it, and what may stand there.
#include "frontend/Missing.h"
#include "frontend/Parse.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::frontend;

static Missing lacksOf(const std::string &Text) {
  return missingIn(parse({"k.cl", Text, {}}, {"amdgcn-amd-amdhsa", "gfx906"},
                         false, [](clang::ASTContext &, const Diagnosis &) {}));
}

/// "A=16 B= <header> #SWITCH for A,B", as far as there are such.
static std::string lacks(const std::string &Text) {
  Missing M = lacksOf(Text);
  std::string Out;
  for (const MissingName &N : M.Names)
    Out += N.Name + "=" + N.Guess + " ";
  for (const std::string &H : M.Headers)
    Out += "<" + H + "> ";
  for (const Switch &S : M.Switches)
    Out += "#" + llvm::join(S.Macros, ",") + " for " +
           llvm::join(S.Names, ",") + " ";
  return llvm::StringRef(Out).rtrim().str();
}

TEST(Missing, IsMacrosAndNotFollowingErrors) {
  EXPECT_EQ(lacks("__kernel void k(__global REAL *p) {"
                  "  REAL sum = p[1]; p[SIZE] = sum; }"),
            "REAL=float SIZE=16");
}

TEST(Missing, HasNoNumberForWhatIsCalled) {
  EXPECT_EQ(lacks("#define TWICE(x) scale (x, 2)\n"
                  "__kernel void k(__global float *p) {"
                  "  p[0] = turn(p[1]) + TWICE(p[2]) + SIZE; }"),
            "turn= scale= SIZE=16");
  EXPECT_FALSE(lacksOf("__kernel void k(__global float *p) {"
                       "  p[0] = turn(p[1]); }")
                   .none());
}

TEST(Missing, TypesAreGuessedByTheirNames) {
  EXPECT_EQ(lacks("kernel void k(global FLOAT8 *p, global IDX_TYPE *q,"
                  "              global OUT_I4 *r, global UCHAR_T *s) {}"),
            "FLOAT8=float8 IDX_TYPE=int OUT_I4=int4 UCHAR_T=uchar");
  // A cast's type, and a vector's, but no condition and no argument.
  EXPECT_EQ(
      lacks("float4 f(float x) { return (REAL4)(x); }\n"
            "float4 g(float x) { float4 y = (DATA_TYPE4)(x); return y; }"),
      "REAL4=float4 DATA_TYPE4=float4");
  EXPECT_EQ(lacks("void f(int a); void g(int *p) {"
                  "  if (MODE) (*p)++; f(COUNT); }"),
            "MODE=16 COUNT=16");
}

TEST(Missing, NamesSayWidthsAndQualifiers) {
  EXPECT_EQ(lacks("KERNEL void k(GLOBAL float *p, int64_t a, uint8_t b,"
                  "              POINT4 c) {}"),
            "KERNEL=__kernel GLOBAL=__global int64_t=long uint8_t=uchar "
            "POINT4=float4");
}

TEST(Missing, IsNoVariable) {
  EXPECT_EQ(lacks("kernel void k(global float *p) {"
                  "  T N = p[0]; for (I = 0; I < 4; I++) p[I] = N + SIZE; }"),
            "T=float SIZE=16");
}

TEST(Missing, FunctionsOfATypeAreGuessedByTheirNames) {
  EXPECT_EQ(lacks("kernel void k(read_only image2d_t i, global float4 *p,"
                  "              int2 c, float x) {"
                  "  p[0] = READ_IMAGE(i, c); p[1] = CONVERT_FLOAT4(p[0]);"
                  "  p[2] = ROUND_TO(x); }"),
            "READ_IMAGE=read_imagef CONVERT_FLOAT4=convert_float4 ROUND_TO=");
}

TEST(Missing, SwitchesGiveWhatTheyDefine) {
  EXPECT_EQ(lacks("#ifdef cl_ext_small\n#define SMALL_GPU 1\n"
                  "#elif defined(cl_ext_large)\n#define LARGE_GPU 1\n#endif\n"
                  "#ifdef SMALL_GPU\n#define ROWS 4\n#define WIDE 16\n"
                  "#elif defined (LARGE_GPU)\n#define ROWS 8\n"
                  "#define WIDE 64\n#endif\n"
                  "kernel void k(global int *p) { p[ROWS] = WIDE + OTHER; }"),
            "OTHER=16 #cl_ext_small for ROWS,WIDE #cl_ext_large for ROWS,WIDE");
}

TEST(Missing, PartsOfNamesAreMacros) {
  EXPECT_EQ(lacks("#define JOIN_(a, b) a##b\n#define JOIN(a, b) JOIN_(a, b)\n"
                  "#define REAL4 JOIN(REAL, 4)\n"
                  "#define READ JOIN(read_image, KIND)\n"
                  "kernel void k(read_only image2d_t i, global REAL4 *p,"
                  "              int2 c) { p[0] = READ(i, c); }"),
            "REAL=float KIND=f");
}

TEST(Missing, IsWhatErrorsAskFor) {
  const char *Text = "#ifndef SIZE\n#error no SIZE\n#endif\n"
                     "#ifndef RANK\n#error no RANK\n#endif\n"
                     "kernel void k(global T *p) {}";
  EXPECT_EQ(lacks(Text), "SIZE=16 RANK=16 T=float");
  EXPECT_EQ(lacks("#define SIZE 1\n" + std::string(Text)), "RANK=16 T=float");
  EXPECT_EQ(lacks("#define SIZE 1\n#define RANK 1\n" + std::string(Text)),
            "T=float");
}

TEST(Missing, HeadersAreThoseOfAngledIncludesToo) {
  EXPECT_EQ(lacks("#include <none.h>\nkernel void k() {}"), "<none.h>");
}

TEST(Missing, VectorsOfHalfAreOfAnExtension) {
  Diagnosis D;
  D.UnknownTypes = {"half4", "half5"};
  Missing M = missingIn(D);
  EXPECT_EQ(M.HalfVector, "half4");
  ASSERT_EQ(M.Names.size(), 1u);
  EXPECT_EQ(M.Names[0].Name, "half5");
}

TEST(Missing, IsSuggestedInALine) {
  EXPECT_EQ(suggestion({"REAL", "SIZE"}, {"-D REAL=float", "-D SIZE=16"}),
            "not defined here, perhaps by the host program: REAL, SIZE; pass "
            "them as it does, for example: -- -D REAL=float -D SIZE=16; or in "
            ".clrewrite.yaml, of which clrewrite init writes a first one");
  EXPECT_EQ(suggestion({}, {}), "");
}
