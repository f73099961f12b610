// align-access: vloadN and vstoreN become plain vector accesses where the
// address is aligned to the vector.
//
// vloadN and vstoreN promise the alignment of an element only, so a device
// without unaligned vector access moves element by element: eight loads of
// ushort where one load of 16 bytes would do. Mostly the address is aligned,
// and nothing in the source says so.
//
// Each access of a function is given to a function of its own:
//   vload8(i, p)  ->  box_sum_load_ushort8(i, p)
// which stands before the one that calls it, so that every argument is still
// evaluated once and the edit of an access is its name. That function is
//   tested  the plain access if the address says that it is aligned, else the
//           same elements as two halves (an `else` with vload8 itself would be
//           lost: LLVM joins two loads of one address and keeps the smaller
//           alignment);
//   plain   the plain access alone, which assumes that it is aligned.
#include "Elements.h"
#include "LoopVersions.h"
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Alignment.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/WholeAccess.h"
#include "rewrite/text/CodeVariation.h"
#include "rewrite/text/Head.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::align_access {
namespace {

using Form = WholeAccess::Form;

/// The same pointer whatever casts stand around it.
const Expr *bare(const Expr *Pointer) { return Pointer->IgnoreParenCasts(); }

/// The accesses of a function whose address it does not test already.
std::vector<VectorAccess> accessesOf(const FunctionDecl &F,
                                     const ASTContext &Context) {
  const std::vector<const CastExpr *> Tests =
      allIn<CastExpr>(F.getBody(), [](const CastExpr *C) {
        return C->getCastKind() == CK_PointerToIntegral;
      });
  const Alignment Aligned(F, Context);
  std::vector<VectorAccess> Out;
  for (const CallExpr *Call : allIn<CallExpr>(F.getBody())) {
    std::optional<VectorAccess> A = vectorAccessOf(Call);
    if (!A)
      continue;
    const ParmVarDecl *Buffer =
        Tests.empty() ? nullptr : Aligned.buffer(A->Pointer, A->Lanes);
    if (none_of(Tests, [&](const CastExpr *Test) {
          const Expr *E = bare(Test->getSubExpr());
          const auto *Name = dyn_cast<DeclRefExpr>(E);
          return (Name && Buffer && Name->getDecl() == Buffer) ||
                 sameExpression(bare(A->Pointer), E, Context);
        }))
      Out.push_back(*A);
  }
  return Out;
}

bool accessesVectors(const FunctionDecl &Node, ASTContext &Context) {
  return Node.doesThisDeclarationHaveABody() &&
         !accessesOf(Node, Context).empty();
}

const Expr *calleeOf(const VectorAccess &A) {
  return A.Call->getCallee()->IgnoreParenImpCasts();
}

/// The callee's name is the user's text, without parentheses around it.
bool isWritten(const VectorAccess &A, const ASTContext &Context) {
  SourceRange Name = calleeOf(A)->getSourceRange();
  return Name.getBegin().isFileID() && text(Name, Context) &&
         !isa<ParenExpr>(A.Call->getCallee()->IgnoreImpCasts());
}

std::vector<VectorAccess> written(const Site &S) {
  std::vector<VectorAccess> List = accessesOf(S.Function, S.Context);
  erase_if(List,
           [&](const VectorAccess &A) { return !isWritten(A, S.Context); });
  return List;
}

std::vector<VectorAccess> plainTwins(const Site &S) {
  std::vector<VectorAccess> List = written(S);
  erase_if(List, [](const VectorAccess &A) { return !hasPlainTwin(A); });
  return List;
}

Elements elementsOf(const Site &S) { return {S.Function, S.Context}; }

/// The accesses of which each build has the same pointer, or one to elements
/// that the program has a word for.
std::vector<VectorAccess> steady(const Site &S) {
  std::vector<VectorAccess> List = plainTwins(S);
  const Elements &Spelling = S.once<elementsOf>();
  // A name that a macro makes is another one where the file is read again.
  if (!S.Function.getLocation().isFileID())
    return {};
  erase_if(List, [&](VectorAccess &A) {
    const SourceRange Call = A.Call->getSourceRange();
    const Stmt *Code = A.Call;
    const bool Varies =
        variationIn(Call, S.Context).isValid() ||
        variationOf(Code, Call, S.Function, S.Context).isValid();
    if (Varies && !Spelling.spell(A))
      return true;
    // Elsewhere the device may lack the type, and have none of the arm.
    QualType T = A.element();
    return (T->isHalfType() || T->isDoubleType() || !A.Element.empty()) &&
           Spelling.isInArmOfFunction(A.Call->getBeginLoc());
  });
  return List;
}

std::vector<VectorAccess> convertible(const Site &S) {
  std::vector<VectorAccess> List = S.once<steady>();
  erase_if(List, [&](const VectorAccess &A) {
    return !namesAreOpenCL(A, S.Context);
  });
  return List;
}

bool someIsWritten(const Site &S) {
  return !written(S).empty() ||
         S.brokenBy(accessesOf(S.Function, S.Context).front().Call);
}
bool someHasPlainTwin(const Site &S) {
  return !plainTwins(S).empty() || S.brokenBy(written(S).front().Call);
}
bool someIsSteady(const Site &S) {
  return !S.once<steady>().empty() || S.brokenBy(plainTwins(S).front().Call);
}
bool someIsConvertible(const Site &S) {
  return !convertible(S).empty() || S.brokenBy(S.once<steady>().front().Call);
}

/// Writes the alternatives for one function.
class Writer {
public:
  explicit Writer(const Site &S)
      : S(S), Aligned(S.Function, S.Context), List(convertible(S)),
        Whole(S.Function, S.Context) {}

  std::vector<Alternative> all() {
    auto isOwn = [&](const VectorAccess &A) { return bufferOf(A) != nullptr; };
    auto test = [](const VectorAccess &) { return Form::Tested; };
    // Where a word means another type, or an offset is another one, in another
    // build, nothing would tell.
    const bool IsSteady =
        all_of(List, [](const VectorAccess &A) { return A.Element.empty(); }) &&
        variationIn(S.Function.getSourceRange(), S.Context).isInvalid() &&
        variationOf(S.Function.getBody(), S.Function.getSourceRange(),
                    S.Function, S.Context)
            .isInvalid();
    if (!IsSteady)
      return {alternative("tested", test)};
    // A test in a loop is a branch there, which costs NVIDIA's GPUs more than
    // the loads gain where few turns load.
    const std::vector<LoopVersions> Loops = loopsIn(S, List);
    std::vector<Alternative> Out{
        alternative(Loops.empty() ? "tested" : "by-loop", test, Loops)};
    if (any_of(List, isOwn))
      Out.push_back(alternative("plain", [&](const VectorAccess &A) {
        return isOwn(A) ? Form::Plain : Form::Tested;
      }));
    if (!all_of(List, isOwn))
      Out.push_back(alternative(
          "plain-all", [](const VectorAccess &) { return Form::Plain; }));
    return Out;
  }

private:
  const Site &S;
  Alignment Aligned;
  std::vector<VectorAccess> List;
  WholeAccess Whole;

  /// The host's buffer of which \p A is a whole multiple of vectors away.
  const ParmVarDecl *bufferOf(const VectorAccess &A) const {
    return A.space() == LangAS::opencl_local
               ? nullptr
               : Aligned.buffer(A.Pointer, A.Lanes);
  }

  Alternative alternative(StringRef Label,
                          function_ref<Form(const VectorAccess &)> FormOf,
                          ArrayRef<LoopVersions> Loops = {}) const {
    Alternative Out;
    Out.Label = Label.str();
    if (!Loops.empty()) {
      Out.Remark = "aligned buffers need no test in the loop";
      Out.Explains = true;
    }
    auto isInLoop = [&](const VectorAccess &A) {
      return any_of(Loops, [&](const LoopVersions &L) {
        return any_of(L.Accesses, [&](const VectorAccess &Each) {
          return Each.Call == A.Call;
        });
      });
    };
    std::map<std::string, std::string> Functions;
    std::vector<VectorAccess> Assumed;
    for (const VectorAccess &A : List) {
      const bool InLoop = isInLoop(A);
      Form F = InLoop ? Form::Plain : FormOf(A);
      Functions[Whole.name(A, F)] = Whole.function(A, F);
      if (InLoop)
        continue;
      if (F == Form::Plain)
        Assumed.push_back(A);
      Out.Changes.push_back(replacement(calleeOf(A)->getSourceRange(),
                                        Whole.name(A, F), S.Context));
    }
    for (const LoopVersions &L : Loops)
      Out.Changes.push_back(versionsOf(
          L, [&](const VectorAccess &A) { return Whole.name(A, Form::Plain); },
          S.Context));
    if (!Assumed.empty()) {
      Out.Class = Safety::Assumes;
      Out.Note = note(Assumed);
    }
    declareVectors(Functions);
    Out.Changes.push_back(definitionsBefore(S.Function, Functions, S.Context));
    return Out;
  }

  /// Declares each vector that the program has no word for before the first of
  /// \p Functions that uses it.
  void declareVectors(std::map<std::string, std::string> &Functions) const {
    std::set<std::string> Declared;
    for (const VectorAccess &A : List) {
      if (!A.DeclaresVector || !Declared.insert(A.VectorName).second)
        continue;
      auto First = find_if(Functions, [&](const auto &Each) {
        return is_contained(wordsIn(Each.second), A.VectorName);
      });
      First->second = Whole.declaration(A) + First->second;
    }
  }

  std::string note(ArrayRef<VectorAccess> Assumed) const {
    std::map<unsigned, std::vector<std::string>> Buffers, Addresses;
    for (const VectorAccess &A : Assumed) {
      unsigned Bytes = unsigned(S.Context.getTypeSize(A.Vector) / 8);
      const ParmVarDecl *P = bufferOf(A);
      std::string Name =
          P ? P->getNameAsString() : spelled(A.Pointer, S.Context);
      std::vector<std::string> &Into = (P ? Buffers : Addresses)[Bytes];
      if (!is_contained(Into, Name))
        Into.push_back(Name);
    }
    std::vector<std::string> Parts;
    for (const auto &[Bytes, Names] : Buffers)
      Parts.push_back(listed("the buffer", Names) +
                      (Names.size() > 1 ? " start" : " starts") +
                      " at a multiple of " + utostr(Bytes) +
                      " bytes, as memory objects do (an SVM pointer, or host "
                      "memory in use, may not)");
    for (const auto &[Bytes, Names] : Addresses)
      Parts.push_back(
          listed("the address", Names, "es") +
          (Names.size() > 1 ? " are multiples of " : " is a multiple of ") +
          utostr(Bytes) + " bytes");
    return join(Parts, ", ");
  }

  static std::string listed(StringRef What, ArrayRef<std::string> Names,
                            StringRef Plural = "s") {
    std::string Out = (What + (Names.size() > 1 ? Plural : "")).str();
    for (const std::string &N : Names)
      Out += (&N == Names.begin() ? " '" : ", '") + N + "'";
    return Out;
  }
};

std::vector<Alternative> alternatives(const Site &S) { return Writer(S).all(); }

} // namespace

const Rewrite &rewriteAlignAccess() {
  static const Rewrite R{
      "align-access",
      "access vectors whole where their address is aligned",
      Safety::Exact,
      sitesOf<FunctionDecl, accessesVectors>,
      {{"every vloadN and vstoreN comes from a macro", someIsWritten,
        WriteItOut},
       {"no vloadN or vstoreN is of 2, 4, 8 or 16 elements, not volatile, in "
        "global, local or constant memory",
        someHasPlainTwin},
       {"with other build options each vloadN and vstoreN may have another "
        "pointer, or a pointer to another type",
        someIsSteady,
        "declare the pointer once in the function, with one word for the type"},
       {"the program gives another meaning to size_t, uintptr_t, vloadN or the "
        "vector's type",
        someIsConvertible, RenameOwn},
       HeadIsPlain},
      alternatives,
      /*Phase=*/0,
      HoldsElsewhere}; // as each of its accesses does: steady()
  return R;
}

} // namespace clrewrite::rewrite::align_access
