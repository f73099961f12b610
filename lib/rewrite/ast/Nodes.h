// Searches of the nodes below one, for the common cases.
#pragma once

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <type_traits>
#include <vector>

namespace clrewrite::rewrite {

/// \p Search after it visited the statement or the declaration \p In.
template <typename Visitor, typename Root>
Visitor searched(Visitor Search, const Root *In) {
  if constexpr (std::is_base_of_v<clang::Decl, Root>)
    Search.TraverseDecl(const_cast<Root *>(In));
  else
    Search.TraverseStmt(const_cast<Root *>(In));
  return Search;
}

template <typename T>
class FirstNode : public clang::DynamicRecursiveASTVisitor {
  llvm::function_ref<bool(const T *)> Is;

  bool look(const T *Node) {
    Found = Node && Is(Node) ? Node : nullptr;
    return !Found;
  }

public:
  const T *Found = nullptr;

  explicit FirstNode(llvm::function_ref<bool(const T *)> Is) : Is(Is) {}
  bool VisitStmt(clang::Stmt *S) override {
    if constexpr (std::is_base_of_v<clang::Stmt, T>)
      return look(llvm::dyn_cast<T>(S));
    return true;
  }
  bool VisitDecl(clang::Decl *D) override {
    if constexpr (std::is_base_of_v<clang::Decl, T>)
      return look(llvm::dyn_cast<T>(D));
    return true;
  }
};

/// The first node of class \p T below \p In, or \p In, for which \p Is holds;
/// null for none.
template <typename T, typename Root>
const T *firstIn(
    const Root *In,
    llvm::function_ref<bool(const T *)> Is = [](const T *) { return true; }) {
  return searched(FirstNode<T>(Is), In).Found;
}

/// All of them, in the order of the text.
template <typename T, typename Root>
std::vector<const T *> allIn(
    const Root *In,
    llvm::function_ref<bool(const T *)> Is = [](const T *) { return true; }) {
  std::vector<const T *> Out;
  firstIn<T>(In, [&](const T *Node) {
    if (Is(Node))
      Out.push_back(Node);
    return false;
  });
  return Out;
}

} // namespace clrewrite::rewrite
