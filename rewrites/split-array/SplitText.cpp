// What split-array writes. All edits are of whole declarations, uses and
// statements, so that comments and code between them stay.
#include "Splits.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Lanes.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/text/FreshLocal.h"
#include "rewrite/text/Text.h"
#include "rewrite/text/Unify.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::split_array {
namespace {

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
        Fresh(S) {}

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
  std::string step(const Expr *E) const { return indentUnit(*E, S.Context); }
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
      if (fileText(S.Context)
              .slice(SM.getFileOffset(End), Begin)
              .trim()
              .empty())
        return {SM.getFileOffset(End), " {", indentOf(Up)};
    }
    return {Begin, "{", indentOf(E)};
  }

  void store(const ElementUse &U) {
    const BinaryOperator *B = U.Assignment;
    std::vector<std::string> Values;
    if (isSameForScalars(*B))
      Values = lanesOf(B->getRHS(), U.Lanes.size());
    const auto *Block = dyn_cast<CompoundStmt>(around(B, S.Context));
    bool IsSimple = !Values.empty(),
         Braces = !IsSimple || !Block ||
                  beforeStatement(B, *Block, S.Context).isValid();
    Opening At = openingOf(B);
    std::string Line = At.Indent + (Braces ? step(B) : ""),
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
        Operator.Length += fileText(S.Context)[Operator.end()] == ' ';
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
  /// The bound's names may mean something else at a call.
  std::string bound() const {
    const Expr *Bound = typeTextOf(Array).Bound;
    std::string New = Rows ? name() : Names.at(Array).front();
    return isOfNumbers(Bound) && macrosAreStable(Bound, S.Context)
               ? spelled(Bound, S.Context)
               : "sizeof(" + New + ") / sizeof(" + New + "[0])";
  }

  /// The array as one of vectors, \p Copy.
  std::string copied(const std::string &Copy, const std::string &Counter,
                     const std::string &Line, const std::string &Deep) const {
    std::vector<unsigned> All(Lanes);
    std::iota(All.begin(), All.end(), 0);
    std::string Index = "[" + Counter + "]";
    return Line + vector(Lanes) + " " + Copy + "[" + bound() + "];" + Line +
           loop(Counter) + Deep + Copy + Index + " = " + literal(Index, All) +
           ";";
  }

  /// The array takes the values of \p Copy.
  std::string readBack(const std::string &Copy, const std::string &Counter,
                       const std::string &Line, const std::string &Deep) const {
    std::string Index = "[" + Counter + "]", Out = Line + loop(Counter) + " {";
    for (unsigned Lane = 0; Lane < Lanes; ++Lane) {
      Out += Deep;
      Out += lane(Index, Lane) + " = ";
      Out += Copy;
      Out += Index;
      Out += member(Lane, Lanes) + ";";
    }
    return Out + Line + "}";
  }

  /// Has the call take copies of the arrays that it is given.
  void call(const CallExpr *Call) {
    Opening At = openingOf(Call);
    std::string Counter = Fresh.named("element"), Line = At.Indent + step(Call),
                Deep = Line + step(Call), Before, Behind;
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
      Before += copied(Copy, Counter, Line, Deep);
      Behind += ReadsOnly ? "" : readBack(Copy, Counter, Line, Deep);
    }
    Edit Whole = withSemicolon(Call, S.Context);
    Changes.push_back(
        Edit{At.Offset, Whole.Offset - At.Offset, At.Brace + Before + Line});
    Changes.push_back(Edit{Whole.end(), 0, Behind + At.Indent + "}"});
  }
};

} // namespace

Alternative splitText(const Site &S, bool Rows) {
  return Writer(S, Rows).write();
}

} // namespace clrewrite::rewrite::split_array
