// What operations take of the pipes of an NVIDIA GPU: an H200's figures
// (bench/units.py).
#include "PartsOf.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;

namespace {

/// Cycles for each of \p Statement, which stands some times in a row between
/// loads of x and y, of type \p Type, and a store of x + y; z is an argument.
EstimateParts each(const char *Type, const char *Statement,
                   const char *Cpu = "sm_90") {
  constexpr unsigned Few = 4, Many = 12;
  auto some = [&](unsigned Times) {
    std::string Body;
    for (unsigned I = 0; I < Times; ++I)
      Body += Statement;
    return partsOf(
        llvm::formatv("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                      "kernel void k(global const int *in, global int *out,"
                      "              int n) {{"
                      "  int i = get_global_id(0);"
                      "  {0} x = ((global const {0} *)in)[i & 63], f = 0,"
                      "      y = ((global const {0} *)in)[i & 63 | 64];"
                      "  int z = n;"
                      "  {1}"
                      "  ((global {0} *)out)[i & 63] = x + y + f; }",
                      Type, Body),
        Cpu);
  };
  EstimateParts A = some(Few), B = some(Many), Out;
  for (auto Part :
       {&EstimateParts::Valu, &EstimateParts::Salu, &EstimateParts::Special,
        &EstimateParts::Fma, &EstimateParts::Doubles})
    Out.*Part = (B.*Part - A.*Part) / (Many - Few);
  return Out;
}

} // namespace

TEST(NvptxCosts, ASumHasAnyPipe) {
  EstimateParts P = each("int", "x += y; y += x;");
  EXPECT_DOUBLE_EQ(P.Valu, 2);
  EXPECT_DOUBLE_EQ(P.Salu + P.Fma + P.Special + P.Doubles, 0);
  EXPECT_DOUBLE_EQ(each("long", "x += y; y += x;").Valu, 4);
}

TEST(NvptxCosts, LogicAndShiftsHaveThePipeOfIntegers) {
  EXPECT_DOUBLE_EQ(each("uint", "x = x << (y & 31); y += x;").Salu, 4);
  EXPECT_DOUBLE_EQ(each("uint", "x = rotate(x, 7u) + y;").Salu, 2);
  EXPECT_DOUBLE_EQ(each("int", "x = min(x, y) + z;").Salu, 2);
}

TEST(NvptxCosts, TwoOperationsOfLogicAreOne) {
  EstimateParts P = each("int", "x = mul_hi((x ^ y) & z, y);");
  EXPECT_DOUBLE_EQ(P.Salu, 2);
  EXPECT_DOUBLE_EQ(P.Valu, 2);
  // Another one needs the first alone.
  EXPECT_DOUBLE_EQ(each("int", "f = x ^ y; x = mul_hi(f & z, f);").Salu, 4);
}

TEST(NvptxCosts, Products) {
  EXPECT_DOUBLE_EQ(each("int", "x = x * y; y += x;").Fma, 2);
  EXPECT_DOUBLE_EQ(each("uint", "x = mul_hi(x ^ z, y);").Fma, 4);
  EXPECT_DOUBLE_EQ(each("long", "x = x * y; y += x;").Fma, 8);
  EXPECT_DOUBLE_EQ(each("float", "x = fma(x, y, y);").Fma, 0);
  EXPECT_DOUBLE_EQ(each("float", "x = fma(x, y, y);").Valu, 1);
  EXPECT_DOUBLE_EQ(each("float", "x = fma(x, y, y);", "sm_80").Fma, 2);
}

TEST(NvptxCosts, SpecialFunctionsAndConversions) {
  EXPECT_DOUBLE_EQ(each("float", "x = native_sin(x);").Special, 8);
  EXPECT_DOUBLE_EQ(each("int", "x = popcount(x) + y;").Special, 8);
  EXPECT_DOUBLE_EQ(each("float", "y += (float)z++;").Special, 0);
  EXPECT_DOUBLE_EQ(each("float", "y += (float)z++;").Salu, 2);
  // A byte is converted by another pipe than a word.
  EXPECT_DOUBLE_EQ(each("float", "y += (float)(uchar)z++;").Special, 8);
  EXPECT_DOUBLE_EQ(each("int", "x = (int)(as_float(x) * 3);").Special, 8);
}

TEST(NvptxCosts, Doubles) {
  EstimateParts P = each("double", "x = fma(x, y, x);");
  EXPECT_DOUBLE_EQ(P.Doubles, 2);
  EXPECT_DOUBLE_EQ(P.Valu, 1);
  EXPECT_DOUBLE_EQ(P.Salu + P.Special, 0);
  EXPECT_DOUBLE_EQ(each("double", "x = x / y;").Doubles, 26);
  // There are two for each multiprocessor.
  EXPECT_DOUBLE_EQ(each("double", "x = x + y;", "sm_86").Doubles, 64);
  EXPECT_DOUBLE_EQ(each("double", "x += (float)x;").Special, 16);
}

TEST(NvptxCosts, AnAddressOfAnIndexIsOneProduct) {
  // A mask, the address, the load, a sum.
  for (const char *Type : {"int", "uint"}) {
    EstimateParts P = each(Type, "f += in[f & 63];");
    EXPECT_DOUBLE_EQ(P.Fma, 2);
    EXPECT_DOUBLE_EQ(P.Salu, 2);
    EXPECT_DOUBLE_EQ(P.Valu, 4);
  }
}
