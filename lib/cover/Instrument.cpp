// Stores at the heads of branches, inserted by Clang's AST.
#include "cover/Instrument.h"
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/text/Text.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;
using clang::ASTContext;
using clang::CallExpr;
using clang::Expr;
using clang::FunctionDecl;
using clang::Lexer;
using clang::SourceLocation;
using clang::Stmt;

namespace clrewrite::cover {
namespace {

/// What is inserted at one place, in this order.
enum class Part { Close, Argument, Follow, Open };

/// The places of tokens in the main file, as offsets. None for what a macro's
/// body or another file holds.
class Places {
  const ASTContext &Context;
  const clang::SourceManager &SM;

public:
  explicit Places(const ASTContext &C) : Context(C), SM(C.getSourceManager()) {}

  StringRef text() const { return SM.getBufferData(SM.getMainFileID()); }

  /// Before the token at \p L, which may be the first one of what a macro
  /// expands to.
  std::optional<unsigned> before(SourceLocation L) const {
    SourceLocation Start = L;
    if (L.isMacroID() &&
        !Lexer::isAtStartOfMacroExpansion(L, SM, Context.getLangOpts(), &Start))
      return std::nullopt;
    return offset(Start);
  }

  /// Behind the token at \p L, which may be the last one of that.
  std::optional<unsigned> behind(SourceLocation L) const {
    SourceLocation Last = L;
    if (L.isMacroID() &&
        !Lexer::isAtEndOfMacroExpansion(L, SM, Context.getLangOpts(), &Last))
      return std::nullopt;
    return offset(
        Lexer::getLocForEndOfToken(Last, 0, SM, Context.getLangOpts()));
  }

  /// Behind the semicolon that follows the token at \p L.
  std::optional<unsigned> behindSemicolon(SourceLocation L) const {
    return offset(Lexer::findLocationAfterToken(L, clang::tok::semi, SM,
                                                Context.getLangOpts(), false));
  }

  /// Where the token at \p L is written, perhaps in a macro's argument.
  std::optional<unsigned> written(SourceLocation L) const {
    while (L.isMacroID() && SM.isMacroArgExpansion(L))
      L = SM.getImmediateSpellingLoc(L);
    return offset(L);
  }

  bool beginsLine(unsigned Offset) const {
    StringRef Before = text().take_front(Offset).rtrim(" \t");
    return Before.empty() || Before.back() == '\n';
  }

  /// The line of \p L for the user.
  unsigned line(SourceLocation L) const {
    return SM.getPresumedLineNumber(SM.getExpansionLoc(L));
  }

  std::optional<unsigned> offset(SourceLocation L) const {
    if (L.isInvalid() || L.isMacroID() || !SM.isWrittenInMainFile(L))
      return std::nullopt;
    return SM.getFileOffset(L);
  }
};

/// The statement that \p S ends with, within a switch, a label's statement or
/// one with attributes, too.
const Stmt *lastOf(const Stmt *S) {
  while (const Stmt *Part = rewrite::lastPart(S))
    S = Part;
  return S;
}

bool isLabel(const Stmt *S) {
  return isa<clang::SwitchCase, clang::LabelStmt>(S);
}

const Stmt *labelled(const Stmt *S) {
  while (isLabel(S))
    S = rewrite::lastPart(S);
  return S;
}

/// The calls in a file of functions with bodies.
class Calls : public clang::DynamicRecursiveASTVisitor {
public:
  /// The function that is called, and the one in whose body the call stands.
  struct Ends {
    const FunctionDecl *Callee, *Caller;
  };
  MapVector<const CallExpr *, Ends> List;

  bool TraverseFunctionDecl(FunctionDecl *F) override {
    if (!F->doesThisDeclarationHaveABody())
      return true;
    Within = F;
    return clang::DynamicRecursiveASTVisitor::TraverseFunctionDecl(F);
  }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    const FunctionDecl *Defined = Callee ? Callee->getDefinition() : nullptr;
    if (Defined)
      List[Call] = {Defined, Within};
    return true;
  }

  /// \p F and what it calls, in turn.
  SmallSetVector<const FunctionDecl *, 8>
  reachedFrom(const FunctionDecl &F) const {
    SmallSetVector<const FunctionDecl *, 8> Out;
    Out.insert(&F);
    for (size_t I = 0; I < Out.size(); ++I)
      for (const auto &[Call, Of] : List)
        if (Of.Caller == Out[I])
          Out.insert(Of.Callee);
    return Out;
  }

private:
  const FunctionDecl *Within = nullptr;
};

class Instrumenter {
  const ASTContext &Context;
  Places At;
  std::string Name;
  verify::Instrumented Out;
  std::map<std::pair<unsigned, Part>, std::string> Inserted;
  bool Open = false; // branches of the function at hand can be edited

public:
  explicit Instrumenter(const ASTContext &C)
      : Context(C), At(C), Name(rewrite::freshName("clrewrite_reached", C)) {}

  verify::Instrumented run(StringRef Kernel);

private:
  std::optional<Edit> parameterOf(const FunctionDecl &F) const;
  bool canTakeParameter(const FunctionDecl &F, const Calls &C) const;
  void insert(unsigned Offset, Part P, const Twine &Text) {
    Inserted[{Offset, P}] += Text.str();
  }
  /// A new branch: the expression that notes it.
  std::string noting(verify::Branch B) {
    Out.Branches.push_back(B);
    return Name + "[" + utostr(Out.Branches.size() - 1) + "] = 1";
  }
  verify::Branch from(const Stmt *First, const Stmt *Last,
                      unsigned LineBefore) const {
    verify::Branch B;
    B.Lines = {At.line(First->getBeginLoc()),
               At.line(lastOf(Last)->getEndLoc())};
    B.Lines.Last = std::max(B.Lines.First, B.Lines.Last);
    B.FirstInPart = B.Lines.First == LineBefore;
    return B;
  }
  std::optional<unsigned> endOf(const Stmt *S) const;

  void visit(const Stmt *S);
  void list(const clang::CompoundStmt &S);
  void label(const Stmt *Label, const Stmt *Last, unsigned LineBefore);
  bool arm(const Stmt *Body, unsigned LineBefore);
  void arm(const Expr *E, bool MayNote, unsigned LineBefore);
  void choice(const clang::AbstractConditionalOperator &E);
  void conjunction(const clang::BinaryOperator &E);
  void condition(const clang::IfStmt &S);
  void withoutElse(const clang::IfStmt &S, bool Braces);
};

/// The edit that gives \p F the parameter. None where it can't be made.
std::optional<Edit> Instrumenter::parameterOf(const FunctionDecl &F) const {
  clang::FunctionTypeLoc Type = F.getFunctionTypeLoc();
  if (!Type)
    return std::nullopt;
  auto Begin = At.offset(Type.getLParenLoc());
  auto End = At.offset(Type.getRParenLoc());
  if (!Begin || !End)
    return std::nullopt;
  std::string Parameter = "__global unsigned int *" + Name;
  if (F.getNumParams())
    return Edit{*End, 0, ", " + Parameter};
  StringRef Between = At.text().slice(*Begin + 1, *End);
  if (!Between.trim().empty() && Between.trim() != "void")
    return std::nullopt;
  return Edit{*Begin + 1, unsigned(Between.size()), Parameter};
}

bool Instrumenter::canTakeParameter(const FunctionDecl &F,
                                    const Calls &C) const {
  const auto *Body = dyn_cast_or_null<clang::CompoundStmt>(F.getBody());
  return Body && !F.isVariadic() && At.offset(Body->getLBracLoc()) &&
         all_of(F.redecls(),
                [&](const FunctionDecl *R) { return parameterOf(*R); }) &&
         all_of(C.List, [&](const auto &Each) {
           return Each.second.Callee != &F ||
                  At.written(Each.first->getRParenLoc());
         });
}

/// Behind the last token of a statement.
std::optional<unsigned> Instrumenter::endOf(const Stmt *S) const {
  S = lastOf(S);
  if (isa<clang::CompoundStmt, clang::NullStmt, clang::DeclStmt>(S))
    return At.behind(S->getEndLoc());
  return At.behindSemicolon(S->getEndLoc());
}

/// The body of an arm or of a loop, as a statement. True where it stands in
/// braces then.
bool Instrumenter::arm(const Stmt *Body, unsigned LineBefore) {
  const auto *Block = dyn_cast<clang::CompoundStmt>(Body);
  auto Brace = Block ? At.offset(Block->getLBracLoc()) : std::nullopt;
  auto Begin = At.before(Body->getBeginLoc()), End = endOf(Body);
  // A pragma is about what begins the next line.
  bool Pragma = isa<clang::AttributedStmt>(Body) ||
                (Begin && At.beginsLine(*Begin) &&
                 rewrite::standsBehindPragma(Body->getBeginLoc(), Context));
  bool Braces = !Brace && Open && Begin && End && !Pragma && !isLabel(Body);
  if (!Open || (!Brace && !Braces)) {
    ++Out.NotLookedAt;
  } else if (Brace) {
    bool Empty = Block->body_empty();
    insert(*Brace + 1, Part::Open,
           noting(from(Empty ? Body : Block->body_front(),
                       Empty ? Body : Block->body_back(), LineBefore)) +
               ";");
  } else {
    insert(*Begin, Part::Open,
           "{" + noting(from(Body, Body, LineBefore)) + ";");
  }
  visit(Body);
  if (Braces) // behind what ends with the body
    insert(*End, Part::Close, "}");
  return Brace || Braces;
}

/// What a label of \p Label's labels leads to, up to \p Last.
void Instrumenter::label(const Stmt *Label, const Stmt *Last,
                         unsigned LineBefore) {
  while (isLabel(Label)) {
    const auto *Case = dyn_cast<clang::SwitchCase>(Label);
    const Stmt *Sub =
        Case ? Case->getSubStmt() : cast<clang::LabelStmt>(Label)->getSubStmt();
    // The colon of another label is found behind its name.
    SourceLocation Colon =
        Case ? Case->getColonLoc()
             : Lexer::findLocationAfterToken(
                   cast<clang::LabelStmt>(Label)->getIdentLoc(),
                   clang::tok::colon, Context.getSourceManager(),
                   Context.getLangOpts(), false);
    auto Place = At.offset(Colon);
    if (!Open || !Place)
      ++Out.NotLookedAt;
    else
      insert(Case ? *Place + 1 : *Place, Part::Open,
             noting(from(Label, Last, LineBefore)) + ";");
    Label = Sub;
  }
}

/// The statements of a block.
void Instrumenter::list(const clang::CompoundStmt &S) {
  SmallVector<const Stmt *> All(S.body());
  unsigned LineBefore = At.line(S.getLBracLoc());
  for (size_t I = 0; I < All.size(); ++I) {
    size_t End = I + 1; // of what only a label parts
    while (End < All.size() && !isLabel(All[End]))
      ++End;
    label(All[I], All[End - 1], LineBefore);
    const Stmt *Inner = labelled(All[I]);
    visit(Inner);
    LineBefore = At.line(lastOf(Inner)->getEndLoc());
    bool Parts =
        isa<clang::IfStmt, clang::SwitchStmt, clang::ForStmt, clang::WhileStmt,
            clang::DoStmt, clang::CompoundStmt, clang::AttributedStmt>(Inner);
    if (!Parts || I + 1 == End || !rewrite::mayEndTurn(Inner))
      continue;
    auto Behind = endOf(Inner);
    if (!Open || !Behind)
      ++Out.NotLookedAt;
    else
      insert(*Behind, Part::Follow,
             noting(from(All[I + 1], All[End - 1], LineBefore)) + ";");
  }
}

/// Whether \p E holds, where it is a constant of this build without effects.
std::optional<bool> constant(const Expr *E, const ASTContext &Context) {
  bool Value = false;
  if (!E->EvaluateAsBooleanCondition(Value, Context) ||
      E->HasSideEffects(Context))
    return std::nullopt;
  return Value;
}

/// An arm for where the condition is false, behind the other one, which stands
/// in braces or not. Where that one leaves, what follows is this arm.
void Instrumenter::withoutElse(const clang::IfStmt &S, bool Braces) {
  const auto *Block = dyn_cast<clang::CompoundStmt>(S.getThen());
  const Stmt *Last =
      Block && !Block->body_empty() ? Block->body_back() : S.getThen();
  if (isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt,
          clang::GotoStmt>(Last))
    return;
  auto End = endOf(S.getThen());
  verify::Branch B;
  B.Lines = {At.line(S.getCond()->getBeginLoc()),
             At.line(S.getCond()->getEndLoc())};
  B.Lines.Last = std::max(B.Lines.First, B.Lines.Last);
  B.IsFalse = true;
  if (!Open || !End || !Braces) // which keep the new `else` to its `if`
    ++Out.NotLookedAt;
  else
    insert(*End, Part::Close, " else {" + noting(B) + ";}");
}

void Instrumenter::condition(const clang::IfStmt &S) {
  visit(S.getCond());
  std::optional<bool> Known = constant(S.getCond(), Context);
  bool Braces = false;
  if (Known != false)
    Braces = arm(S.getThen(), At.line(S.getRParenLoc()));
  if (Known == true || (!S.getElse() && Known == false))
    return;
  if (!S.getElse())
    return withoutElse(S, Braces);
  const Stmt *Then = S.getThen();
  const auto *Block = dyn_cast<clang::CompoundStmt>(Then);
  const Stmt *Last = Block && !Block->body_empty() ? Block->body_back() : Then;
  arm(S.getElse(), At.line(lastOf(Last)->getEndLoc()));
}

void Instrumenter::arm(const Expr *E, bool MayNote, unsigned LineBefore) {
  auto Begin = At.before(E->getBeginLoc()), End = At.behind(E->getEndLoc());
  if (!Open || !MayNote || !Begin || !End) {
    ++Out.NotLookedAt;
  } else {
    insert(*Begin, Part::Open, "(" + noting(from(E, E, LineBefore)) + ", ");
    insert(*End, Part::Close, ")");
  }
  visit(E);
}

/// What \p E is before it is converted to what its context wants.
clang::QualType typeOf(const Expr *E) {
  return E->IgnoreParenImpCasts()
      ->getType()
      .getCanonicalType()
      .getUnqualifiedType();
}

void Instrumenter::choice(const clang::AbstractConditionalOperator &E) {
  visit(E.getCond());
  if (!E.getCond()->getType()->isScalarType()) { // both arms, lane by lane
    visit(E.getTrueExpr());
    visit(E.getFalseExpr());
    return;
  }
  if (isa<clang::BinaryConditionalOperator>(E)) { // a ?: b
    Out.NotLookedAt += 2;
    return;
  }
  std::optional<bool> Known = constant(E.getCond(), Context);
  clang::QualType Type = typeOf(E.getTrueExpr());
  // A literal is converted otherwise than a value.
  bool MayNote =
      Type == typeOf(E.getFalseExpr()) &&
      (Type->isArithmeticType() || Type->isVectorType() || Type->isVoidType());
  if (Known != false)
    arm(E.getTrueExpr(), MayNote, At.line(E.getCond()->getEndLoc()));
  if (Known != true)
    arm(E.getFalseExpr(), MayNote, At.line(E.getTrueExpr()->getEndLoc()));
}

void Instrumenter::conjunction(const clang::BinaryOperator &E) {
  visit(E.getLHS());
  std::optional<bool> Known = constant(E.getLHS(), Context);
  if (!E.getType()->isScalarType()) // lane by lane
    return visit(E.getRHS());
  if (Known != (E.getOpcode() == clang::BO_LOr)) // else it is never asked
    arm(E.getRHS(), E.getRHS()->getType()->isScalarType(),
        At.line(E.getLHS()->getEndLoc()));
}

void Instrumenter::visit(const Stmt *S) {
  if (!S)
    return;
  if (const auto *Block = dyn_cast<clang::CompoundStmt>(S))
    return list(*Block);
  if (const auto *If = dyn_cast<clang::IfStmt>(S))
    return condition(*If);
  if (const auto *E = dyn_cast<clang::AbstractConditionalOperator>(S))
    return choice(*E);
  if (const auto *B = dyn_cast<clang::BinaryOperator>(S); B && B->isLogicalOp())
    return conjunction(*B);
  if (isa<clang::UnaryExprOrTypeTraitExpr, clang::BlockExpr>(S))
    return;
  if (const auto *For = dyn_cast<clang::ForStmt>(S)) {
    for (const Stmt *Head : {For->getInit(), (const Stmt *)For->getCond(),
                             (const Stmt *)For->getInc()})
      visit(Head);
    arm(For->getBody(), At.line(For->getRParenLoc()));
    return;
  }
  if (const auto *While = dyn_cast<clang::WhileStmt>(S)) {
    visit(While->getCond());
    arm(While->getBody(), At.line(While->getRParenLoc()));
    return;
  }
  if (const auto *Do = dyn_cast<clang::DoStmt>(S)) {
    arm(Do->getBody(), At.line(Do->getDoLoc()));
    return visit(Do->getCond());
  }
  if (isLabel(S)) { // in no block: nothing can stand behind its colon
    ++Out.NotLookedAt;
    return visit(labelled(S));
  }
  if (const auto *D = dyn_cast<clang::DeclStmt>(S)) {
    for (const clang::Decl *Each : D->decls())
      if (const auto *V = dyn_cast<clang::VarDecl>(Each))
        if (!V->isStaticLocal() &&
            V->getType().getAddressSpace() != clang::LangAS::opencl_constant)
          visit(V->getInit());
    return;
  }
  for (const Stmt *Child : S->children())
    visit(Child);
}

verify::Instrumented Instrumenter::run(StringRef Kernel) {
  auto problem = [](const Twine &Why) {
    verify::Instrumented None;
    None.Problem = Why.str();
    return None;
  };
  const FunctionDecl *K = nullptr;
  for (const clang::Decl *D : Context.getTranslationUnitDecl()->decls())
    if (const auto *F = dyn_cast<FunctionDecl>(D))
      if (F->doesThisDeclarationHaveABody() && F->getName() == Kernel)
        K = F;
  if (!K)
    return problem("no kernel of that name is seen");
  Calls All;
  All.TraverseDecl(Context.getTranslationUnitDecl());
  SmallSetVector<const FunctionDecl *, 8> Reached = All.reachedFrom(*K), Edited;
  for (const FunctionDecl *F : Reached)
    if (canTakeParameter(*F, All))
      Edited.insert(F);
  // Who has no buffer can't hand it on.
  auto calledWithout = [&](const FunctionDecl *F) {
    return any_of(All.List, [&](const auto &Each) {
      const auto &[Callee, Caller] = Each.second;
      return Callee == F && Reached.contains(Caller) &&
             !Edited.contains(Caller);
    });
  };
  while (Edited.remove_if(calledWithout))
    ;
  if (!Edited.contains(K))
    return problem(
        "the kernel's head or body comes from a macro or an included "
        "file");
  if (any_of(All.List,
             [&](const auto &Each) { return Each.second.Callee == K; }))
    return problem("a function calls the kernel");
  for (const FunctionDecl *F : Reached) {
    Open = Edited.contains(F);
    if (Open && F != K)
      arm(F->getBody(), 0);
    else
      visit(F->getBody());
  }
  Edits Parameters;
  for (const FunctionDecl *R : K->redecls())
    Parameters.push_back(*parameterOf(*R));
  Edits Changes = Parameters;
  for (const FunctionDecl *F : Edited)
    if (F != K)
      for (const FunctionDecl *R : F->redecls())
        Changes.push_back(*parameterOf(*R));
  // Written once, an argument of a macro may stand in several places.
  std::map<unsigned, std::string> Given;
  for (const auto &[Call, Of] : All.List) {
    if (!Edited.contains(Of.Callee))
      continue;
    unsigned Place = *At.written(Call->getRParenLoc());
    // Functions that the kernel does not reach don't run.
    std::string Argument = (Call->getNumArgs() ? ", " : "") +
                           (Edited.contains(Of.Caller) ? Name : "0");
    auto [It, IsNew] = Given.insert({Place, Argument});
    if (IsNew)
      insert(Place, Part::Argument, Argument);
    else if (It->second != Argument)
      return problem("a macro's argument is a call, in several functions");
  }
  std::map<unsigned, std::string> Joined;
  for (const auto &[Where, Text] : Inserted)
    Joined[Where.first] += Text;
  for (const auto &[Offset, Text] : Joined)
    Changes.push_back({Offset, 0, Text});
  Expected<std::string> Text = applyEdits(At.text(), Changes);
  if (!Text)
    return problem(toString(Text.takeError()));
  Out.Text = std::move(*Text);
  Out.Plain = cantFail(applyEdits(At.text(), Parameters));
  return std::move(Out);
}

} // namespace

verify::Instrumented instrument(ASTContext &Context, StringRef Kernel) {
  return Instrumenter(Context).run(Kernel);
}

} // namespace clrewrite::cover
