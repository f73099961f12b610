// Strides of the lanes' accesses, who comes to them, and telling of them.
#include "advice/LaneAccess.h"
#include "rewrite/ast/WorkItemUse.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace clang;

namespace clrewrite::advice {

std::optional<Stride> strideOf(const Access &A, const Program &Code, Mover By,
                               const Frame *In) {
  Strides S(Code, By, In);
  if (!A.Pointer)
    return S.ofAddress(A.At);
  std::optional<Stride> Base = S.of(A.Pointer), Offset = S.of(A.Offset);
  if (!Base || !Offset)
    return std::nullopt;
  Base->Constant += Offset->Constant * A.Bytes;
  for (const auto &[Name, Factor] : Offset->Terms)
    Base->Terms[Name] += Factor * A.Bytes;
  return Base;
}

namespace {

/// Conditions that hold for few lanes of a wave.
class FewLanes {
public:
  FewLanes(const Program &Code, const Frame *In)
      : Code(Code), Lane(Code, {Mover::Lane}, In) {}

  /// \p E is true, or else \p IsTrue says that it is false, for few.
  bool hold(const Expr *E, bool IsTrue) {
    E = Code.meaning(E);
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && U->getOpcode() == UO_LNot)
      return hold(U->getSubExpr(), !IsTrue);
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B)
      return !Lane.isSame(E); // a mask, a call: who knows
    if (B->isLogicalOp())
      return hold(B->getLHS(), IsTrue) || hold(B->getRHS(), IsTrue);
    const Expr *L = B->getLHS(), *R = B->getRHS();
    if (B->isEqualityOp())
      return (IsTrue || B->getOpcode() == BO_NE) &&
             !(Lane.isSame(L) && Lane.isSame(R));
    if (!B->isRelationalOp())
      return false;
    bool IsBelow = B->getOpcode() == BO_LT || B->getOpcode() == BO_LE;
    if (Lane.isSame(L)) {
      std::swap(L, R);
      IsBelow = !IsBelow;
    }
    std::optional<int64_t> Bound = constantOf(Code.meaning(R), Code.Context);
    return IsBelow == IsTrue && !Lane.isSame(L) && Bound && *Bound <= Few;
  }

private:
  static constexpr int64_t Few = 8;
  const Program &Code;
  Strides Lane;
};

/// What \p S ends with.
const Stmt *lastOf(const Stmt *S) {
  const auto *Block = dyn_cast_or_null<CompoundStmt>(S);
  return Block ? Block->body_back() : S;
}

} // namespace

bool isForFew(const Access &A, const Program &Code, const Frame *In) {
  FewLanes Lanes(Code, In);
  for (size_t I = 0; I < A.Around.size(); ++I) {
    const Stmt *S = A.Around[I];
    const Expr *Condition = nullptr;
    if (const auto *If = dyn_cast<IfStmt>(S))
      Condition = If->getCond();
    else if (const auto *C = dyn_cast<ConditionalOperator>(S))
      Condition = C->getCond();
    else if (const auto *For = dyn_cast<ForStmt>(S))
      Condition = For->getCond();
    if (Condition && Lanes.hold(Condition, true))
      return true;
    const auto *Block = dyn_cast<CompoundStmt>(S);
    if (!Block || I + 1 == A.Around.size())
      continue;
    // if (get_local_id(0) != 0) return;
    for (const Stmt *Before : Block->body()) {
      if (Before == A.Around[I + 1])
        break;
      if (const auto *If = dyn_cast<IfStmt>(Before);
          If && isa_and_nonnull<ReturnStmt>(lastOf(If->getThen())) &&
          Lanes.hold(If->getCond(), false))
        return true;
    }
  }
  return false;
}

uint64_t groupWidth(const FunctionDecl &F, const Adviser &To,
                    uint64_t Unknown) {
  std::vector<std::string> Kernels = To.Code.kernelsOf(F);
  std::optional<uint64_t> Width;
  for (const auto &Each : To.Code.Functions) {
    const FunctionDecl &Kernel = *Each.second;
    if (!llvm::is_contained(Kernels, Kernel.getName()))
      continue;
    std::optional<uint64_t> Known;
    auto note = [&](llvm::ArrayRef<uint64_t> Sizes) {
      if (!Sizes.empty())
        Known = std::min(Known.value_or(Sizes[0]), Sizes[0]);
    };
    note(rewrite::requiredGroup(Kernel));
    for (const AdviceFacts::Group &G : To.Facts.Groups)
      if (G.Kernel == Kernel.getName())
        note(G.Local);
    uint64_t Own = Known.value_or(Unknown);
    Width = std::min(Width.value_or(Own), Own);
  }
  return Width.value_or(Unknown);
}

std::string distanceOf(const Access &A, Stride Bytes) {
  bool Whole = Bytes.Constant % A.ElementBytes == 0;
  Bytes.Constant /= A.ElementBytes;
  for (auto &Term : Bytes.Terms) {
    Whole &= Term.second % A.ElementBytes == 0;
    Term.second /= A.ElementBytes;
  }
  return Whole ? "the lanes of a wave are " + Bytes.text() +
                     " elements apart here (the stride of dimension 0's id)"
               : "";
}

void tellOfAccesses(
    const FunctionDecl &F, LangAS Space, const Adviser &To,
    llvm::function_ref<std::string(const Access &, const Frame *)> Why) {
  std::vector<const Frame *> Ways = To.Code.waysTo(F);
  struct Seen {
    SourceLocation At;
    unsigned Count = 0;
  };
  std::map<std::string, Seen> Found; // by message
  std::vector<std::string> Order;
  for (const Access &A : accessesOf(F, Space, To.Context))
    for (const Frame *In : Ways) {
      std::string Message = Why(A, In);
      if (Message.empty())
        continue;
      Message = (A.Writes ? "writes of " : "reads of ") +
                bufferOf(A, To.Context) + " " + Message;
      auto [It, New] = Found.try_emplace(Message, Seen{A.At->getBeginLoc()});
      if (New)
        Order.push_back(Message);
      ++It->second.Count;
      break;
    }
  for (const std::string &Message : Order) {
    const Seen &S = Found[Message];
    To.Tell(S.At, F,
            Message + (S.Count > 1 ? " (" + std::to_string(S.Count) +
                                         " such accesses in " +
                                         F.getNameAsString() + ")"
                                   : ""));
  }
}

} // namespace clrewrite::advice
