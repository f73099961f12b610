// What a region does with its vectors: what must change so that it works on
// fewer lanes at a time, what it does with memory, and what forbids it.
#pragma once

#include "rewrite/ast/Lanes.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>
#include <set>

namespace clrewrite::rewrite {

/// Why a region can't be worked on part by part.
enum class LaneProblem {
  Text,    ///< something that must change can't be edited
  Parts,   ///< single lanes are used, or a vector is made of such
  Mixed,   ///< lanes are combined
  Helper,  ///< a function of this file does more than lanes allow
  Outside, ///< a vector comes from outside the region
  Escapes, ///< a variable of the region is used after it
  Assigns, ///< a variable from outside is changed
  Effects, ///< something must happen once
  Control, ///< control leaves or enters in between
  Buffers, ///< parts may meet in memory
};

/// A load or a store, of a vector or anything else.
struct LaneAccess {
  /// The pointer; null where it is not seen.
  const clang::Expr *Pointer = nullptr;
  unsigned Line = 0;
  bool Store = false;
  /// It moves a vector of the region, and each lane by itself.
  bool Wide = false;
  /// Bits of what one lane takes in memory.
  uint64_t LaneBits = 0;
  /// It stands in a loop of the region.
  bool InLoop = false;
};

struct LaneUse {
  unsigned Lanes = 0;
  std::set<LaneProblem> Problems;
  /// The variables that the region declares.
  llvm::SmallPtrSet<const clang::VarDecl *, 16> Own;
  /// Names of the vectors' types, to be narrowed.
  std::vector<clang::TypedefTypeLoc> Types;
  /// Calls of vloadN, vstoreN, convert_TN.
  std::vector<const clang::CallExpr *> Moves, Conversions;
  /// as_TN(x).
  std::vector<const clang::AsTypeExpr *> Reinterpreted;
  /// Lvalues of vectors in memory: q[i], *q.
  std::vector<const clang::Expr *> Elements;
  std::vector<LaneAccess> Accesses;
  /// Calls of functions of this file that work on the vectors, and what those
  /// do: they need narrower copies.
  std::vector<const clang::CallExpr *> HelperCalls;
  /// Built-in functions that are applied to the vectors lane by lane.
  std::set<std::string> BuiltIns;
  /// Those whose last bits may depend on the number of lanes.
  std::set<std::string> RoundByWidth;
  /// Single lanes can't stand for the vectors: they compare, select and
  /// promote differently.
  bool ScalarsDiffer = false;
};

/// All that \p R does.
LaneUse useOf(const LaneRegion &R, const clang::ASTContext &Context);

/// The same for the whole of a function that is called with vectors of
/// \p Lanes lanes. Any access to memory is a problem there.
LaneUse useOf(const clang::FunctionDecl &Helper, unsigned Lanes,
              const clang::ASTContext &Context);

/// A statement that stores a vector, and what it stores.
struct LastStore {
  const clang::Stmt *Whole = nullptr;
  const clang::Expr *Value = nullptr;
};

/// The stores of \p R, where it does nothing else behind the first of them and
/// their places don't depend on what it declares; empty where that is not so.
std::vector<LastStore> lastStores(const LaneRegion &R, const LaneUse &Use);

/// Whether parts may meet in memory.
struct LaneConflicts {
  /// They may, in the same buffer or in one that is not seen.
  bool Certain = false;
  /// For each buffer that is stored to: the others that it must not overlap.
  std::map<std::string, std::set<std::string>> Assumed;
};
LaneConflicts conflictsOf(const LaneUse &Use,
                          const clang::FunctionDecl &Function,
                          const clang::ASTContext &Context);

} // namespace clrewrite::rewrite
