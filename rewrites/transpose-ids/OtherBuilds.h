// What a kernel may do in a build with other options.
//
// An edit that deals ids to other work-items holds in a build only if nothing
// tells there which work-item has which. The builds are not known, but their
// text is: the arms of #if in the kernel, what its macros stand for in one
// definition or another, and the functions that all this names. No word of it
// may ask for more than is looked at, let work-items wait or share memory, or
// be a function that is not seen here. What the command line gives a macro,
// another build is taken to give it in kind.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include <set>

namespace clrewrite::rewrite::transpose_ids {

/// The first word of \p F, apart from those at \p Known, by which some build
/// may see which work-item has which ids; or a directive, or a line that goes
/// on, that may bring one. Empty where there is none.
llvm::StringRef tellsApartSomewhere(const clang::FunctionDecl &F,
                                    const std::set<const char *> &Known,
                                    clang::ASTContext &Context);

/// Some arm of an #if declares one of \p Names as a function.
bool declaresSomewhere(llvm::ArrayRef<llvm::StringRef> Names,
                       clang::ASTContext &Context);

} // namespace clrewrite::rewrite::transpose_ids
