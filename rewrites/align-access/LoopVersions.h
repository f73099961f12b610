// Loops that stand there twice: for aligned buffers, and for others.
#pragma once

#include "rewrite/Rewrite.h"
#include "rewrite/ast/WholeAccess.h"

namespace clrewrite::rewrite::align_access {

/// A loop, the accesses in it, and the kernel's buffers that these are whole
/// multiples of vectors away from.
struct LoopVersions {
  struct Buffer {
    const clang::ParmVarDecl *Parameter;
    std::string Vector; ///< the type that it is to be aligned to
  };
  const clang::ForStmt *Loop = nullptr;
  std::vector<VectorAccess> Accesses;
  std::vector<Buffer> Buffers;
};

/// The loops of \p S, none in another one, whose text may be written twice and
/// in which all of \p Accesses that stand there are of the kernel's buffers.
/// The function of \p S must be the same in every build.
std::vector<LoopVersions> loopsIn(const Site &S,
                                  llvm::ArrayRef<VectorAccess> Accesses);

/// Writes \p L twice: where its buffers are aligned, with \p NameOf each access
/// in the place of what it calls, and else as it is.
Edit versionsOf(const LoopVersions &L,
                llvm::function_ref<std::string(const VectorAccess &)> NameOf,
                clang::ASTContext &Context);

} // namespace clrewrite::rewrite::align_access
