// Terms that are equal are the same node, and others are not.
#include "prove/Terms.h"
#include <gtest/gtest.h>

using namespace clrewrite::prove;

namespace {

struct TermsTest : testing::Test {
  Graph G;
  T X = G.variable(32, "x"), Y = G.variable(32, "y"), P = G.variable(64, "&p");
  T A = G.variable(1, "a"), B = G.variable(1, "b"), C = G.variable(1, "c");
  T Memory = G.variable(0, "memory");

  T n(uint64_t Value, unsigned Width = 32) { return G.constant(Width, Value); }
  T no(T Of) { return G.negation(Of); }
};

TEST_F(TermsTest, SumsAndProducts) {
  EXPECT_EQ(G.plus(G.add(X, Y), 3), G.add(G.plus(Y, 1), G.plus(X, 2)));
  EXPECT_EQ(G.sub(X, X), n(0));
  EXPECT_EQ(G.times(X, 4), G.binary(Op::Shl, X, n(2)));
  EXPECT_EQ(G.mul(G.plus(X, 1), Y), G.add(G.mul(Y, X), Y));
  EXPECT_EQ(G.binary(Op::BitXor, X, n(~0u)), G.plus(G.times(X, ~0ull), ~0ull));
  EXPECT_NE(G.add(X, X), X);
  EXPECT_NE(G.binary(Op::Shl, X, n(31)), n(0));
}

TEST_F(TermsTest, Widths) {
  T Wide = G.plus(G.sext(X, 64), 5);
  EXPECT_EQ(G.extract(Wide, 0, 32), G.plus(X, 5));
  // A sum may overflow, so that this is another number.
  EXPECT_NE(G.sext(G.plus(X, 5), 64), Wide);
  EXPECT_NE(G.zext(X, 64), G.sext(X, 64));
  EXPECT_EQ(G.concat(G.extract(X, 0, 8), G.extract(X, 8, 24)), X);
  EXPECT_EQ(G.zext(A, 32), G.select(A, n(1), n(0)));
  EXPECT_EQ(G.sext(n(0x80, 8), 32), n(0xffffff80));
}

TEST_F(TermsTest, Folding) {
  EXPECT_EQ(G.binary(Op::SDiv, n(uint32_t(-7)), n(2)), n(uint32_t(-3)));
  EXPECT_EQ(G.binary(Op::AShr, n(0x80000000), n(31)), n(~0u));
  EXPECT_EQ(G.binary(Op::LShr, n(0x80000000), n(31)), n(1));
  // Undefined operations have no value.
  EXPECT_FALSE(G.binary(Op::UDiv, n(1), n(0))->isConstant());
  EXPECT_FALSE(G.binary(Op::SDiv, n(0x80000000), n(~0u))->isConstant());
  EXPECT_FALSE(G.binary(Op::Shl, n(1), n(32))->isConstant());
}

TEST_F(TermsTest, Conditions) {
  EXPECT_TRUE(G.both(A, no(A))->isFalse());
  EXPECT_TRUE(G.either(G.both(A, B), G.either(no(A), no(B)))->isTrue());
  EXPECT_EQ(G.either(G.both(A, B), G.both(A, no(B))), A);
  EXPECT_EQ(G.both(A, G.either(no(A), B)), G.both(A, B));
  EXPECT_NE(G.either(A, B), G.either(A, C));
  EXPECT_TRUE(G.implies(G.both(A, B), A));
  EXPECT_FALSE(G.implies(A, G.both(A, B)));
  EXPECT_EQ(G.given(G.both(A, B), A), B);
  EXPECT_TRUE(G.given(no(A), A)->isFalse());
}

TEST_F(TermsTest, Comparisons) {
  EXPECT_TRUE(G.equal(G.plus(X, 1), X)->isFalse());
  EXPECT_EQ(G.equal(G.plus(X, 1), Y), G.equal(X, G.plus(Y, ~0ull)));
  EXPECT_TRUE(G.less(true, n(~0u), n(0))->isTrue());
  EXPECT_TRUE(G.less(false, n(~0u), n(0))->isFalse());
  EXPECT_NE(G.less(true, X, Y), G.less(false, X, Y));
  // x + 1 may overflow.
  EXPECT_FALSE(G.less(true, X, G.plus(X, 1))->isConstant());
  EXPECT_TRUE(G.less(true, G.binary(Op::BitAnd, X, n(7)), n(8))->isTrue());
}

TEST_F(TermsTest, Choices) {
  EXPECT_EQ(G.select(A, X, X), X);
  EXPECT_EQ(G.select(no(A), X, Y), G.select(A, Y, X));
  EXPECT_EQ(G.select(A, G.select(B, X, Y), Y), G.select(G.both(A, B), X, Y));
  EXPECT_EQ(G.select(A, G.select(A, X, n(1)), Y), G.select(A, X, Y));
  EXPECT_EQ(G.select(A, G.plus(G.select(A, X, n(1)), 2), Y),
            G.select(A, G.plus(X, 2), Y));
  EXPECT_NE(G.select(A, X, Y), G.select(B, X, Y));
}

TEST_F(TermsTest, Memory) {
  T Q = G.plus(P, 4), Far = G.variable(64, "&q");
  T Stored = G.store(Memory, P, X);
  EXPECT_EQ(G.load(Stored, P, 32), X);
  EXPECT_EQ(G.load(Stored, Q, 32), G.load(Memory, Q, 32));
  EXPECT_EQ(G.load(Stored, P, 8), G.extract(X, 0, 8));
  // It may be the same place.
  EXPECT_NE(G.load(Stored, Far, 32), G.load(Memory, Far, 32));
  // Stores apart change places, and a store over another one replaces it.
  EXPECT_EQ(G.store(Stored, Q, Y), G.store(G.store(Memory, Q, Y), P, X));
  EXPECT_NE(G.store(Stored, Far, Y), G.store(G.store(Memory, Far, Y), P, X));
  EXPECT_EQ(G.store(Stored, P, Y), G.store(Memory, P, Y));
  EXPECT_NE(G.store(Stored, G.plus(P, 2), Y), G.store(Memory, G.plus(P, 2), Y));
  // A store of what is there changes nothing.
  EXPECT_EQ(G.store(Memory, P, G.load(Memory, P, 32)), Memory);
  EXPECT_EQ(G.select(A, Stored, Memory),
            G.store(Memory, P, G.select(A, X, G.load(Memory, P, 32))));
  EXPECT_EQ(G.select(A, Stored, G.store(Memory, P, Y)),
            G.store(Memory, P, G.select(A, X, Y)));
}

TEST_F(TermsTest, Floats) {
  EXPECT_EQ(G.apply(32, "fadd.32", {X, Y}), G.apply(32, "fadd.32", {Y, X}));
  EXPECT_NE(G.apply(32, "fsub.32", {X, Y}), G.apply(32, "fsub.32", {Y, X}));
  EXPECT_NE(G.apply(32, "fadd.32", {X, n(0)}), X);
}

TEST_F(TermsTest, Loops) {
  T State = G.bound(1, X, 0), Count = G.count(1);
  T GoesOn = G.less(true, G.extract(Count, 0, 32), Y);
  T Whole = G.loop(1, GoesOn, {State, X, G.plus(State, 3)});
  T Last = G.last(State, Whole);
  EXPECT_FALSE(Last->isBoundIn(1));
  std::map<T, T> Done;
  EXPECT_EQ(G.substitute(G.plus(State, 1), 1, {{State, Last}}, Done),
            G.plus(Last, 1));
  // What is bound in the loop stays.
  Done.clear();
  EXPECT_EQ(G.substitute(Last, 1, {{State, Y}}, Done), Last);
  EXPECT_NE(G.last(State, G.loop(1, GoesOn, {State, X, G.plus(State, 4)})),
            Last);
}

TEST_F(TermsTest, Assumptions) {
  G.assume(G.equal(X, n(8)));
  G.assume(no(A));
  EXPECT_EQ(G.plus(G.variable(32, "x"), 1), n(9));
  EXPECT_TRUE(G.variable(1, "a")->isFalse());
  EXPECT_FALSE(G.variable(32, "y")->isConstant());
}

TEST_F(TermsTest, Intervals) {
  T Low = G.binary(Op::BitAnd, X, n(15));
  EXPECT_EQ(int64_t(G.interval(G.plus(G.times(Low, 4), 1)).High), 61);
  EXPECT_EQ(int64_t(G.interval(X).Low), INT32_MIN);
  EXPECT_EQ(int64_t(G.interval(G.zext(X, 64)).High), int64_t(UINT32_MAX));
  // It may wrap.
  EXPECT_EQ(int64_t(G.interval(G.plus(X, 1)).High), INT32_MAX);
  EXPECT_EQ(G.binary(Op::LShr, Low, n(4)), n(0));
}

TEST_F(TermsTest, WhatNobodyHasSet) {
  T Unset = G.variable(32, "unset", true);
  EXPECT_TRUE(G.plus(Unset, 1)->Unset);
  EXPECT_FALSE(G.select(A, X, Y)->Unset);
}

} // namespace
