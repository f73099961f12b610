// Wide vectors: their lane counts, the built-in functions that keep the lanes
// apart, and the regions of a function that work on them.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

namespace clrewrite::rewrite {

/// The number of lanes of an OpenCL vector type; 0 for any other type.
unsigned laneCount(clang::QualType T);

/// The type of its lanes; \p T for any other type.
clang::QualType laneOf(clang::QualType T);

/// As laneCount, also for a variable that is an array of vectors.
unsigned variableLanes(clang::QualType T);

/// A variable that each work-item has for itself.
bool isPrivate(const clang::VarDecl *V);

/// The name of a built-in function whose vector forms are told apart by the
/// number of lanes in it: vload8, vstore_half16_rte, convert_uchar16_sat.
struct LaneName {
  std::string Head; ///< "vload", "vstore_half", "convert_uchar"
  unsigned Lanes = 0;
  std::string Tail; ///< "", "_rte", "_sat"

  bool loads() const { return Head.find("vload") == 0; }
  bool stores() const { return Head.find("vstore") == 0; }
  /// The same for \p Other lanes; 1 gives the scalar form of a conversion.
  std::string with(unsigned Other) const;
};

/// The parts of \p Name; none where it is no such function.
std::optional<LaneName> laneName(llvm::StringRef Name);

/// The lanes of the vector \p Name of \p Lanes but the first \p Fewer, as
/// operands of a vector literal: "v.s456789ab, v.scdef, ".
std::string laterLanes(llvm::StringRef Name, unsigned Fewer, unsigned Lanes);

/// A built-in function that computes each lane of its result from the same
/// lane of its arguments, and has no other effect.
bool isLaneWise(llvm::StringRef Name);

/// A built-in function of isLaneWise() whose scalar form has other results:
/// 1 for true instead of -1, another choice.
bool isLaneTest(llvm::StringRef Name);

/// A built-in function of isLaneWise() whose last bits OpenCL C leaves open, so
/// that a library may compute them differently for another number of lanes.
bool mayRoundByWidth(llvm::StringRef Name);

/// A run of statements that holds all that a block does with its widest
/// vectors.
struct LaneRegion {
  const clang::CompoundStmt *Block = nullptr;
  std::vector<const clang::Stmt *> Statements;
  unsigned Lanes = 0;
};

/// The region of \p Block, from its first statement that has to do with the
/// widest vectors to the last; nested blocks that make and use up all their
/// vectors have regions of their own. None where there is nothing, or where
/// the vectors belong to a block around.
std::optional<LaneRegion> laneRegion(const clang::CompoundStmt *Block,
                                     clang::ASTContext &Context);

} // namespace clrewrite::rewrite
