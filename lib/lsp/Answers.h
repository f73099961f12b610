// What a server answers about a document, in the protocol's own JSON. Objects
// are made by hand, as version 3.17 of the protocol has them.
#pragma once

#include "lsp/Positions.h"
#include "lsp/View.h"

namespace clrewrite::lsp {

/// A document and what is known of it.
struct Known {
  const std::string &Uri, &Text;
  const View &What;
};

/// Messages, as of textDocument/publishDiagnostics.
llvm::json::Array diagnostics(const Known &D);

/// A lens a kernel and target, above the kernel.
llvm::json::Array lenses(const Known &D);

/// Which inlay hints are wanted.
struct HintChoice {
  bool Kernels = false; ///< figures after each kernel's line
  bool Lines = false;   ///< live VGPRs after each line
};
llvm::json::Array hints(const Known &D, HintChoice Wanted, const Range &Within);

/// The figures of the kernel in whose line \p At is, or what became of the
/// sites there, with the pages of their rewrites; null where nothing is. The
/// text is Markdown: \p Kind is "markdown", or "plaintext" for editors that
/// show it as it stands.
llvm::json::Value hover(const Known &D, const Position &At,
                        llvm::StringRef Kind);

/// The kind of the action that makes all fixes.
inline constexpr llvm::StringLiteral FixAllKind = "source.fixAll.clrewrite";

/// True where \p Only, of a request, has room for actions of \p Kind.
bool wants(llvm::ArrayRef<std::string> Only, llvm::StringRef Kind);

/// What all fixes that pay change.
llvm::json::Array allFixes(const Known &D);

/// Fixes, suppressions and pages for the sites whose lines \p Within touches,
/// and all fixes of the document; of those kinds that are in \p Only, or all.
llvm::json::Array actions(const Known &D, const Range &Within,
                          llvm::ArrayRef<std::string> Only);

} // namespace clrewrite::lsp
