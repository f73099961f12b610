// split-array: a private array of vectors becomes arrays of scalars.
//
//     float3 sum[8];            float sum_x[8], sum_y[8], sum_z[8];
//     sum[i] += f;              sum_x[i] += f.x; ...
//
// or `float sum[8][3]`. For AMD's GPUs LLVM keeps an array in registers, as one
// long vector, though a variable says which element is meant. A store of one
// vector is a shuffle of the whole then, and where branches meet, all of it is
// copied; where scalars are stored, LLVM takes the long vector apart. A float3
// also takes the registers of a float4 there.
//
// A function that takes the array gets a copy, which is an array of vectors,
// and which is read back unless the function takes it as const.
#include "Splits.h"
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/Lanes.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/text/Directives.h"
#include "rewrite/text/LoadChain.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/AST/ParentMapContext.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::split_array {
namespace {

bool declaresVectors(const DeclStmt &D, ASTContext &) {
  return any_of(D.decls(), vectorsIn);
}

const DeclStmt &declarationOf(const Site &S) { return *S.get<DeclStmt>(); }

std::vector<ElementUse> elementsOf(const Site &S) {
  std::vector<ElementUse> Out;
  for (const Split &Each : splits(S))
    append_range(Out, Each.Uses.Elements);
  return Out;
}

/// LLVM takes arrays apart by itself where all indices are constants.
bool hasComputedIndex(const Split &Each, const ASTContext &Context) {
  return any_of(Each.Uses.Elements, [&](const ElementUse &U) {
    return any_of(U.Indices,
                  [&](const Expr *Index) { return !constant(Index, Context); });
  });
}

/// The array takes values to one call, and back: its copy would do no less.
bool onlyCarries(const Split &Each, const Site &S) {
  const std::vector<ArrayCall> &Calls = Each.Uses.Calls;
  // The call may be given the array as more than one argument.
  auto isFirst = [&](const ArrayCall &C) {
    return C.Call == Calls.front().Call;
  };
  if (Calls.empty() || !all_of(Calls, isFirst) ||
      around(Calls.front().Call, S.Context) !=
          around(&declarationOf(S), S.Context))
    return false;
  return all_of(Each.Uses.Elements, [&](const ElementUse &U) {
    bool Before = standsBefore(U.Whole->getBeginLoc(),
                               Calls.front().Call->getBeginLoc(), S.Context),
         Stores = U.Assignment && U.Assignment->getOpcode() == BO_Assign;
    return Before ? Stores : !U.Assignment;
  });
}

bool maySplit(const Site &S) {
  return any_of(splits(S), [&](const Split &Each) {
    return Each.Uses.Other ||
           (hasComputedIndex(Each, S.Context) && !onlyCarries(Each, S));
  });
}

bool isDeclaredPlainly(const Site &S) {
  const DeclStmt &D = declarationOf(S);
  if (!isPlainText(D.getSourceRange(), S))
    return false;
  for (const Decl *Each : D.decls()) {
    const VarDecl *V = vectorsIn(Each);
    if (!V || V->hasAttrs() || typeTextOf(V).Vector.isInvalid() ||
        S.Context.getBaseElementType(V->getType()).isVolatileQualified())
      return S.brokenBy({Each->getLocation(), Each->getEndLoc()});
  }
  return true;
}

bool startsPlainly(const Site &S) {
  for (const Split &Each : splits(S)) {
    const Expr *Init = Each.Array->getInit();
    if (Init &&
        (!commentsIn(Init->getSourceRange(), {}, "", S.Context).empty() ||
         !(isZero(Each.Array) || firstVectors(Each.Array, S))))
      return S.brokenBy(Init);
  }
  return true;
}

bool usesAreElements(const Site &S) {
  for (const Split &Each : splits(S))
    if (Each.Uses.Other)
      return S.brokenBy(Each.Uses.Other);
  return true;
}

/// What must be a statement of its own: stores of vectors, and calls.
std::vector<const Expr *> statementsOf(const Site &S) {
  std::vector<const Expr *> Out;
  for (const ElementUse &U : elementsOf(S))
    if (U.Kind == ElementUse::Store)
      Out.push_back(U.Assignment);
  append_range(Out, callsOf(S));
  return Out;
}

/// \p E is a statement of a block, or the body of a branch or a loop. The last
/// statement of ({ ... }) is its value.
bool isStatement(const Expr *E, ASTContext &Context) {
  const Stmt *Up = around(E, Context);
  return placeOf(E, Context).Statement == E && Up &&
         none_of(Context.getParents(*Up), [](const DynTypedNode &Outer) {
           return Outer.get<StmtExpr>();
         });
}

bool changesAreStatements(const Site &S) {
  return S.each(statementsOf(S),
                [&](const Expr *E) { return isStatement(E, S.Context); });
}

/// What is assigned, and the arguments of calls.
bool valuesArePure(const Site &S) {
  std::vector<const Expr *> Values;
  for (const ElementUse &U : elementsOf(S))
    if (U.Kind == ElementUse::Store)
      Values.push_back(U.Assignment->getRHS());
  for (const CallExpr *C : callsOf(S))
    append_range(Values, C->arguments());
  return S.each(Values, isPure);
}

bool indicesArePure(const Site &S) {
  return all_of(elementsOf(S), [&](const ElementUse &U) {
    return S.each(U.Indices, [&](const Expr *Index) {
      return isPure(Index) && !mentionsAny(Index, [&](const VarDecl *V) {
               return isSplit(V, S);
             });
    });
  });
}

bool isText(const Site &S) {
  auto isPlain = [&](const Expr *E) {
    return isPlainText(E->getSourceRange(), S);
  };
  for (const Split &Each : splits(S))
    if (!all_of(Each.Uses.Calls,
                [&](const ArrayCall &C) { return isPlain(C.Name); }))
      return false;
  return all_of(elementsOf(S),
                [&](const ElementUse &U) { return isPlain(U.Whole); }) &&
         all_of(statementsOf(S), [&](const Expr *E) {
           return (isCopyable(E->getSourceRange(), S.Context) &&
                   E->getBeginLoc().isFileID() &&
                   withSemicolon(E, S.Context).Length) ||
                  S.brokenBy(hindranceIn(E->getSourceRange(), S.Context));
         });
}

/// The array's name stands in its block only where this build sees the array.
bool everyNameIsSeen(const Site &S) {
  return all_of(splits(S), [&](const Split &Each) {
    return S.unlessBroken(unseenName(Each.Array));
  });
}

/// What is written are the names of this type, of its lanes and of vectors of
/// fewer.
bool typeIsStable(const Site &S) {
  const VarDecl *First = splits(S).front().Array;
  return (hasStableType(*First, S.Context) &&
          !S.Context.Idents.get(spelledType(laneOf(vectorOf(S)), S.Context))
               .hadMacroDefinition()) ||
         S.brokenBy(typeTextOf(First).Vector);
}

/// Part of a private variable, or reached by a pointer to private memory.
bool isOwn(const Expr *LHS) {
  return storageOf(LHS).isPrivate() ||
         LHS->getType().getAddressSpace() == LangAS::opencl_private;
}

/// \p Word names a vector of three lanes, as OpenCL does.
bool isOfThree(StringRef Word) {
  return Word.consume_back("3") &&
         is_contained({"char", "uchar", "short", "ushort", "int", "uint",
                       "long", "ulong", "half", "float", "double"},
                      Word);
}

/// Where code that this build leaves out may store a vector of three lanes
/// whole: there is an #if, and a pointer to such vectors in global memory, or a
/// structure with one. Invalid where there is none.
SourceRange otherStore(const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  MacroStability &Macros = MacroStability::of(Context);
  if (Macros.isOnlyBuild())
    return {};
  // Other names of such vectors.
  std::set<StringRef> Names;
  for (StringRef Text : Macros.definitions())
    if (const std::vector<StringRef> Words = wordsIn(Text);
        Words.size() == 2 && isOfThree(Words[1]))
      Names.insert(Words[0]);
  for (const auto *T : allIn<TypedefNameDecl>(Context.getTranslationUnitDecl()))
    if (laneCount(T->getUnderlyingType()) == 3)
      Names.insert(T->getName());
  auto isThree = [&](StringRef Word) {
    return isOfThree(Word) || Names.count(Word);
  };
  bool HasArms = false;
  SourceRange Found;
  for (FileID File : userFiles(SM)) {
    bool IsShared = false; // behind the name of a space that others see
    unsigned Structure = 0, Depth = 0;
    ArmToken Before{0, "", ArmToken::Other};
    for (const ArmToken &T : Macros.tokensOf(File)) {
      HasArms |= T.Kind == ArmToken::Opens;
      if (T.Kind != ArmToken::Code)
        continue;
      Depth += T.Text == "{";
      if (T.Text == "struct" || T.Text == "union")
        Structure = Depth + 1;
      if (T.Text == "}" && Depth-- == Structure)
        Structure = 0;
      if (is_contained({"global", "__global"}, T.Text))
        IsShared = true;
      const bool IsPointer = IsShared && isThree(Before.Text) && T.Text == "*",
                 IsField = Structure && Depth >= Structure && isThree(T.Text);
      if (Found.isInvalid() && (IsPointer || IsField))
        Found = SM.getComposedLoc(File, IsField ? T.Offset : Before.Offset);
      if (is_contained({";", ",", "(", ")", "{", "}"}, T.Text))
        IsShared = false;
      if (!is_contained({"const", "restrict", "volatile"}, T.Text))
        Before = T;
    }
  }
  return HasArms ? Found : SourceRange();
}

/// The fourth lane that a vector of three has in memory would be another one.
/// It may be any, but a host would see the difference.
bool keepsPadding(const Site &S) {
  if (laneCount(vectorOf(S)) != 3)
    return true;
  // Of vectors of three lanes, and of structures, which may hold some.
  return S.unlessBroken(firstIn<BinaryOperator>(
             S.Context.getTranslationUnitDecl(),
             [](const BinaryOperator *B) {
               QualType T = B->getLHS()->getType();
               return B->isAssignmentOp() &&
                      (laneCount(T) == 3 || T->isRecordType()) &&
                      !isOwn(B->getLHS());
             })) &&
         S.unlessBroken(otherStore(S.Context));
}

std::vector<Alternative> alternatives(const Site &S) {
  return {splitText(S, /*Rows=*/false), splitText(S, /*Rows=*/true)};
}

} // namespace

const Rewrite &rewriteSplitArray() {
  static const Rewrite R{
      "split-array",
      "make arrays of scalars of a private array of vectors",
      Safety::Exact,
      sitesOf<DeclStmt, declaresVectors>,
      {{"the declaration comes from a macro, or declares more than arrays by a "
        "type, names and bounds",
        isDeclaredPlainly,
        "declare the array alone, with its type written out"},
       {"the array begins with something else than zeros or expressions of "
        "vectors, or a comment stands among them",
        startsPlainly, "assign them to its elements"},
       {"the array is used other than by its elements, or by a function of "
        "this file that does so",
        usesAreElements, "write the element there, by its index"},
       {"an assignment to a vector of the array, or a call that is given the "
        "array, is not a statement of its own",
        changesAreStatements, "make it one"},
       {"what is assigned to a vector of the array, or stands beside the array "
        "in a call, has side effects",
        valuesArePure, "compute it in a statement before"},
       {"an index of the array has side effects, or reads the array",
        indicesArePure, "compute it in a statement before"},
       {"a use of the array comes from a macro's body, or a preprocessor "
        "directive stands in it",
        isText, WriteItOut},
       {"its vectors have three lanes, and the program stores such a vector, "
        "or a structure, whole to memory that others see, with a fourth lane "
        "that may be any",
        keepsPadding, "store it by vstore3, or lane by lane"},
       {"the array's name, a macro that may stand for it, or an #include "
        "stands "
        "where this build does not see the array",
        everyNameIsSeen, "give the array a name of its own, outside of #if"},
       {"the array's type, or the name of its lane's type, may be another one "
        "with other build options",
        typeIsStable, "define it once, without #if, in the file"}},
      alternatives,
      /*Phase=*/0,
      HoldsByStatement,
      maySplit};
  return R;
}

} // namespace clrewrite::rewrite::split_array
