// The use of vector lanes in a region: what must change so that the region
// works on fewer lanes at a time, which memory it accesses, and what forbids
// it.
#pragma once

#include "rewrite/ast/Lanes.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>
#include <set>

namespace clrewrite::rewrite::split_vector {

/// Why a region can't be worked on part by part.
enum class LaneProblem {
  Text,    ///< something that must change can't be edited
  Lane,    ///< a single lane, or a part of a vector, is used
  Made,    ///< a vector is made of different values
  Reseen,  ///< a vector is seen as one with other lanes
  Sized,   ///< a vector's size is asked for
  Address, ///< a vector of the region is reached by its address
  Member,  ///< a vector is a member of a structure
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
  /// The pointer; null where it is not known.
  const clang::Expr *Pointer = nullptr;
  bool Store = false;
  /// It moves a vector of the region, each lane separately.
  bool Wide = false;
  /// How many bits one lane has in memory.
  uint64_t LaneBits = 0;
  /// It stands in a loop of the region.
  bool InLoop = false;
};

struct LaneUse {
  unsigned Lanes = 0;
  /// With the code that makes the first of each.
  std::map<LaneProblem, clang::SourceRange> Problems;
  /// The variables that the region declares.
  llvm::SmallPtrSet<const clang::VarDecl *, 16> Own;
  /// The names of the vectors' types, which become narrower.
  std::vector<clang::TypedefTypeLoc> Types;
  /// Calls of vloadN, vstoreN, convert_TN.
  std::vector<const clang::CallExpr *> Moves, Conversions;
  /// as_TN(x).
  std::vector<const clang::AsTypeExpr *> Reinterpreted;
  /// Lvalues of vectors in memory: q[i], *q.
  std::vector<const clang::Expr *> Elements;
  std::vector<LaneAccess> Accesses;
  /// Calls of functions of this file that work on the vectors. These functions
  /// need narrower copies; their own uses are part of this one.
  std::vector<const clang::CallExpr *> HelperCalls;
  /// Built-in functions that are applied to the vectors lane by lane.
  std::set<std::string> BuiltIns;
  /// Built-in functions whose last bits may depend on the number of lanes.
  std::set<std::string> RoundByWidth;
  /// Single lanes can't stand for the vectors: they compare, select and
  /// promote differently.
  bool ScalarsDiffer = false;
};

/// The use of lanes in \p R.
LaneUse useOf(const LaneRegion &R, const clang::ASTContext &Context);

/// The use of lanes in a function that is called with vectors of \p Lanes
/// lanes. Any access to memory is a problem there.
LaneUse useOf(const clang::FunctionDecl &Helper, unsigned Lanes,
              const clang::ASTContext &Context);

/// A statement that stores a vector, and what it stores.
struct LastStore {
  const clang::Stmt *Whole = nullptr;
  const clang::Expr *Value = nullptr;
};

/// The stores of \p R, where it does nothing else after the first of them and
/// their places don't depend on variables that it declares; else empty.
std::vector<LastStore> lastStores(const LaneRegion &R, const LaneUse &Use);

/// Whether the accesses of different parts may alias.
struct LaneConflicts {
  /// They may, in the same buffer or in one that is not known.
  bool Certain = false;
  /// The pointer of the first store that may, where there is one.
  const clang::Expr *Store = nullptr;
  /// For each buffer that is stored to: the others that it must not overlap.
  std::map<std::string, std::set<std::string>> Assumed;
};
LaneConflicts conflictsOf(const LaneUse &Use,
                          const clang::FunctionDecl &Function,
                          const clang::ASTContext &Context);

} // namespace clrewrite::rewrite::split_vector
