// The run is what is left of all statements when those that break a rule are
// taken out, one after the other, until none does.
#include "InvariantRun.h"
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/ast/CalledBodies.h"
#include "rewrite/ast/Lanes.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/text/Text.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::hoist_invariant {

std::optional<LoopParts> loopParts(const Stmt &S) {
  LoopParts P;
  P.Loop = &S;
  P.Condition = conditionOf(&S);
  const Stmt *Body = nullptr;
  if (const auto *For = dyn_cast<ForStmt>(&S)) {
    P.Init = For->getInit();
    P.Increment = For->getInc();
    Body = For->getBody();
  } else if (const auto *While = dyn_cast<WhileStmt>(&S)) {
    Body = While->getBody();
  } else if (const auto *Do = dyn_cast<DoStmt>(&S)) {
    P.AsksFirst = false;
    Body = Do->getBody();
  }
  P.Body = dyn_cast_or_null<CompoundStmt>(Body);
  return P.Body ? std::optional(P) : std::nullopt;
}

namespace {

/// Looks for what compilers do not move out of a loop by themselves: a loop, or
/// a call that gets a pointer and has one, or much arithmetic.
class HeavySearch : public DynamicRecursiveASTVisitor {
public:
  bool Found = false;
  bool VisitStmt(Stmt *S) override {
    Found |= isa<ForStmt, WhileStmt, DoStmt>(S);
    return !Found;
  }
  bool VisitBinaryOperator(BinaryOperator *B) override {
    Operations += B->getOpcode() != BO_Assign;
    Found |= InCall && Operations >= Much;
    return !Found;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee(), *Body = nullptr;
    bool Enters = InCall || any_of(Call->arguments(), [](const Expr *A) {
                    return A->getType()->isPointerType();
                  });
    if (!Enters || !F || !F->hasBody(Body) || !Seen.insert(Body).second)
      return true;
    bool Outer = InCall;
    InCall = true;
    TraverseStmt(Body->getBody());
    InCall = Outer;
    return !Found;
  }

private:
  /// The functions that set a hash to its start have none; a round of one has
  /// hundreds.
  static constexpr unsigned Much = 64;
  unsigned Operations = 0;
  bool InCall = false;
  SmallPtrSet<const FunctionDecl *, 4> Seen;
};

bool isHeavy(const Stmt *S) { return searched(HeavySearch(), S).Found; }

/// A copy of a \p T means the same as the original: nothing in it leads
/// anywhere.
bool holdsNoPointer(QualType T) {
  while (const clang::ArrayType *A = T->getAsArrayTypeUnsafe())
    T = A->getElementType();
  const RecordDecl *R = T->getAsRecordDecl();
  if (!R)
    return T->isArithmeticType() || T->isVectorType();
  return all_of(R->fields(), [](const FieldDecl *F) {
    return !F->getType().isVolatileQualified() && holdsNoPointer(F->getType());
  });
}

/// Looks for a number made of an address, which leads to where it did from a
/// copy, too.
class AddressSearch : public SearchWithCallees {
public:
  bool VisitCastExpr(CastExpr *C) override {
    // Or a pointer that is stored in the place of a number.
    const bool IsPointers = C->getType()->isPointerType() &&
                            C->getType()->getPointeeType()->isPointerType();
    Found |= C->getCastKind() == CK_PointerToIntegral ||
             (isa<ExplicitCastExpr>(C) && IsPointers);
    return !Found;
  }
};

bool keepsAddress(const Stmt *S) { return searched(AddressSearch(), S).Found; }

/// The structure that \p S declares and nothing else, without a value; null for
/// anything else.
const VarDecl *structureOf(const Stmt *S) {
  const auto *D = dyn_cast<DeclStmt>(S);
  const auto *V =
      D && D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
  return V && !V->getInit() && !V->hasAttrs() && V->getType()->isRecordType() &&
                 holdsNoPointer(V->getType())
             ? V->getCanonicalDecl()
             : nullptr;
}

/// One statement of the body.
struct Part {
  const Stmt *Code = nullptr;
  Effects Does;
  VariableSet Names; ///< the variables that it names
  const Stmt *Exit = nullptr;
  bool Heavy = false;
  bool Stays = false; ///< it is not of the run
};

class Search {
public:
  Search(const LoopParts &Loop, bool MayCopy, const FunctionDecl &Function,
         const ASTContext &Context)
      : Loop(Loop), Copies(MayCopy && !keepsAddress(Loop.Body)),
        Context(Context), Asked(Function) {
    for (const Stmt *S : {Loop.Init, static_cast<const Stmt *>(Loop.Condition),
                          static_cast<const Stmt *>(Loop.Increment)})
      Head.add(Asked.of(S));
    for (const Stmt *S : Loop.Body->body()) {
      Part P;
      P.Code = S;
      P.Does = Asked.of(S);
      mentionsAny(S, [&](const VarDecl *V) {
        P.Names.insert(V);
        return false;
      });
      if (const auto *D = dyn_cast<DeclStmt>(S))
        for (const Decl *Each : D->decls()) {
          if (const auto *V = dyn_cast<VarDecl>(Each))
            Declared[V->getCanonicalDecl()] = Parts.size();
          else
            DeclaresTypes = true;
        }
      if (const VarDecl *V = Copies ? structureOf(S) : nullptr;
          V && all_of(namesOf(V, Loop.Body), [&](const DeclRefExpr *Name) {
            return text(Name->getSourceRange(), Context).has_value();
          }))
        Copyable.insert(V);
      P.Exit = mayEndTurn(S);
      P.Heavy = isHeavy(S);
      Parts.push_back(std::move(P));
    }
  }

  InvariantRun run() {
    InvariantRun Out;
    keep(0);
    if (!any_of(Parts, isSeed))
      return Out;
    for (unsigned Rules = 1; Rules <= unsigned(Stays::Text) + 1; ++Rules) {
      keep(Rules);
      if (any_of(Parts, isSeed))
        continue;
      Out.Because = Stays(Rules - 1);
      Out.By = By;
      return Out;
    }
    close();
    for (const Part &P : Parts)
      if (!P.Stays)
        Out.Statements.push_back(P.Code);
    for (const VarDecl *V : Copyable)
      if (!Parts[Declared[V]].Stays && any_of(Parts, [&](const Part &P) {
            return P.Stays && writes(P.Does, {V, false, LangAS::Default});
          }))
        Out.Copied.push_back(V);
    llvm::sort(Out.Copied, [&](const VarDecl *A, const VarDecl *B) {
      return Declared[A] < Declared[B];
    });
    return Out;
  }

private:
  const LoopParts &Loop;
  bool Copies;
  const ASTContext &Context;
  EffectsOf Asked;
  Effects Head;
  std::vector<Part> Parts;
  /// The body declares types, which the run may name.
  bool DeclaresTypes = false;
  /// The statement of the body that declares a variable.
  std::map<const VarDecl *, size_t> Declared;
  /// Structures of which each round may get a copy.
  VariableSet Copyable;
  /// What breaks the last rule that is asked.
  SourceRange By;
  bool Telling = false;

  static bool isSeed(const Part &P) { return P.Heavy && !P.Stays; }

  /// Takes out what breaks one of the first \p Rules rules of Stays, or does
  /// not do the same in every round.
  void keep(unsigned Rules) {
    for (Part &P : Parts)
      P.Stays = !mayMove(P);
    for (bool Again = true; Again;) {
      Again = false;
      for (size_t I = 0; I < Parts.size(); ++I) {
        if (Parts[I].Stays)
          continue;
        bool Out = isChanged(I, /*Shared=*/false) || isSeen(I) ||
                   readsRoundBefore(I) || lacksName(I);
        for (unsigned R = 0; !Out && R < Rules; ++R) {
          Telling = R + 1 == Rules;
          Out = breaks(Stays(R), I);
        }
        Telling = false;
        Parts[I].Stays = Out;
        Again |= Out;
      }
    }
  }

  bool breaks(Stays Rule, size_t I) {
    switch (Rule) {
    case Stays::Exit:
      return isBehindExit(I);
    case Stays::Order:
      return isOrdered(I);
    case Stays::Memory:
      return isChanged(I, /*Shared=*/true);
    case Stays::Text:
      return isNoText(I);
    }
    llvm_unreachable("a rule");
  }

  bool because(SourceRange Code) {
    if (Telling && By.isInvalid())
      By = Code;
    return true;
  }
  bool because(const Stmt *Code) {
    const auto *E = dyn_cast<Expr>(Code);
    return because(E ? E->getSourceRange() : SourceRange(Code->getBeginLoc()));
  }

  /// It does nothing but compute private variables. Beside copies, these are no
  /// pointers, which would lead to the original.
  bool mayMove(const Part &P) const {
    if (const auto *D = dyn_cast<DeclStmt>(P.Code)) {
      for (const Decl *Each : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(Each);
            !V || !isPrivate(V) || V->getType().isVolatileQualified())
          return false;
    } else if (!isa<Expr, CompoundStmt, IfStmt, ForStmt, WhileStmt, DoStmt,
                    SwitchStmt>(P.Code)) {
      return false;
    }
    return !DeclaresTypes && !P.Exit && !P.Does.More && !mayBeEntered(P.Code) &&
           all_of(P.Does.Accesses, [&](const Access &A) {
             return !A.Write ||
                    (A.Where.isOwn() &&
                     (!Copies || holdsNoPointer(A.Where.Variable->getType())));
           });
  }

  /// Something that stays writes what \p I reads.
  bool isChanged(size_t I, bool Shared) {
    return any_of(Parts[I].Does.Accesses, [&](const Access &Read) {
      if (Read.Write || Read.Where.isShared() != Shared)
        return false;
      if (writes(Head, Read.Where))
        return true;
      for (size_t J = 0; J < end(Read.Where, I); ++J)
        if (Parts[J].Stays && writes(Parts[J].Does, Read.Where))
          return true;
      return false;
    });
  }

  /// How many statements must leave alone what \p I reads or writes, which is
  /// \p M: what changes a copy changes no original.
  size_t end(const Memory &M, size_t I) const {
    return M.isOwn() && Copyable.contains(M.Variable) ? I : Parts.size();
  }

  bool writes(const Effects &E, const Memory &M) {
    return any_of(E.Accesses, [&](const Access &A) {
      return A.Write && Asked.mayMeet(A.Where, M) && because(A.By);
    });
  }

  /// Something that stays writes what \p I writes, or reads it before.
  bool isSeen(size_t I) {
    return any_of(Parts[I].Does.Accesses, [&](const Access &Write) {
      auto meets = [&](const Access &A) {
        return Asked.mayMeet(A.Where, Write.Where);
      };
      if (!Write.Write)
        return false;
      if (any_of(Head.Accesses, meets))
        return true;
      for (size_t J = 0; J < end(Write.Where, I); ++J)
        if (Parts[J].Stays &&
            any_of(Parts[J].Does.Accesses, [&](const Access &A) {
              return (A.Write || J < I) && meets(A);
            }))
          return true;
      return false;
    });
  }

  /// It names a variable of the loop whose declaration stays there.
  bool lacksName(size_t I) const {
    return any_of(Parts[I].Names, [&](const VarDecl *V) {
      auto It = Declared.find(V);
      if (It != Declared.end())
        return Parts[It->second].Stays;
      return isWithin(V, Loop.Loop) && !isWithin(V, Parts[I].Code);
    });
  }

  bool isWithin(const VarDecl *V, const Stmt *S) const {
    return !standsBefore(V->getLocation(), S->getBeginLoc(), Context) &&
           !standsBefore(S->getEndLoc(), V->getLocation(), Context);
  }

  bool isBehindExit(size_t I) {
    if (const Stmt *Label = mayBeEntered(Loop.Body))
      return because(Label);
    for (size_t J = 0; J < I; ++J)
      if (Parts[J].Exit)
        return because(Parts[J].Exit);
    return false;
  }

  bool isOrdered(size_t I) {
    if (none_of(Parts[I].Does.Accesses,
                [](const Access &A) { return A.Where.isShared(); }))
      return false;
    if (Head.Waits)
      return because(Head.Waits);
    for (const Part &P : Parts)
      if (P.Does.Waits)
        return because(P.Does.Waits);
    return false;
  }

  /// It reads what may be a variable from outside of the loop that the run
  /// writes there or later, and has not set as a whole before.
  bool readsRoundBefore(size_t I) const {
    auto isOutside = [&](const Memory &M) {
      return !M.Variable || !isWithin(M.Variable, Loop.Loop);
    };
    return any_of(Parts[I].Does.Accesses, [&](const Access &Read) {
      if (Read.Write || !isOutside(Read.Where))
        return false;
      for (size_t J = 0; J < I; ++J)
        if (!Parts[J].Stays && Read.Where.isOwn() &&
            sets(Parts[J].Code, Read.Where.Variable))
          return false;
      return any_of(ArrayRef(Parts).drop_front(I), [&](const Part &P) {
        return !P.Stays && any_of(P.Does.Accesses, [&](const Access &A) {
          return A.Write && isOutside(A.Where) &&
                 Asked.mayMeet(A.Where, Read.Where);
        });
      });
    });
  }

  /// It is an assignment to all of \p V.
  static bool sets(const Stmt *S, const VarDecl *V) {
    const auto *E = dyn_cast<Expr>(S);
    const auto *B = E ? dyn_cast<BinaryOperator>(E->IgnoreParens()) : nullptr;
    return B && B->getOpcode() == BO_Assign && isName(B->getLHS(), V);
  }

  bool isNoText(size_t I) {
    SourceRange Whole = wholeStatement(Parts[I].Code, Context);
    return (Whole.isInvalid() || !isCopyable(Whole, Context)) &&
           because(hindranceIn(Parts[I].Code->getSourceRange(), Context));
  }

  /// Leaves of the run what a heavy statement needs, and what is computed from
  /// what one writes.
  void close() {
    std::vector<bool> Needed(Parts.size());
    auto needs = [&](size_t I, size_t J) { // I reads or writes what J writes
      if (any_of(Parts[I].Names, [&](const VarDecl *V) {
            auto It = Declared.find(V);
            return It != Declared.end() && It->second == J;
          }))
        return true;
      return any_of(Parts[J].Does.Accesses, [&](const Access &Write) {
        return Write.Write &&
               any_of(Parts[I].Does.Accesses, [&](const Access &A) {
                 return Asked.mayMeet(A.Where, Write.Where);
               });
      });
    };
    for (size_t I = 0; I < Parts.size(); ++I)
      Needed[I] = isSeed(Parts[I]);
    for (bool Again = true; Again;) {
      Again = false;
      for (size_t I = 0; I < Parts.size(); ++I) {
        if (Needed[I] || Parts[I].Stays)
          continue;
        for (size_t J = 0; J < Parts.size() && !Needed[I]; ++J)
          Needed[I] = Needed[J] && J != I && (needs(J, I) || needs(I, J));
        Again |= Needed[I];
      }
    }
    for (size_t I = 0; I < Parts.size(); ++I)
      Parts[I].Stays |= !Needed[I];
  }
};

} // namespace

InvariantRun invariantRun(const LoopParts &Parts, bool Copies,
                          const FunctionDecl &Function,
                          const ASTContext &Context) {
  return Search(Parts, Copies, Function, Context).run();
}

std::vector<const VarDecl *> InvariantRun::declared() const {
  std::vector<const VarDecl *> Out;
  for (const Stmt *S : Statements)
    if (const auto *D = dyn_cast<DeclStmt>(S))
      for (const Decl *Each : D->decls())
        if (!is_contained(Copied, Each))
          Out.push_back(cast<VarDecl>(Each));
  return Out;
}

} // namespace clrewrite::rewrite::hoist_invariant
