// The bounds of an index where it stands.
#include "rewrite/affine/ValueRanges.h"
#include "FunctionK.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;

namespace {

class Subscripts : public clang::DynamicRecursiveASTVisitor {
public:
  const clang::Expr *Index = nullptr;
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *A) override {
    Index = A->getIdx();
    return true;
  }
};

/// "0..15" for the index of the last subscript in \p Body; "..15" where no
/// lower bound is known.
std::string range(const std::string &Body,
                  const std::string &Head = "reqd_work_group_size(16, 8, "
                                            "1)") {
  std::string Out;
  eachK("#define N 16\n"
        "kernel __attribute__((" +
            Head +
            ")) void k(global int *p, global uchar *b, int n, uint u, "
            "ulong z) {\n"
            "  int x = get_local_id(0);\n" +
            Body + "\n}",
        [&](const clang::FunctionDecl &F, clang::ASTContext &Context) {
          Subscripts All;
          All.TraverseStmt(F.getBody());
          Range R = ValueRanges(F, Context).of(All.Index);
          auto bound = [](int64_t B, std::initializer_list<int64_t> None) {
            return llvm::is_contained(None, B) ? "" : std::to_string(B);
          };
          Out = bound(R.Lo, {INT64_MIN, INT32_MIN}) + ".." +
                bound(R.Hi, {INT64_MAX, INT32_MAX});
        });
  return Out;
}

const char *const Unsized = "annotate(\"\")";

} // namespace

TEST(ValueRanges, OfTheWorkItem) {
  EXPECT_EQ(range("p[get_local_id(1)] = 0;"), "0..7");
  EXPECT_EQ(range("p[x] = 0;"), "0..15");
  EXPECT_EQ(range("p[x + get_local_id(1) * 2] = 0;"), "0..29");
  EXPECT_EQ(range("p[get_local_id(0)] = 0;", Unsized), "0..");
  // An int cannot hold every id.
  EXPECT_EQ(range("p[x] = 0;", Unsized), "..");
  EXPECT_EQ(range("p[get_local_id(n)] = 0;"), "0..");
  EXPECT_EQ(range("p[get_local_size(0) - 1] = 0;"), "0..15");
  EXPECT_EQ(range("p[get_global_id(0)] = 0;"), "0..");
}

TEST(ValueRanges, OfOperators) {
  EXPECT_EQ(range("p[x / 4] = 0;"), "0..3");
  EXPECT_EQ(range("p[get_global_id(0) % N] = 0;"), "0..15");
  EXPECT_EQ(range("p[n & 31] = 0;"), "0..31");
  EXPECT_EQ(range("p[x ^ 1] = 0;"), "0..15");
  EXPECT_EQ(range("p[N - 1 - x] = 0;"), "0..15");
  EXPECT_EQ(range("p[-x] = 0;"), "-15..0");
  EXPECT_EQ(range("p[n % 16] = 0;"), "..");
  EXPECT_EQ(range("p[n > 3 ? x : 20] = 0;"), "0..20");
  EXPECT_EQ(range("p[clamp(n, 0, 9)] = 0;"), "0..9");
  EXPECT_EQ(range("p[clamp(x, 0, min(n, 9))] = 0;"), "..9");
  EXPECT_EQ(range("p[(bool)(x + 10)] = 0;"), "0..1");
  EXPECT_EQ(range("enum B : bool { F, T }; p[(enum B)(x + 2)] = 0;"), "0..1");
  EXPECT_EQ(range("p[!x] = 0;"), "0..1");
  EXPECT_EQ(range("p[min(u, 9u)] = 0;"), "0..9");
  EXPECT_EQ(range("p[max(x, 4)] = 0;"), "4..15");
  EXPECT_EQ(range("p[*b] = 0;"), "0..255");
  EXPECT_EQ(range("p[(uchar)n] = 0;"), "0..255");
  // OpenCL C drops the bits that do not fit.
  EXPECT_EQ(range("p[x << n] = 0;"), "..");
  EXPECT_EQ(range("p[x << 2] = 0;"), "0..60");
  EXPECT_EQ(range("p[(x << 28) >> 28] = 0;"), "..");
}

TEST(ValueRanges, OfWhatWraps) {
  EXPECT_EQ(range("p[get_local_id(0) - 1] = 0;"), "0..");
  EXPECT_EQ(range("p[u + 1 - u] = 0;"), "0..4294967295");
  EXPECT_EQ(range("p[z + 1] = 0;"), "0..");
  EXPECT_EQ(range("p[z >> 60] = 0;"), "0..");
  EXPECT_EQ(range("p[(char)(x + 120)] = 0;"), "-128..127");
}

TEST(ValueRanges, WithoutABoundNothingIsOne) {
  EXPECT_EQ(range("p[(z - 1) >> 60] = 0;"), "0..");
  EXPECT_EQ(range("ulong a = max(z, 1ul); p[(a - 1) >> 60] = 0;"), "0..");
  EXPECT_EQ(range("if (z > 0) p[((ulong)n % z) >> 60] = 0;"), "0..");
  EXPECT_EQ(range("p[(long)z] = 0;"), "..");
  EXPECT_EQ(range("for (ulong k = 5; k < z; k += 1ul << 60) p[k] = 0;"), "0..");
  EXPECT_EQ(range("for (long k = -4; k < (long)z; k += 4) p[k] = 0;"), "..");
  // size_t has 32 bits on some devices.
  EXPECT_EQ(range("p[get_local_id(0) + 4294967290u - 4294967290u] = 0;"),
            "0..");
  EXPECT_EQ(range("unsigned _BitInt(4) c = x + 16; p[20 - c] = 0;"),
            "-2147483627..");
}

TEST(ValueRanges, OfWhatIsJumpedInto) {
  EXPECT_EQ(range("if (n) goto L; if (u < 8) { L: p[u] = 0; }"),
            "0..4294967295");
  EXPECT_EQ(range("switch (n) { case 0: if (u < 8) { case 1: p[u] = 0; } }"),
            "0..4294967295");
  EXPECT_EQ(range("int i; switch (n) { case 0: for (i = 0; i < 8; ++i) "
                  "{ case 1: p[i] = 0; } }"),
            "..");
}

TEST(ValueRanges, OfGuardsThatLeadNowhere) {
  // With vectors both sides are evaluated.
  EXPECT_EQ(range("int4 q = 0; q = (u < 8) && (int4)(p[u]);"), "0..4294967295");
  EXPECT_EQ(range("int4 q = 0; q = (u < 8) && q ? (int4)(p[u]) : q;"),
            "0..4294967295");
  EXPECT_EQ(range("int k = 0; __real__ k = n; p[k] = 0;"), "..");
  EXPECT_EQ(range("int k = 0; (__extension__ k) = n; p[k] = 0;"), "..");
}

TEST(ValueRanges, OfTheLargestNumbers) {
  EXPECT_EQ(range("long a = LONG_MAX - (n & 31); p[LONG_MAX - a] = 0;"), "..");
  EXPECT_EQ(range("long a = LONG_MIN; p[a + LONG_MAX + x] = 0;"), "..");
}

TEST(ValueRanges, OfDevicesWhoseSizesHave32Bits) {
  EXPECT_EQ(range("long k = n; if (k < get_local_size(0)) p[k] = 0;"), "..");
  EXPECT_EQ(range("long k = n; p[(k - get_local_id(0)) % 32] = 0;"), "0..");
  EXPECT_EQ(range("p[39 - sizeof(size_t)] = 0;"), "0..");
  EXPECT_EQ(range("p[39 - (int)sizeof(size_t)] = 0;"), "-2147483608..");
  EXPECT_EQ(range("enum { W = sizeof(size_t), V }; p[39 - V] = 0;"),
            "-2147483608..");
  EXPECT_EQ(range("enum { A = 1, B, C = B + 1, D }; p[39 - D] = 0;"), "35..35");
  EXPECT_EQ(range("const int W = sizeof(size_t); p[39 - W] = 0;"),
            "-2147483608..");
  EXPECT_EQ(range("p[x + (int)(sizeof(size_t) == 8 ? 0 : 4)] = 0;"), "0..19");
  EXPECT_EQ(range("long a = n; p[(n > 0 ? a : get_local_id(0)) % 32] = 0;"),
            "0..");
  EXPECT_EQ(range("ptrdiff_t d = u; p[(long)d % 32] = 0;"), "..");
  EXPECT_EQ(range("ptrdiff_t d = x; p[(d << 31) >> 31] = 0;"), "..");
  EXPECT_EQ(range("p[get_global_id(0) >> 60] = 0;"), "0..");
}

TEST(ValueRanges, OfDeepNests) {
  std::string Body;
  for (int I = 1; I < 30; ++I) {
    std::string A = "i" + std::to_string(I), B = "i" + std::to_string(I - 1);
    Body += "for (int " + A + " = " + B + " & " + B + "; " + A + " < " + B +
            " + " + B + "; ++" + A + ")\n";
  }
  EXPECT_EQ(range("int i0 = x;" + Body + "p[i29] = 0;"), "..2147483646");
}

TEST(ValueRanges, OfVariables) {
  EXPECT_EQ(range("int y = x + 1; p[y] = 0;"), "1..16");
  EXPECT_EQ(range("int y = x; y += n; p[y] = 0;"), "..");
  EXPECT_EQ(range("int y = x; int *q = &y; p[y] = 0;"), "..");
  EXPECT_EQ(range("volatile int y = x; p[y] = 0;"), "..");
  EXPECT_EQ(range("const uint y = n; p[y] = 0;"), "0..4294967295");
}

TEST(ValueRanges, OfCountedLoops) {
  EXPECT_EQ(range("for (int i = 0; i < N; ++i) p[i] = 0;"), "0..15");
  EXPECT_EQ(range("for (int i = 2; i <= N; i += 2) p[i] = 0;"), "2..16");
  EXPECT_EQ(range("for (int i = 1; i < 32; i += 8) p[i] = 0;"), "1..25");
  EXPECT_EQ(range("for (int i = x; i < 32; i += 16) p[i] = 0;"), "0..31");
  EXPECT_EQ(range("for (int i = N - 1; i >= 0; --i) p[i] = 0;"), "0..15");
  EXPECT_EQ(range("for (int s = 8; s > 0; s >>= 1) p[s] = 0;"), "1..8");
  EXPECT_EQ(range("for (int s = 1; s < 16; s <<= 1) p[s] = 0;"), "1..15");
  EXPECT_EQ(range("for (uint s = 2; s < 16; s *= 3) p[s] = 0;"), "2..15");
  EXPECT_EQ(range("for (int s = x; s < 16; s *= n) p[s] = 0;"), "..15");
  EXPECT_EQ(range("for (uint s = 1; s < 3000000000u; s <<= 1) p[s] = 0;"),
            "0..2999999999");
  EXPECT_EQ(range("for (uint i = 0; 8 > i; i++) p[i] = 0;"), "0..7");
  EXPECT_EQ(range("int i; for (i = 0; i < 8 && n; i++) p[i] = 0;"), "0..7");
  EXPECT_EQ(range("for (int i = 0; i < 8; ++i) { int j = i * 2; p[j] = 0; }"),
            "0..14");
  EXPECT_EQ(range("for (int i = 0; i < n; ++i) p[i] = 0;"), "0..2147483646");
}

TEST(ValueRanges, OfLoopsThatDoNotBound) {
  EXPECT_EQ(range("for (int i = 0; i < 8; ++i) { i = n; p[i] = 0; }"), "..");
  EXPECT_EQ(range("int i = 0; for (; i < 8; ++i) ; p[i] = 0;"), "..");
  EXPECT_EQ(range("for (int i = 0; i != 8; i += 3) p[i] = 0;"), "..");
  // It may wrap before it ends.
  EXPECT_EQ(range("for (uint i = 5; i < 4294967290u; i += 100) p[i] = 0;"),
            "0..4294967289");
  EXPECT_EQ(range("for (int i = 0; i < 8; i += n) p[i] = 0;"), "..7");
  // The condition is that of an unsigned comparison.
  EXPECT_EQ(range("for (int i = n; i < 8u; ++i) p[i] = 0;"), "0..7");
  EXPECT_EQ(range("for (int i = n; i < u; ++i) p[i] = 0;"), "..");
}

TEST(ValueRanges, OfGuards) {
  EXPECT_EQ(range("if (n < 8 && 0 <= n) p[n] = 0;"), "0..7");
  EXPECT_EQ(range("if (u < 8) p[u] = 0; else p[0] = 0;"), "0..0");
  EXPECT_EQ(range("if (u < 8) ; else p[u] = 0;"), "0..4294967295");
  EXPECT_EQ(range("int y = u < 8 ? p[u] : 0;"), "0..7");
  EXPECT_EQ(range("int y = u == 8 && p[u];"), "8..8");
  EXPECT_EQ(range("for (int i = 0; i < N; ++i) if (i > 3) p[i] = 0;"), "4..15");
  EXPECT_EQ(range("for (int i = 0; i < 8; ++i) { if (i > 3) ; p[i] = 0; }"),
            "0..7");
  EXPECT_EQ(range("int i = n; if (i > 3) for (; i < 8; ++i) p[i] = 0;"), "..");
  EXPECT_EQ(range("if (n < 8 || 0 <= n) p[n] = 0;"), "..");
  EXPECT_EQ(range("if (u < 8) { u = n; p[u] = 0; }"), "0..4294967295");
  EXPECT_EQ(range("if ((float)n < 8) p[n] = 0;"), "..");
}
