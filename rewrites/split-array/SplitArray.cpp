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
#include "ElementUses.h"
#include "frontend/RawTokens.h"
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/Lanes.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/text/Text.h"
#include "rewrite/text/Unify.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>
#include <set>

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// \p D is a private array of vectors.
const VarDecl *vectorsIn(const Decl *D) {
  const auto *V = dyn_cast<VarDecl>(D);
  return V && isPrivate(V) &&
                 isa<ConstantArrayType>(
                     V->getType().getCanonicalType().getTypePtr()) &&
                 variableLanes(V->getType())
             ? V
             : nullptr;
}

bool declaresVectors(const DeclStmt &D, ASTContext &) {
  return any_of(D.decls(), vectorsIn);
}

const DeclStmt &declarationOf(const Site &S) { return *S.get<DeclStmt>(); }

/// One array of the declaration.
struct Split {
  const VarDecl *Array = nullptr;
  ElementUses Uses;
};

std::vector<Split> splitsOf(const Site &S) {
  std::vector<Split> Out;
  for (const Decl *D : declarationOf(S).decls())
    if (const VarDecl *V = vectorsIn(D))
      Out.push_back({V, elementUsesOf(V, S.Function, S.Context)});
  return Out;
}

const std::vector<Split> &splits(const Site &S) { return S.once<splitsOf>(); }

std::vector<ElementUse> elementsOf(const Site &S) {
  std::vector<ElementUse> Out;
  for (const Split &Each : splits(S))
    append_range(Out, Each.Uses.Elements);
  return Out;
}

/// The calls that are given an array, each once.
std::vector<const CallExpr *> callsOf(const Site &S) {
  std::vector<const CallExpr *> Out;
  for (const Split &Each : splits(S))
    for (const ArrayCall &C : Each.Uses.Calls)
      if (!is_contained(Out, C.Call))
        Out.push_back(C.Call);
  return Out;
}

/// The statement that \p E is directly in.
const Stmt *around(const Stmt *E, ASTContext &Context) {
  DynTypedNodeList Parents = Context.getParents(*E);
  return Parents.size() == 1 ? Parents[0].get<Stmt>() : nullptr;
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
  if (Calls.size() != 1 || around(Calls.front().Call, S.Context) !=
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

// --- Conditions
// ---------------------------------------------------------------

/// An array's type as the text has it.
struct TypeText {
  SourceRange Vector;          ///< the tokens of the vector's name
  SourceRange Name;            ///< from the array's name to its last bound
  const Expr *Bound = nullptr; ///< of the outermost array
};

TypeText typeTextOf(const VarDecl *V) {
  TypeText Out;
  SourceLocation End;
  TypeLoc T = V->getTypeSourceInfo()->getTypeLoc();
  while (auto Array = T.getAs<ArrayTypeLoc>()) {
    if (!Out.Bound)
      Out.Bound = Array.getSizeExpr();
    End = Array.getRBracketLoc();
    T = Array.getElementLoc();
  }
  if (laneCount(T.getType()) && Out.Bound) {
    Out.Vector = T.getUnqualifiedLoc().getSourceRange();
    Out.Name = {V->getLocation(), End};
  }
  return Out;
}

bool isDeclaredPlainly(const Site &S) {
  const DeclStmt &D = declarationOf(S);
  if (!isPlainText(D.getSourceRange(), S.Context))
    return S.brokenBy(hindranceIn(D.getSourceRange(), S.Context));
  for (const Decl *Each : D.decls()) {
    const VarDecl *V = vectorsIn(Each);
    if (!V || V->hasAttrs() || !typeTextOf(V).Bound ||
        S.Context.getBaseElementType(V->getType()).isVolatileQualified())
      return S.brokenBy({Each->getLocation(), Each->getEndLoc()});
  }
  return true;
}

bool isZero(const APValue &V) {
  switch (V.getKind()) {
  case APValue::Int:
    return V.getInt() == 0;
  case APValue::Float:
    return V.getFloat().isPosZero();
  case APValue::Vector:
    for (unsigned I = 0; I < V.getVectorLength(); ++I)
      if (!isZero(V.getVectorElt(I)))
        return false;
    return true;
  case APValue::Array:
    for (unsigned I = 0; I < V.getArrayInitializedElts(); ++I)
      if (!isZero(V.getArrayInitializedElt(I)))
        return false;
    return !V.hasArrayFiller() || isZero(V.getArrayFiller());
  default:
    return false;
  }
}

bool isZero(const VarDecl *V) {
  const APValue *Value = V->evaluateValue();
  return Value && isZero(*Value);
}

bool isSplit(const VarDecl *V, const Site &S) {
  return any_of(splits(S), [&](const Split &Each) {
    return Each.Array->getCanonicalDecl() == V;
  });
}

/// The vectors that \p V begins with, null for zeros: those that the text has.
/// None where something else stands there.
std::optional<std::vector<const Expr *>> firstVectors(const VarDecl *V,
                                                      const Site &S) {
  const auto *List = dyn_cast<InitListExpr>(V->getInit());
  const auto *Array = S.Context.getAsConstantArrayType(V->getType());
  if (!List || !laneCount(Array->getElementType()))
    return std::nullopt;
  std::vector<const Expr *> Out;
  for (const Expr *Each : List->inits()) {
    bool IsZero = isa<ImplicitValueInitExpr>(Each);
    if (!IsZero &&
        (isa<InitListExpr>(Each) ||
         !laneCount(Each->IgnoreImplicit()->getType()) || !isPure(Each) ||
         !isCopyable(Each->getSourceRange(), S.Context) ||
         mentionsAny(Each, [&](const VarDecl *N) { return isSplit(N, S); })))
      return std::nullopt;
    Out.push_back(IsZero ? nullptr : Each);
  }
  return Out;
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

/// \p E is a statement of a block, or the body of a branch or a loop.
bool isStatement(const Expr *E, ASTContext &Context) {
  const Stmt *Up = around(E, Context);
  if (!Up)
    return false;
  if (const auto *Block = dyn_cast<CompoundStmt>(Up))
    // The last statement of ({ ... }) is its value.
    return none_of(Context.getParents(*Block), [](const DynTypedNode &Outer) {
      return Outer.get<StmtExpr>();
    });
  const auto *For = dyn_cast<ForStmt>(Up);
  const auto *While = dyn_cast<WhileStmt>(Up);
  const auto *Do = dyn_cast<DoStmt>(Up);
  const auto *If = dyn_cast<IfStmt>(Up);
  return (For && For->getBody() == E) || (While && While->getBody() == E) ||
         (Do && Do->getBody() == E) ||
         (If && (If->getThen() == E || If->getElse() == E));
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

/// From a statement to the semicolon that ends it; empty where that is not
/// found.
Edit withSemicolon(const Expr *E, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  Edit Whole = replacement(E->getSourceRange(), "", Context, true);
  StringRef File = SM.getBufferData(SM.getMainFileID());
  return Whole.Length && File[Whole.end() - 1] == ';' ? Whole : Edit{};
}

bool isText(const Site &S) {
  auto isPlain = [&](const Expr *E) {
    SourceRange R = E->getSourceRange();
    return isPlainText(R, S.Context) || S.brokenBy(hindranceIn(R, S.Context));
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

/// The array's name stands in the function only where this build sees the
/// array.
bool everyNameIsSeen(const Site &S) {
  const SourceManager &SM = S.Context.getSourceManager();
  StringRef File = SM.getBufferData(SM.getMainFileID());
  for (const Split &Each : splits(S)) {
    SourceLocation Start = Each.Array->getLocation();
    unsigned Begin = SM.getFileOffset(Start),
             End = SM.getFileOffset(SM.getExpansionLoc(S.Function.getEndLoc()));
    std::set<size_t> Known{0};
    for (const DeclRefExpr *Name : namesOf(Each.Array, S.Function.getBody()))
      Known.insert(SM.getFileOffset(Name->getLocation()) - Begin);
    SourceRange Unseen;
    frontend::eachRawToken(File.slice(Begin, End),
                           [&](tok::TokenKind, size_t At, StringRef Word) {
                             if (Word == Each.Array->getName() &&
                                 !Known.count(At) && Unseen.isInvalid())
                               Unseen = Start.getLocWithOffset(int(At));
                           });
    if (Unseen.isValid())
      return S.brokenBy(Unseen);
  }
  return true;
}

/// The vector that an element is.
QualType vectorOf(const Site &S) {
  return S.Context.getBaseElementType(splits(S).front().Array->getType())
      .getUnqualifiedType();
}

QualType laneOf(QualType Vector) {
  return Vector->castAs<clang::VectorType>()->getElementType();
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

/// Assignments of vectors of three lanes, and of structures, which may hold
/// some, to memory that others see.
class PaddedStores : public DynamicRecursiveASTVisitor {
public:
  const Expr *First = nullptr;
  bool VisitBinaryOperator(BinaryOperator *B) override {
    QualType T = B->getLHS()->getType();
    if (B->isAssignmentOp() && !First &&
        (laneCount(T) == 3 || T->isRecordType()) && !isOwn(B->getLHS()))
      First = B;
    return !First;
  }

private:
  /// Part of a private variable, or reached by a pointer to private memory.
  static bool isOwn(const Expr *LHS) {
    return storageOf(LHS).isPrivate() ||
           LHS->getType().getAddressSpace() == LangAS::opencl_private;
  }
};

/// The fourth lane that a vector of three has in memory would be another one.
/// It may be any, but a host would see the difference.
bool keepsPadding(const Site &S) {
  if (laneCount(vectorOf(S)) != 3)
    return true;
  PaddedStores Stores;
  Stores.TraverseDecl(S.Context.getTranslationUnitDecl());
  return !Stores.First || S.brokenBy(Stores.First);
}

// --- Alternatives
// -------------------------------------------------------------

/// ".x", or ".s0" of a vector with more than four lanes.
std::string member(unsigned Lane, size_t Of) {
  return Of > 4 ? std::string(".s") + hexdigit(Lane, /*LowerCase=*/true)
                : std::string(".") + "xyzw"[Lane];
}

/// Writes one alternative.
class Writer {
public:
  /// \p Rows: an array has a row for each vector; else there is an array for
  /// each lane.
  Writer(const Site &S, bool Rows)
      : S(S), Vector(vectorOf(S)), Lanes(laneCount(Vector)), Rows(Rows),
        Fresh(S.Context) {}

  Alternative write() {
    Alternative Out;
    Out.Label = Rows ? "rows" : "lanes";
    Changes.push_back(replacement(typeTextOf(splits(S).front().Array).Vector,
                                  spelledType(laneOf(Vector), S.Context),
                                  S.Context));
    for (const Split &Each : splits(S)) {
      Array = Each.Array;
      declare();
      for (const ElementUse &U : Each.Uses.Elements)
        if (U.Kind == ElementUse::Store)
          store(U);
        else
          Changes.push_back(
              replacement(U.Whole->getSourceRange(), value(U), S.Context));
    }
    for (const CallExpr *Call : callsOf(S))
      call(Call);
    Out.Changes = std::move(Changes);
    return Out;
  }

private:
  const Site &S;
  QualType Vector;
  unsigned Lanes;
  bool Rows;
  FreshNames Fresh;
  /// The new arrays of each old one.
  std::map<const VarDecl *, std::vector<std::string>> Names;
  const VarDecl *Array = nullptr; ///< that is written about
  Edits Changes;

  /// The name of the vector of \p Count lanes.
  std::string vector(size_t Count) const {
    QualType T = Count == Lanes ? Vector
                                : S.Context.getExtVectorType(laneOf(Vector),
                                                             unsigned(Count));
    return spelledType(T, S.Context);
  }
  std::string name() const { return Array->getNameAsString(); }
  StringRef file() const {
    const SourceManager &SM = S.Context.getSourceManager();
    return SM.getBufferData(SM.getMainFileID());
  }
  std::string indentOf(const Stmt *E) const {
    return "\n" + indentation(E->getBeginLoc(), S.Context);
  }

  void declare() {
    TypeText T = typeTextOf(Array);
    std::string Bounds =
        text(T.Name, S.Context)->drop_front(name().size()).str();
    std::vector<std::string> New;
    for (unsigned Lane = 0; Lane < Lanes && !Rows; ++Lane) {
      Names[Array].push_back(
          Fresh.named(name() + "_" + member(Lane, Lanes).substr(1)));
      New.push_back(Names[Array].back() + Bounds + firstValues(Lane));
    }
    if (Rows)
      New.push_back(name() + Bounds + "[" + utostr(Lanes) + "]" +
                    firstValues(std::nullopt));
    SourceRange Old = T.Name;
    if (Array->getInit())
      Old.setEnd(Array->getInit()->getEndLoc());
    Changes.push_back(replacement(Old, join(New, ", "), S.Context));
  }

  /// What the new array of \p Lane, or of rows, begins with, as " = {...}".
  std::string firstValues(std::optional<unsigned> Lane) const {
    if (!Array->getInit() || isZero(Array))
      return Array->getInit() ? " = {0}" : "";
    std::vector<const Expr *> Vectors = *firstVectors(Array, S);
    std::vector<std::string> Elements;
    for (const Expr *Each : Vectors) {
      std::vector<std::string> Values(Lanes, "0");
      for (unsigned I = 0; I < Lanes && Each; ++I)
        Values[I] = spelledOperand(Each, S.Context) + member(I, Lanes);
      Elements.push_back(Lane ? Values[*Lane] : "{" + join(Values, ", ") + "}");
    }
    return " = {" + join(Elements, ", ") + "}";
  }

  /// One lane of the element that \p Index says, "[i]".
  std::string lane(const std::string &Index, unsigned Lane) const {
    return Rows ? name() + Index + "[" + utostr(Lane) + "]"
                : Names.at(Array)[Lane] + Index;
  }
  std::string indexOf(const ElementUse &U) const {
    std::string Out;
    for (const Expr *Index : U.Indices)
      Out += "[" + spelled(Index, S.Context) + "]";
    return Out;
  }

  /// Lanes of an element as a vector.
  std::string literal(const std::string &Index, ArrayRef<unsigned> Of) const {
    std::vector<std::string> Parts;
    for (unsigned Lane : Of)
      Parts.push_back(lane(Index, Lane));
    return "(" + vector(Of.size()) + ")(" + join(Parts, ", ") + ")";
  }
  std::string value(const ElementUse &U) const {
    return U.Kind == ElementUse::Lane ? lane(indexOf(U), U.Lanes.front())
                                      : literal(indexOf(U), U.Lanes);
  }

  /// What the lanes of \p E are called where that needs no new variable: those
  /// of a variable, or a number for all. Empty elsewhere.
  std::vector<std::string> lanesOf(const Expr *E, size_t Count) const {
    E = E->IgnoreParenImpCasts();
    std::vector<std::string> Out;
    if (!isPlainText(E->getSourceRange(), S.Context))
      return Out;
    const VarDecl *V = namedVariable(E);
    if (V && isPrivate(V) && !V->getType().isVolatileQualified() &&
        laneCount(V->getType()) == Count && hasStableType(*V, S.Context))
      for (unsigned I = 0; I < Count; ++I)
        Out.push_back(V->getNameAsString() + member(I, Count));
    // (float3)(0.0f)
    if (const auto *Cast = dyn_cast<CStyleCastExpr>(E);
        Cast && Cast->getCastKind() == CK_VectorSplat)
      E = Cast->getSubExpr()->IgnoreParenImpCasts();
    if (isNumber(E) && isPlainText(E->getSourceRange(), S.Context))
      Out.assign(Count, spelled(E, S.Context));
    return Out;
  }

  /// For scalars an assignment of a variable, or of a number, gives what it
  /// gives for lanes of vectors. Sums of integers may be promoted to int, or be
  /// undefined where they overflow, and those of numbers may be of doubles. No
  /// compiler contracts a sum with what a variable was computed by.
  bool isSameForScalars(const BinaryOperator &B) const {
    bool IsSum = B.getOpcode() == BO_AddAssign || B.getOpcode() == BO_SubAssign;
    return B.getOpcode() == BO_Assign ||
           (IsSum && namedVariable(B.getRHS()) &&
            laneOf(Vector)->isRealFloatingType() &&
            !laneOf(Vector)->isHalfType());
  }

  /// Where braces that hold what \p E becomes open: behind the head of the
  /// branch or loop that it is the body of, if only blanks stand between.
  struct Opening {
    unsigned Offset;
    std::string Brace, Indent;
  };
  Opening openingOf(const Expr *E) const {
    const SourceManager &SM = S.Context.getSourceManager();
    const Stmt *Up = around(E, S.Context);
    SourceLocation Head;
    if (const auto *For = dyn_cast<ForStmt>(Up))
      Head = For->getRParenLoc();
    else if (const auto *While = dyn_cast<WhileStmt>(Up))
      Head = While->getRParenLoc();
    else if (const auto *If = dyn_cast<IfStmt>(Up))
      Head = If->getThen() == E ? If->getRParenLoc() : If->getElseLoc();
    unsigned Begin = SM.getFileOffset(E->getBeginLoc());
    if (Head.isFileID()) {
      SourceLocation End =
          Lexer::getLocForEndOfToken(Head, 0, SM, S.Context.getLangOpts());
      if (file().slice(SM.getFileOffset(End), Begin).trim().empty())
        return {SM.getFileOffset(End), " {", indentOf(Up)};
    }
    return {Begin, "{", indentOf(E)};
  }

  void store(const ElementUse &U) {
    const BinaryOperator *B = U.Assignment;
    std::vector<std::string> Values;
    if (isSameForScalars(*B))
      Values = lanesOf(B->getRHS(), U.Lanes.size());
    bool IsSimple = !Values.empty(),
         Braces = !IsSimple || !isa<CompoundStmt>(around(B, S.Context));
    Opening At = openingOf(B);
    std::string Line = At.Indent + (Braces ? "  " : ""),
                Open = Braces ? At.Brace + Line : "",
                Close = Braces ? At.Indent + "}" : "", Name;
    if (!IsSimple) {
      Name = Fresh.named(name() + "_new");
      for (unsigned I = 0; I < U.Lanes.size(); ++I)
        Values.push_back(Name + member(I, U.Lanes.size()));
    }
    std::string Index = indexOf(U);
    std::vector<std::string> Stores;
    for (size_t I = 0; I < Values.size(); ++I)
      Stores.push_back(lane(Index, U.Lanes[I]) + " " +
                       (IsSimple ? B->getOpcodeStr().str() : "=") + " " +
                       Values[I] + ";");
    Edit Whole = withSemicolon(B, S.Context);
    unsigned From = Braces ? At.Offset : Whole.Offset;
    if (IsSimple) {
      Changes.push_back(Edit{
          From, Whole.end() - From,
          Open +
              commentsIn(B->getSourceRange(), {}, Line.substr(1), S.Context) +
              join(Stores, Line) + Close});
      return;
    }
    // `a[i] = v;` becomes `const float3 a_new = v;`, and `a[i] *= v;` becomes
    // `const float3 a_new = (float3)(a_x[i], ...) * v;`.
    std::string Declared =
                    Open + "const " + vector(U.Lanes.size()) + " " + Name,
                After;
    if (B->isCompoundAssignmentOp()) {
      Declared += " = " + literal(Index, U.Lanes);
      bool Loose = spelledOperand(B->getRHS(), S.Context) !=
                   spelled(B->getRHS(), S.Context);
      StringRef Op = BinaryOperator::getOpcodeStr(
          BinaryOperator::getOpForCompoundAssignment(B->getOpcode()));
      Edit Operator = replacement(B->getOperatorLoc(), Op.str(), S.Context);
      if (Loose) {
        Operator.Text += " (";
        Operator.Length += file()[Operator.end()] == ' ';
      }
      Changes.push_back(std::move(Operator));
      After = Loose ? ")" : "";
    }
    Edit Target = replacement(U.Whole->getSourceRange(), "", S.Context);
    Changes.push_back(Edit{From, Target.end() - From, Declared});
    Changes.push_back(Edit{Whole.end() - 1, 1,
                           After + ";" + Line + join(Stores, Line) + Close});
  }

  /// The head of a loop over the elements of the array.
  std::string loop(const std::string &Counter) const {
    return "for (int " + Counter + " = 0; " + Counter + " < " + bound() +
           "; ++" + Counter + ")";
  }
  std::string bound() const {
    return spelled(typeTextOf(Array).Bound, S.Context);
  }

  /// The array as one of vectors, \p Copy.
  std::string copied(const std::string &Copy, const std::string &Counter,
                     const std::string &Line) const {
    std::vector<unsigned> All(Lanes);
    std::iota(All.begin(), All.end(), 0);
    std::string Index = "[" + Counter + "]";
    return Line + vector(Lanes) + " " + Copy + "[" + bound() + "];" + Line +
           loop(Counter) + Line + "  " + Copy + Index + " = " +
           literal(Index, All) + ";";
  }

  /// The array takes the values of \p Copy.
  std::string readBack(const std::string &Copy, const std::string &Counter,
                       const std::string &Line) const {
    std::string Index = "[" + Counter + "]", Out = Line + loop(Counter) + " {";
    for (unsigned Lane = 0; Lane < Lanes; ++Lane) {
      Out += Line;
      Out += "  " + lane(Index, Lane) + " = ";
      Out += Copy;
      Out += Index;
      Out += member(Lane, Lanes) + ";";
    }
    return Out + Line + "}";
  }

  /// Has the call take copies of the arrays that it is given.
  void call(const CallExpr *Call) {
    Opening At = openingOf(Call);
    std::string Counter = Fresh.named("element"), Line = At.Indent + "  ",
                Before, Behind;
    for (const Split &Each : splits(S)) {
      Array = Each.Array;
      std::string Copy;
      bool ReadsOnly = true;
      for (const ArrayCall &C : Each.Uses.Calls) {
        if (C.Call != Call)
          continue;
        if (Copy.empty())
          Copy = Fresh.named(name() + "_copy");
        ReadsOnly &= C.ReadsOnly;
        Changes.push_back(
            replacement(C.Name->getSourceRange(), Copy, S.Context));
      }
      if (Copy.empty())
        continue;
      Before += copied(Copy, Counter, Line);
      Behind += ReadsOnly ? "" : readBack(Copy, Counter, Line);
    }
    Edit Whole = withSemicolon(Call, S.Context);
    Changes.push_back(
        Edit{At.Offset, Whole.Offset - At.Offset, At.Brace + Before + Line});
    Changes.push_back(Edit{Whole.end(), 0, Behind + At.Indent + "}"});
  }
};

std::vector<Alternative> alternatives(const Site &S) {
  return {Writer(S, /*Rows=*/false).write(), Writer(S, /*Rows=*/true).write()};
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
        "this "
        "file that does so",
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
       {"the array's name stands where this build has no code, or means "
        "something else",
        everyNameIsSeen, "give the array a name of its own, outside of #if"},
       {"the array's type, or the name of its lane's type, may be another one "
        "with other build options",
        typeIsStable, "define it once, without #if, in the file"}},
      alternatives,
      /*Phase=*/0,
      /*AmdOnly=*/false,
      /*Separable=*/false,
      maySplit,
      /*Hints=*/{},
      /*MayShelter=*/false,
      /*ChecksTypes=*/true};
  return R;
}

} // namespace clrewrite::rewrite
