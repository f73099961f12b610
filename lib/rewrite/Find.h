// The search for sites: it asks every rewrite at each node of a parsed source,
// and returns the candidates and the declined sites.
#pragma once

#include "frontend/Parse.h"
#include "rewrite/Candidate.h"

namespace clrewrite::rewrite {

struct Rewrite;

/// What the search knows beside the source.
struct Known {
  /// A kernel of which there is none is launched as its comments say.
  llvm::ArrayRef<KnownLaunch> Launches = {};
  /// Where it names a macro, edits of MayShelter that add whole lines are for
  /// compilers that define it.
  llvm::StringRef Shelter = "";
  /// The text is built in no other way than those of which each is looked at,
  /// so that no edit must hold in another build.
  bool OnlyTheseBuilds = false;
};

/// Runs the search of every one of \p Rewrites over the functions that stand
/// in the main file, and lists the kernels. \p D supplies uninitialised reads.
Findings find(clang::ASTContext &Context,
              llvm::ArrayRef<const Rewrite *> Rewrites,
              const frontend::Diagnosis &D, const Known &What = {});

} // namespace clrewrite::rewrite
