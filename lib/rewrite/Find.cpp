// Running the rewrites' searches for sites, and tying sites to the kernels they
// serve.
#include "rewrite/Find.h"
#include "frontend/RawTokens.h"
#include "rewrite/BuildVariance.h"
#include "rewrite/ImageUse.h"
#include "rewrite/LaunchComments.h"
#include "rewrite/Rewrite.h"
#include "rewrite/TripCounts.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/ast/WorkItemUse.h"
#include "rewrite/text/Text.h"
#include "source/Shelter.h"
#include "source/Words.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;
using clang::ASTContext;
using clang::DynTypedNode;
using clang::FunctionDecl;
using clang::SourceManager;

namespace clrewrite::rewrite {

bool isDefinition(const FunctionDecl &F, ASTContext &) {
  return F.isThisDeclarationADefinition();
}

bool isKernelDefinition(const FunctionDecl &F, ASTContext &Context) {
  return isDefinition(F, Context) && F.hasAttr<clang::DeviceKernelAttr>();
}

namespace {

/// " in line 12", or " in line 12 of a.cl", for \p At; empty where that is in
/// line \p Line of the main file, or in a header. A text that was put together
/// of several has a #line before each, by which its files are told apart.
std::string placeOf(clang::SourceLocation At, unsigned Line,
                    const SourceManager &SM) {
  if (!SM.isInMainFile(At) || SM.getSpellingLineNumber(At) == Line)
    return "";
  clang::PresumedLoc Place = SM.getPresumedLoc(At);
  clang::PresumedLoc Site =
      SM.getPresumedLoc(SM.translateLineCol(SM.getMainFileID(), Line, 1));
  if (Place.isInvalid() || Site.isInvalid())
    return " in line " + std::to_string(SM.getSpellingLineNumber(At));
  return " in line " + std::to_string(Place.getLine()) +
         (StringRef(Place.getFilename()) == Site.getFilename()
              ? ""
              : std::string(" of ") + Place.getFilename());
}

/// The start of \p Code on one line and in quotes, with its line where that is
/// not \p Line; of what comes from a macro's body, the macro's name.
std::string quoted(clang::SourceRange Code, unsigned Line,
                   const ASTContext &Context) {
  constexpr size_t MostLetters = 40;
  const SourceManager &SM = Context.getSourceManager();
  if (Code.isInvalid())
    return "";
  std::string Shown, Before;
  clang::SourceLocation At = SM.getExpansionLoc(Code.getBegin());
  if (std::optional<StringRef> Text = text(Code, Context)) {
    SmallVector<StringRef> Words;
    SplitString(*Text, Words);
    Shown = join(Words, " ");
    if (Shown.size() > MostLetters)
      Shown = Shown.substr(0, Shown.rfind(' ', MostLetters)) + " ...";
  } else if (Code.getBegin().isMacroID() || Code.getEnd().isMacroID()) {
    if (!Code.getBegin().isMacroID())
      At = SM.getExpansionLoc(Code.getEnd());
    Shown = clang::Lexer::getSourceText(
                clang::CharSourceRange::getTokenRange(At, At), SM,
                Context.getLangOpts())
                .str();
    Before = "the macro ";
  }
  if (Shown.empty())
    return "";
  return ": " + Before + "'" + Shown + "'" + placeOf(At, Line, SM);
}

/// Why \p C, which does not hold, declines a site in \p Line.
std::string reasonOf(const Condition &C, const Site &S, unsigned Line) {
  return C.Sentence + quoted(S.Breaks, Line, S.Context) +
         (C.Remedy ? std::string("; ") + C.Remedy : "");
}

constexpr Condition HasNoReference{
    "the function uses a reference of C++, through which a variable may change "
    "under another name",
    nullptr, "use the variable itself, or a pointer to it"};

/// Looks for references that a function takes, declares or passes.
class ReferenceSearch : public clang::DynamicRecursiveASTVisitor {
public:
  clang::SourceRange Found;
  bool VisitVarDecl(clang::VarDecl *V) override {
    return look(V->getSourceRange(), isReference(V));
  }
  bool VisitCallExpr(clang::CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee();
    return look(Call->getSourceRange(),
                F && any_of(F->parameters(), isReference));
  }

private:
  bool look(clang::SourceRange Code, bool Is) {
    Found = Is ? Code : clang::SourceRange();
    return !Is;
  }
  static bool isReference(const clang::VarDecl *V) {
    return V->getType()->isReferenceType();
  }
};

constexpr Condition NoCaseFollows{
    "in C++ no case behind it may jump past a variable, as the edit might "
    "declare one",
    nullptr, "put the statements of the case into braces"};

/// The switch whose body is the block that \p Node stands in; invalid without.
clang::SourceRange switchAround(DynTypedNode Node, ASTContext &Context) {
  for (bool InBlock = false;;) {
    auto Parents = Context.getParents(Node);
    if (Parents.empty() || (InBlock && Parents[0].get<clang::CompoundStmt>()))
      return {};
    Node = Parents[0];
    InBlock |= Node.get<clang::CompoundStmt>() != nullptr;
    if (const auto *Switch = Node.get<clang::SwitchStmt>())
      return Switch->getSwitchLoc();
  }
}

constexpr Condition MeansTheSame{
    "the code there may mean something else with other build options: a macro "
    "is neither a number nor defined once in this file, outside of #if, or a "
    "type may be another one",
    nullptr,
    "write out what it stands for, and define types once, or say "
    "--only-these-builds where no other options are used"};

/// Which functions each function calls, over all bodies of the unit.
class CallGraph : public clang::DynamicRecursiveASTVisitor {
public:
  explicit CallGraph(const ASTContext &C) : Context(&C) {}

  bool TraverseFunctionDecl(FunctionDecl *F) override {
    const FunctionDecl *Outer = Caller;
    Caller = F->getCanonicalDecl();
    if (F->doesThisDeclarationHaveABody()) {
      Bodies.insert({Caller, F});
      Images.noteBody(F);
    }
    bool Go = clang::DynamicRecursiveASTVisitor::TraverseFunctionDecl(F);
    Caller = Outer;
    return Go;
  }
  bool VisitCallExpr(clang::CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee();
    if (!F || !Caller)
      return true;
    Calls[Caller].insert(F->getCanonicalDecl());
    if (F->getIdentifier())
      noteLaunch(F->getName(), *Call);
    Images.noteCall(*Call);
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *Use) override {
    const auto *V = dyn_cast<clang::VarDecl>(Use->getDecl());
    if (!V || !Caller || !V->hasGlobalStorage() ||
        V->getType().isConstQualified())
      return true;
    clang::LangAS Space = V->getType().getAddressSpace();
    Launches[Caller].KeepsState |= Space != clang::LangAS::opencl_constant &&
                                   Space != clang::LangAS::opencl_local;
    return true;
  }

  bool VisitExpr(clang::Expr *E) override {
    if (isa<clang::IntegerLiteral, clang::CharacterLiteral,
            clang::FloatingLiteral>(E))
      noteNumber(E);
    return true;
  }

  /// Of "x > 16 * 1024 - 1" 16383 counts too.
  bool VisitBinaryOperator(clang::BinaryOperator *O) override {
    for (const clang::Expr *Side : {O->getLHS(), O->getRHS()})
      noteNumber(Side);
    return true;
  }

  /// A table's numbers are not what anything is compared with.
  bool TraverseInitListExpr(clang::InitListExpr *Table) override {
    ++Tables;
    bool Go = clang::DynamicRecursiveASTVisitor::TraverseInitListExpr(Table);
    --Tables;
    return Go;
  }

  /// Which parts of the NDRange a function's own body looks at, and whether it
  /// uses what other launches leave in the program's variables.
  struct Launch {
    unsigned Dimensions = 0;
    bool UsesGroups = false, AsksForWhole = false, KeepsState = false;
    std::set<int64_t> Integers;
    std::set<double> Reals;
  };

  /// \p F and all that it reaches.
  std::set<const FunctionDecl *> reach(const FunctionDecl *F) const {
    std::set<const FunctionDecl *> Seen;
    std::vector<const FunctionDecl *> Todo{F->getCanonicalDecl()};
    while (!Todo.empty()) {
      const FunctionDecl *Next = Todo.back();
      Todo.pop_back();
      if (!Seen.insert(Next).second)
        continue;
      if (auto It = Calls.find(Next); It != Calls.end())
        Todo.insert(Todo.end(), It->second.begin(), It->second.end());
    }
    return Seen;
  }

  llvm::MapVector<const FunctionDecl *, const FunctionDecl *> Bodies;

  std::map<const FunctionDecl *, Launch> Launches;
  ImageUses Images;

private:
  /// Notes the value of \p E where it is a constant.
  void noteNumber(const clang::Expr *E) {
    clang::Expr::EvalResult Value;
    if (!Caller || Tables || E->isValueDependent() ||
        !E->getType()->isArithmeticType() ||
        !E->EvaluateAsRValue(Value, *Context))
      return;
    Launch &L = Launches[Caller];
    if (Value.Val.isInt() && Value.Val.getInt().isRepresentableByInt64())
      L.Integers.insert(Value.Val.getInt().getExtValue());
    else if (Value.Val.isFloat() && Value.Val.getFloat().isFinite()) {
      bool Lost = false;
      llvm::APFloat Real = Value.Val.getFloat();
      Real.convert(llvm::APFloat::IEEEdouble(),
                   llvm::APFloat::rmNearestTiesToEven, &Lost);
      L.Reals.insert(Real.convertToDouble());
    }
  }

  void noteLaunch(StringRef Callee, const clang::CallExpr &Call) {
    bool Global = Callee == "get_global_id" || Callee == "get_global_size";
    bool Group = Callee == "get_local_id" || Callee == "get_local_size" ||
                 Callee == "get_group_id" || Callee == "get_num_groups" ||
                 Callee == "get_enqueued_local_size";
    Launch &L = Launches[Caller];
    L.UsesGroups |= asksForGroup(Callee) || worksTogether(Callee);
    L.AsksForWhole |= asksForWhole(Callee);
    if (!(Global || Group) || Call.getNumArgs() != 1)
      return;
    // A dimension that is computed may be any.
    std::optional<int64_t> D = constant(Call.getArg(0), *Context);
    unsigned Dimension = D == 0 ? 0 : D == 1 ? 1 : 2;
    L.Dimensions = std::max(L.Dimensions, Dimension + 1);
  }

  const ASTContext *Context;
  const FunctionDecl *Caller = nullptr;
  unsigned Tables = 0; ///< initialiser lists around what is looked at
  std::map<const FunctionDecl *, std::set<const FunctionDecl *>> Calls;
};

/// Gathers the candidates and declined sites of one rewrite.
class Collector {
public:
  Collector(
      const Rewrite &R, ASTContext &Context,
      const std::map<const FunctionDecl *, std::vector<std::string>> &Reached,
      const std::map<std::string, std::vector<KnownLaunch>> &Launches,
      BuildVariance &Builds, StringRef Shelter, Findings &Into)
      : R(R), Context(Context), Reached(Reached), Launches(Launches),
        Builds(Builds), Shelter(R.is(MayShelter) ? Shelter : ""), Into(Into),
        HasShelters(!sheltersIn(text()).empty()) {}

  void look(const DynTypedNode &Node) {
    for (const Match &M : R.Sites(Node, Context))
      add(M);
  }

private:
  void add(const Match &M) {
    const SourceManager &SM = Context.getSourceManager();
    DynTypedNode At = M.Statements.empty()
                          ? M.Node
                          : DynTypedNode::create(*M.Statements.front());
    clang::SourceLocation Loc =
        SM.getExpansionLoc(At.getSourceRange().getBegin());
    const FunctionDecl *F = enclosingFunction(At, Context);
    if (!F || !F->getBody())
      return;
    std::string Name = F->getNameAsString();
    Site S{M, Context, *F};
    if (auto Known = Launches.find(Name);
        Known != Launches.end() && F->hasAttr<clang::DeviceKernelAttr>())
      S.Launches = Known->second;
    if (R.IsSite && !R.IsSite(S))
      return;
    std::vector<std::string> Kernels;
    if (auto K = Reached.find(F->getCanonicalDecl()); K != Reached.end())
      Kernels = K->second;
    if (!SM.isInMainFile(Loc))
      return declineIncluded(Loc, Name, Kernels);
    unsigned Line = SM.getSpellingLineNumber(Loc);
    unsigned Offset = SM.getFileOffset(Loc);
    if (!Seen.insert({Offset, Name}).second)
      return;
    for (const Condition &C : R.Conditions) {
      S.Breaks = {};
      if (!C.Holds(S)) {
        Into.Declines.push_back(
            {R.Name, Name, Kernels, Line, Offset, reasonOf(C, S, Line)});
        return;
      }
    }
    if (Context.getLangOpts().OpenCLCPlusPlus && needsMeaning()) {
      ReferenceSearch References;
      References.TraverseDecl(const_cast<FunctionDecl *>(F));
      const bool IsClear = S.unlessBroken(References.Found);
      if (!IsClear || !S.unlessBroken(switchAround(At, Context))) {
        Into.Declines.push_back(
            {R.Name, Name, Kernels, Line, Offset,
             reasonOf(IsClear ? NoCaseFollows : HasNoReference, S, Line)});
        return;
      }
    }
    std::vector<Alternative> Alternatives = R.Alternatives(S);
    if (Alternatives.empty())
      return;
    for (Alternative &A : Alternatives)
      A.Names = namesIn(A, S);
    if (!Shelter.empty())
      for (Alternative &A : Alternatives)
        shelter(A);
    std::string Why;
    erase_if(Alternatives, [&](Alternative &A) {
      std::string Varies =
          any_of(A.Changes, [&](const Edit &E) { return breaks(E); })
              ? "its lines are kept for some GPUs alone, by "
                "an #ifdef of clrewrite's"
              : Builds.obstacle(A.Changes);
      if (Varies.empty() && needsMeaning())
        if (!S.unlessBroken(R.is(HoldsByStatement)
                                ? Builds.variationInStatements(A.Changes, *F)
                                : Builds.variationAround(
                                      A.Changes, At.getSourceRange(), *F,
                                      /*AllOf=*/A.Class == Safety::Contract)))
          Varies = reasonOf(MeansTheSame, S, Line);
      if (Varies.empty() && !R.is(AmdOnly) && !R.is(MayShelter))
        if (std::string Name = Builds.macroOfOthers(A.Changes); !Name.empty())
          Varies = "a name that it would write is a macro with other build "
                   "options: '" +
                   Name + "'; give the macro another name";
      if (Varies.empty())
        Varies = lostComment(A.Changes);
      std::string Other = !Varies.empty() ? Varies : A.Launch ? fit(A, S) : "";
      if (!Varies.empty() || Why.empty())
        Why = Other;
      return !Other.empty();
    });
    if (Alternatives.empty())
      Into.Declines.push_back({R.Name, Name, Kernels, Line, Offset, Why});
    else
      Into.Candidates.push_back({R.Name, Name, Kernels, Line, Offset,
                                 std::move(Alternatives), R.Phase,
                                 R.is(AmdOnly), R.is(Separable)});
  }

  /// Whether the edits hold depends on what the code around them means.
  bool needsMeaning() const {
    return !R.is(AmdOnly) && !R.is(MayShelter) && !R.is(HoldsElsewhere);
  }

  /// That a comment in what \p List replaces stands in nothing that it writes;
  /// empty where all do.
  std::string lostComment(ArrayRef<Edit> List) const {
    auto onOneLine = [](StringRef Text) {
      SmallVector<StringRef> Words;
      SplitString(Text, Words);
      return join(Words, " ");
    };
    std::string New;
    for (const Edit &E : List)
      New += onOneLine(E.Text) + " ";
    std::string Lost;
    for (const Edit &E : List)
      if (StringRef Old = text().substr(E.Offset, E.Length); Old.contains('/'))
        frontend::eachTokenAndComment(Old, [&](const clang::Token &T, size_t,
                                               StringRef Word) {
          std::string Comment = onOneLine(Word);
          size_t At =
              T.is(clang::tok::comment) && Lost.empty() ? New.find(Comment) : 0;
          if (At == std::string::npos)
            Lost = "a comment in what it would replace would be lost: '" +
                   Comment + "'; put it elsewhere";
          else if (T.is(clang::tok::comment))
            New.erase(At, Comment.size()); // Another one may be the same.
        });
    return Lost;
  }

  /// The new names of \p S that \p A has: another alternative may need others.
  static std::vector<std::string> namesIn(const Alternative &A, const Site &S) {
    std::vector<std::string> Out;
    for (const std::string &Name : S.Names)
      if (any_of(A.Changes, [&](const Edit &E) {
            return is_contained(wordsIn(E.Text), Name);
          }))
        Out.push_back(Name);
    return Out;
  }

  /// \p E changes what some compilers alone read. A fence may stand there as
  /// anywhere else: it says nothing to the others.
  bool breaks(const Edit &E) const {
    bool IsFence = R.is(AmdOnly) && !E.Length && mayBeSheltered(E.Text);
    return HasShelters && !IsFence && isInShelter(E, text());
  }

  StringRef text() const { return fileText(Context); }

  /// Has \p A add shelters, where each of its edits can.
  void shelter(Alternative &A) const {
    Edits Changes;
    for (const Edit &E : A.Changes) {
      std::optional<Edit> Own = sheltered(E, Shelter, text());
      if (!Own)
        return;
      Changes.push_back(std::move(*Own));
    }
    A.Changes = std::move(Changes);
    A.Sheltered = true;
    if (!A.Explains)
      A.Remark = "on other GPUs it is often slower";
  }

  /// Has \p A change what comments say of the launches of \p S. Says why a
  /// launch that is known can't be changed so; empty where each can.
  std::string fit(Alternative &A, const Site &S) const {
    std::string Name = S.Function.getNameAsString();
    auto Here =
        find_if(Into.Kernels, [&](const auto &K) { return K.Name == Name; });
    if (Here != Into.Kernels.end())
      if (Error E = changeLaunches(*Here, A))
        return "a launch that is known does not fit: " + toString(std::move(E));
    for (const KnownLaunch &L : S.Launches)
      if (!L.Sizes.Global.empty())
        if (Error E = A.Launch->of(L.Sizes).takeError())
          return "a launch that is known does not fit: " +
                 toString(std::move(E));
    return "";
  }

  const Rewrite &R;
  ASTContext &Context;
  const std::map<const FunctionDecl *, std::vector<std::string>> &Reached;
  const std::map<std::string, std::vector<KnownLaunch>> &Launches;
  BuildVariance &Builds;
  StringRef Shelter; ///< empty for none
  Findings &Into;
  bool HasShelters; ///< the text has some already
  std::set<std::pair<unsigned, std::string>> Seen;

  /// Sites of a kernel in a file that the main file includes: they stand where
  /// it does so.
  void declineIncluded(clang::SourceLocation Loc, const std::string &Name,
                       const std::vector<std::string> &Kernels) {
    const SourceManager &SM = Context.getSourceManager();
    clang::OptionalFileEntryRef File =
        SM.getFileEntryRefForID(SM.getFileID(Loc));
    if (Kernels.empty() || !File || SM.isInSystemHeader(Loc) ||
        !Seen.insert({SM.getFileOffset(Loc), Name}).second)
      return;
    unsigned Line = SM.getSpellingLineNumber(Loc);
    clang::SourceLocation At = SM.getIncludeLoc(SM.getFileID(Loc));
    while (At.isValid() && SM.getFileID(At) != SM.getMainFileID())
      At = SM.getIncludeLoc(SM.getFileID(At));
    bool InText = At.isValid();                     // not by an option
    llvm::SmallString<256> Header(File->getName()); // as people write it
    llvm::sys::path::remove_dots(Header, /*remove_dot_dot=*/true);
    Declined D{R.Name,
               Name,
               Kernels,
               InText ? SM.getSpellingLineNumber(At) : 1,
               InText ? SM.getFileOffset(At) : 0,
               "",
               /*Suppressed=*/false,
               Header.str().str(),
               Line};
    D.Reason = includedIn(D) + "; --fix-headers edits it";
    Into.Declines.push_back(std::move(D));
  }
};

/// All declarations and statements of the program in the order of the text, a
/// parent before its children.
class Nodes : public clang::DynamicRecursiveASTVisitor {
public:
  explicit Nodes(ASTContext &Context) {
    ShouldVisitImplicitCode = true;
    TraverseDecl(Context.getTranslationUnitDecl());
  }
  std::vector<DynTypedNode> Found;

  bool VisitDecl(clang::Decl *D) override {
    Found.push_back(DynTypedNode::create(*D));
    return true;
  }
  bool VisitStmt(clang::Stmt *S) override {
    Found.push_back(DynTypedNode::create(*S));
    return true;
  }
};

} // namespace

static bool isWithin(const frontend::UninitialisedRead &R,
                     const FunctionDecl *F, const SourceManager &SM) {
  unsigned Begin = SM.getFileOffset(SM.getExpansionLoc(F->getBeginLoc()));
  unsigned End = SM.getFileOffset(SM.getExpansionLoc(F->getEndLoc()));
  return SM.isInMainFile(SM.getExpansionLoc(F->getBeginLoc())) && R.Line &&
         R.Offset >= Begin && R.Offset <= End;
}

/// Whether nothing depends on the value of \p F's variables \p Name: each time
/// they are named they are an argument for a parameter that the function which
/// is called never names, as `alpha` is in `activation(sum, alpha)` where this
/// build has no activation.
static bool isForNothing(const FunctionDecl &F, StringRef Name) {
  auto names = [&](const clang::Expr *E) {
    const auto *Named = dyn_cast<clang::DeclRefExpr>(E->IgnoreParenImpCasts());
    return Named && isa<clang::VarDecl>(Named->getDecl()) &&
           Named->getDecl()->getName() == Name;
  };
  size_t ForNothing = 0;
  for (const auto *Call : allIn<clang::CallExpr>(F.getBody())) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    const FunctionDecl *Body = Callee ? Callee->getDefinition() : nullptr;
    for (unsigned I = 0;
         Body && I < std::min(Call->getNumArgs(), Body->getNumParams()); ++I)
      ForNothing +=
          names(Call->getArg(I)) && !Body->getParamDecl(I)->isReferenced();
  }
  return ForNothing &&
         ForNothing ==
             size_t(count_if(allIn<clang::DeclRefExpr>(F.getBody()), names));
}

/// The reads of \p D on which anything may depend.
static std::vector<frontend::UninitialisedRead>
readsOf(const frontend::Diagnosis &D, const CallGraph &Graph,
        const SourceManager &SM) {
  std::vector<frontend::UninitialisedRead> Out;
  copy_if(D.Uninitialised, std::back_inserter(Out),
          [&](const frontend::UninitialisedRead &R) {
            return none_of(Graph.Bodies, [&](const auto &Body) {
              return isWithin(R, Body.second, SM) &&
                     isForNothing(*Body.second, R.Variable);
            });
          });
  return Out;
}

/// Those of \p Reads that lie within \p F, as line numbers.
static std::vector<unsigned>
readsWithin(const FunctionDecl *F, ArrayRef<frontend::UninitialisedRead> Reads,
            const SourceManager &SM) {
  std::vector<unsigned> Lines;
  for (const frontend::UninitialisedRead &R : Reads)
    if (R.Always && isWithin(R, F, SM))
      Lines.push_back(R.Line);
  return Lines;
}

/// Whether \p F has a __local variable of this name. On a path that assigns
/// nothing to it, another work-item may have.
static bool hasShared(const FunctionDecl *F, StringRef Name) {
  return any_of(F->decls(), [&](const clang::Decl *D) {
    const auto *Variable = dyn_cast<clang::VarDecl>(D);
    return Variable && Variable->getName() == Name &&
           Variable->getType().getAddressSpace() == clang::LangAS::opencl_local;
  });
}

/// OpenCL C's short name of a scalar type; empty for any other.
static std::string scalarName(clang::QualType T, const ASTContext &Context) {
  if (T->isHalfType())
    return "half";
  if (T->isRealFloatingType())
    return Context.getTypeSize(T) == 64 ? "double" : "float";
  if (!T->isIntegerType() || T->isBooleanType())
    return "";
  const std::string Sign = T->isUnsignedIntegerOrEnumerationType() ? "u" : "";
  switch (Context.getTypeSize(T)) {
  case 8:
    return Sign + "char";
  case 16:
    return Sign + "short";
  case 32:
    return Sign + "int";
  case 64:
    return Sign + "long";
  default:
    return "";
  }
}

/// Adds the numbers that \p T holds to \p Types.
static void addNumbers(clang::QualType T, const ASTContext &Context,
                       std::vector<clang::QualType> &Types) {
  T = T.getCanonicalType();
  constexpr size_t Most = 4096;
  if (const auto *Array = Context.getAsConstantArrayType(T)) {
    uint64_t Count = Array->getSize().getLimitedValue(Most);
    for (uint64_t I = 0; I < Count && Types.size() < Most; ++I)
      addNumbers(Array->getElementType(), Context, Types);
  } else if (const auto *V = T->getAs<clang::ExtVectorType>()) {
    Types.insert(Types.end(), V->getNumElements(),
                 V->getElementType().getCanonicalType());
  } else if (const auto *Record = T->getAsRecordDecl()) {
    for (const clang::FieldDecl *Field : Record->fields())
      addNumbers(Record->isUnion() ? Context.VoidTy : Field->getType(), Context,
                 Types);
  } else {
    Types.push_back(T);
  }
}

/// The type of all numbers in the structure \p T, which has nothing between
/// them; else empty.
static std::string fieldOf(clang::QualType T, const ASTContext &Context) {
  std::vector<clang::QualType> Types;
  addNumbers(T, Context, Types);
  if (Types.empty() || Types.front()->isVoidType() ||
      !all_of(Types, [&](clang::QualType Each) {
        return Context.hasSameUnqualifiedType(Each, Types.front());
      }))
    return "";
  clang::QualType One = Types.front().getUnqualifiedType();
  auto Bytes = [&](clang::QualType Of) {
    return uint64_t(Context.getTypeSizeInChars(Of).getQuantity());
  };
  return Bytes(T) == Types.size() * Bytes(One) ? scalarName(One, Context) : "";
}

/// What running a kernel needs to know of a parameter of type \p T.
static KernelArg argument(clang::QualType T, const ASTContext &Context) {
  T = T.getCanonicalType();
  KernelArg A;
  A.Pointer = T->isPointerType();
  if (A.Pointer)
    T = T->getPointeeType().getCanonicalType();
  if (!T->isIncompleteType() && !T->isOpenCLSpecificType())
    A.Bytes = unsigned(Context.getTypeSizeInChars(T).getQuantity());
  if (const auto *V = T->getAs<clang::ExtVectorType>()) {
    A.Type = scalarName(V->getElementType().getCanonicalType(), Context);
    if (!A.Type.empty())
      A.Type += std::to_string(V->getNumElements());
  } else {
    A.Type = scalarName(T, Context);
    if (T->isRecordType() && !T->isIncompleteType())
      A.Field = fieldOf(T, Context);
  }
  return A;
}

/// By kernel, those of \p Given, or of the kernel's comments where it has none.
/// Words of a comment that give no integer are left to others.
static std::map<std::string, std::vector<KnownLaunch>>
knownLaunches(ArrayRef<KnownLaunch> Given, ArrayRef<KernelInfo> Kernels) {
  std::map<std::string, std::vector<KnownLaunch>> Out;
  for (const KnownLaunch &L : Given)
    Out[L.Kernel].push_back(L);
  for (const KernelInfo &K : Kernels) {
    std::vector<KnownLaunch> &Here = Out[K.Name];
    if (!Here.empty())
      continue;
    for (const LaunchComment &C : K.Launches) {
      KnownLaunch L{K.Name};
      if (Expected<launch::Launch> Said =
              launch::parseLaunchComment(K.Name, C.Text))
        L.Sizes = *Said;
      else // which is told where launches are read
        consumeError(Said.takeError());
      SmallVector<StringRef> Words;
      SplitString(C.Text, Words, " \t\r\n,*");
      for (StringRef Word : Words) {
        auto [Name, Text] = Word.split('=');
        int64_t Value = 0;
        if (!Text.getAsInteger(0, Value))
          L.Scalars[Name.str()] = Value;
      }
      Here.push_back(std::move(L));
    }
  }
  return Out;
}

Findings find(ASTContext &Context, ArrayRef<const Rewrite *> Rewrites,
              const frontend::Diagnosis &D, const Known &What) {
  Findings Out;
  Out.Skipped = D.Skipped;
  const SourceManager &SM = Context.getSourceManager();
  CallGraph Graph(Context);
  Graph.TraverseDecl(Context.getTranslationUnitDecl());
  const std::vector<frontend::UninitialisedRead> Reads = readsOf(D, Graph, SM);

  std::map<const FunctionDecl *, std::vector<std::string>> Reached;
  std::map<std::string, unsigned> NameOffsets;
  for (auto &[Canonical, F] : Graph.Bodies) {
    if (!F->hasAttr<clang::DeviceKernelAttr>())
      continue;
    KernelInfo K;
    K.Name = F->getNameAsString();
    if (SM.isInMainFile(SM.getExpansionLoc(F->getLocation())))
      K.Line = SM.getSpellingLineNumber(SM.getExpansionLoc(F->getLocation()));
    std::set<int64_t> Integers;
    std::set<double> Reals;
    for (const FunctionDecl *Callee : Graph.reach(F)) {
      Reached[Callee].push_back(K.Name);
      if (auto It = Graph.Launches.find(Callee); It != Graph.Launches.end()) {
        K.Dimensions = std::max(K.Dimensions, It->second.Dimensions);
        K.UsesGroups |= It->second.UsesGroups;
        K.AsksForWhole |= It->second.AsksForWhole;
        K.KeepsState |= It->second.KeepsState;
        Integers.insert(It->second.Integers.begin(), It->second.Integers.end());
        Reals.insert(It->second.Reals.begin(), It->second.Reals.end());
      }
      if (auto It = Graph.Bodies.find(Callee); It != Graph.Bodies.end())
        for (unsigned Line : readsWithin(It->second, Reads, SM))
          K.UninitialisedLines.push_back(Line);
    }
    llvm::sort(K.UninitialisedLines);
    K.Integers.assign(Integers.begin(), Integers.end());
    K.Reals.assign(Reals.begin(), Reals.end());
    const std::set<const clang::ValueDecl *> Counting = onlyCounting(*F);
    for (const clang::ParmVarDecl *P : F->parameters()) {
      K.Args.push_back(argument(P->getType(), Context));
      K.Args.back().Name = P->getName().str();
      K.Args.back().OnlyCounts =
          P->getType()->isIntegerType() && Counting.count(P);
      Graph.Images.describe(P, K.Args.back());
    }
    clang::SourceLocation Place = SM.getExpansionLoc(F->getLocation());
    if (SM.isInMainFile(Place))
      NameOffsets[K.Name] = SM.getFileOffset(Place);
    Out.Kernels.push_back(std::move(K));
  }
  attachLaunches(D.Comments, NameOffsets, Context, Out);

  auto Launches = knownLaunches(What.Launches, Out.Kernels);
  MacroStability::of(Context).setOnlyBuild(What.OnlyTheseBuilds);
  BuildVariance Builds(Context);
  Nodes All(Context);
  for (const Rewrite *R : Rewrites) {
    Collector Sites(*R, Context, Reached, Launches, Builds, What.Shelter, Out);
    for (const DynTypedNode &Node : All.Found)
      Sites.look(Node);
  }

  for (const frontend::UninitialisedRead &Read : Reads) {
    if (!Read.Always && any_of(Graph.Bodies, [&](const auto &Body) {
          return isWithin(Read, Body.second, SM) &&
                 hasShared(Body.second, Read.Variable);
        }))
      continue;
    std::string Kernel;
    for (const KernelInfo &K : Out.Kernels)
      if (Kernel.empty() && is_contained(K.UninitialisedLines, Read.Line))
        Kernel = K.Name;
    Out.Warnings.push_back(
        {Read.Line, Kernel,
         "'" + Read.Variable +
             (Read.Always
                  ? "' is read before anything is assigned to it: undefined, "
                    "so the compiler may delete what depends on it, up to the "
                    "whole kernel"
                  : "' gets no value on a path from here to where it is read: "
                    "undefined there")});
  }

  auto byPlace = [](const auto &A, const auto &B) {
    return std::tie(A.Offset, A.Rewrite) < std::tie(B.Offset, B.Rewrite);
  };
  llvm::sort(Out.Candidates, byPlace);
  llvm::sort(Out.Declines, byPlace);
  llvm::sort(Out.Kernels, [](const KernelInfo &A, const KernelInfo &B) {
    return std::tie(A.Line, A.Name) < std::tie(B.Line, B.Name);
  });
  return Out;
}

} // namespace clrewrite::rewrite
