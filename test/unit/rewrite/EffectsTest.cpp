// What statements read and write, the functions that they call included.
#include "rewrite/ast/Effects.h"
#include "frontend/Parse.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;

namespace {

const char Functions[] = R"(
  typedef struct { uint h[4]; uint w[8]; uint *next; int len; } State;
  void fill(State *s, const uint *from) { for (int i = 0; i < 8; ++i) s->w[i] = from[i]; }
  void both(State *s, const uint *from) { fill(s, from); s->h[0] += s->w[1]; }
  void step(uint *to) { while (*to) *to++ = 0; }
  void other(uint *to, uint *two) { uint *p = to[0] ? to : two; p[1] = 2; }
  void deep(State *s) { s->next[3] = 1; }
  void again(uint *to, int n) { if (n) again(to + 1, n - 1); *to = n; }
  void loses(uint *to) { uint own[4]; own[1] = *to; to = own; to[0] = 1; }
)";

const char References[] = R"(
  void bump(uint &x) { ++x; }
  struct Counter { uint at; void bump() { ++at; } };
)";

/// The accesses of the last statement of a function: `R` or `W`, the variable
/// (with a * where it leads there, ? where none is known), each once; then
/// `more` and `waits`.
std::string effects(const std::string &Body,
                    std::vector<std::string> Options = {}) {
  Source S{
      "k.cl",
      Functions +
          std::string("kernel void f(global uint *g, local uint *l, constant "
                      "uint *c, int n) { uint a[8], b[8], x; State s, t; ") +
          Body + " }",
      std::move(Options)};
  std::string Out;
  frontend::parse(
      S, {"amdgcn-amd-amdhsa", "gfx906"}, false,
      [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
        const clang::FunctionDecl *F = nullptr;
        for (const clang::Decl *D : Context.getTranslationUnitDecl()->decls())
          if (const auto *Each = llvm::dyn_cast<clang::FunctionDecl>(D);
              Each && Each->doesThisDeclarationHaveABody())
            F = Each;
        const auto *Block = llvm::cast<clang::CompoundStmt>(F->getBody());
        Effects E = EffectsOf(*F).of(Block->body_back());
        std::set<std::string> All;
        for (const Access &A : E.Accesses)
          All.insert(
              std::string(A.Write ? "W " : "R ") + (A.Where.Behind ? "*" : "") +
              (A.Where.Variable ? A.Where.Variable->getNameAsString() : "?"));
        for (const std::string &Each : All)
          Out += (Out.empty() ? "" : ", ") + Each;
        Out += std::string(E.More ? ", more" : "") + (E.Waits ? ", waits" : "");
      });
  return Out;
}

/// What the last two statements of a function access may be the same.
bool meet(const std::string &Body, std::vector<std::string> Options = {}) {
  Source S{
      "k.cl",
      (Options.empty() ? "" : References) + std::string(Functions) +
          std::string("void f(global uint *g, global uint *__restrict r, "
                      "uint *p, uint *q, constant uint *c, int n) { uint a[8], "
                      "b[8], x; State s, t; ") +
          Body + " }",
      std::move(Options)};
  bool Out = false;
  frontend::parse(
      S, {"amdgcn-amd-amdhsa", "gfx906"}, false,
      [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
        const clang::FunctionDecl *F = nullptr;
        for (const clang::Decl *D : Context.getTranslationUnitDecl()->decls())
          if (const auto *Each = llvm::dyn_cast<clang::FunctionDecl>(D);
              Each && Each->doesThisDeclarationHaveABody())
            F = Each;
        const auto *Block = llvm::cast<clang::CompoundStmt>(F->getBody());
        EffectsOf Asked(*F);
        Effects A = Asked.of(Block->body_begin()[Block->size() - 2]),
                B = Asked.of(Block->body_back());
        for (const Access &X : A.Accesses)
          for (const Access &Y : B.Accesses)
            Out |= (X.Write || Y.Write) && Asked.mayMeet(X.Where, Y.Where);
      });
  return Out;
}

} // namespace

TEST(Effects, OfVariablesAndPointers) {
  EXPECT_EQ(effects("x = a[n] + s.h[1];"), "R a, R n, R s, W x");
  EXPECT_EQ(effects("a[1]++;"), "R a, W a");
  EXPECT_EQ(effects("t = s;"), "R s, W t");
  EXPECT_EQ(effects("uint y = sizeof(a[n]);"), "W y");
  EXPECT_EQ(effects("g[n] = c[0];"), "R *c, R c, R g, R n, W *g");
  EXPECT_EQ(effects("global uint *q = g + 2; q[n] = 1;"), "R n, R q, W *g");
  EXPECT_EQ(effects("uint *q = n ? a : b; q[1] = 1;"), "R q, W *?");
}

TEST(Effects, OfValuesWithoutAConversion) {
  EXPECT_EQ(effects("float y = as_float(x);"), "R x, W y");
  EXPECT_EQ(effects("uint4 v; uint2 w = v.xx;"), "R v, W w");
  EXPECT_EQ(effects("global uint4 *q = 0; uint2 w = q->xx;"), "R *?, R q, W w");
  EXPECT_EQ(effects("uint4 v; x = __builtin_shufflevector(v, v, 0, 1).y;"),
            "R v, W x");
  EXPECT_EQ(effects("uint4 v; int4 w = __builtin_convertvector(v, int4);"),
            "R v, W w");
  EXPECT_EQ(effects("volatile uint4 v; uint2 w = v.xx;"),
            "R v, W w, more, waits");
}

TEST(Effects, OfAssemblerAreItsOutputs) {
  EXPECT_EQ(effects("asm volatile(\"\" : \"=v\"(x) : \"v\"(n));"),
            "R *?, R n, R x, W *?, W x, more, waits");
}

TEST(Effects, OfCallsAreThoseOfTheirBodies) {
  EXPECT_EQ(effects("fill(&s, a);"), "R a, W s");
  EXPECT_EQ(effects("both(&s, t.h);"), "R s, R t, W s");
  EXPECT_EQ(effects("step(a + 1);"), "R a, W a");
  EXPECT_EQ(effects("other(a, b);"), "R a, W *?");
  EXPECT_EQ(effects("deep(&s);"), "R s, W *?");
  EXPECT_EQ(effects("again(a, 3);"), "R *?, W *?, W a, more, waits");
  EXPECT_EQ(effects("loses(a);"), "R *?, W *?");
}

TEST(Effects, OfBuiltInFunctions) {
  EXPECT_EQ(effects("x = rotate(x, 3u) + get_local_id(0);"), "R x, W x");
  EXPECT_EQ(effects("float y; float z = sincos(1.0f, &y);"), "W y, W z");
  EXPECT_EQ(effects("uint4 v = vload4(0, a);"), "R a, W v");
  EXPECT_EQ(effects("barrier(1);"), "R *?, W *?, more, waits");
  EXPECT_EQ(effects("atomic_inc(l);"), "R *?, R l, W *?, more");
  EXPECT_EQ(effects("volatile uint y = 1; y;"), "R y, more, waits");
}

TEST(Effects, OfReferencesAreNotKnown) {
  EXPECT_EQ(effects("State &r = s; r.len = 1;", {"-cl-std=clc++"}),
            "R *?, W *?, W r, more, waits");
  const std::vector<std::string> Cpp = {"-cl-std=clc++"};
  EXPECT_TRUE(meet("bump(x); n = x;", Cpp));
  EXPECT_FALSE(meet("bump(x); n = a[1];", Cpp));
  EXPECT_TRUE(meet("Counter k; k.bump(); n = k.at;", Cpp));
  EXPECT_TRUE(meet("auto adds = [&]() { ++x; }; adds(); n = x;", Cpp));
}

TEST(Effects, MeetWhereTheMemoryMayBeOne) {
  EXPECT_TRUE(meet("a[0] = 1; x = a[n];"));
  EXPECT_FALSE(meet("a[0] = 1; x = b[n];"));
  EXPECT_FALSE(meet("a[0] = 1; x = p[n];")); // It comes from outside.
  EXPECT_TRUE(meet("q[0] = 1; x = p[n];"));
  EXPECT_TRUE(meet("p[0] = 1; fill(&s, q);"));
  EXPECT_FALSE(meet("fill(&s, q); fill(&t, q);"));
  EXPECT_TRUE(meet("g[0] = 1; x = g[n];"));
  EXPECT_FALSE(meet("g[0] = 1; x = r[n];"));
  EXPECT_FALSE(meet("g[0] = 1; x = c[n];"));
  // A pointer that comes from memory leads to what has its address taken.
  EXPECT_TRUE(meet("s.next = a; s.next[1] = 2; x = a[1];"));
  EXPECT_FALSE(meet("s.next = a; s.next[1] = 2; x = b[1];"));
}
