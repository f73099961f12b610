// Inputs: that they repeat, fit their kernel, and give way.
#include "verify/Inputs.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::verify;
using namespace llvm;

static KernelShape shape(std::vector<KernelArgument> Arguments) {
  KernelShape K;
  K.Name = "k";
  K.Arguments = std::move(Arguments);
  return K;
}

static KernelArgument argument(KernelArgument::Kind What, const char *Type,
                               unsigned Size, bool MayAlias = false) {
  KernelArgument A;
  A.What = What;
  A.Component = Type;
  A.Size = Size;
  A.MayAlias = MayAlias;
  return A;
}

static std::string text(const json::Value &V) {
  std::string Out;
  raw_string_ostream(Out) << V;
  return Out;
}

static const auto Buffer = KernelArgument::Buffer;

TEST(Inputs, TheSameSeedGivesTheSameLaunch) {
  Inputs A(shape({argument(Buffer, "int", 4)}), {}, 1);
  Inputs B(shape({argument(Buffer, "int", 4)}), {}, 2);
  Recipe R = A.plan(true)[0];
  Fit F = A.tightest(R);
  EXPECT_EQ(text(A.make(R, F, 0).Args), text(A.make(R, F, 0).Args));
  EXPECT_NE(text(A.make(R, F, 0).Args), text(A.make(R, F, 1).Args));
  EXPECT_NE(text(A.make(R, F, 0).Args), text(B.make(R, F, 0).Args));
}

TEST(Inputs, ALaunchIsWithinOneThatIsLargerInNothingLess) {
  auto launch = [](uint64_t Items, StringRef Arguments) {
    TrialLaunch L;
    L.Global = {Items, 8};
    L.Args = *cantFail(json::parse(Arguments)).getAsArray();
    return L;
  };
  const char *Some = R"([{"buffer": {"bytes": 64, "seed": 1}},
                         {"scalar": {"type": "int", "value": 7}},
                         {"scalar": {"type": "int2", "value": [1, -2]}},
                         {"bytes": "AAAA"}])";
  auto changed = [&](StringRef From, StringRef To) {
    std::string Text = Some;
    return Text.replace(Text.find(From), From.size(), To.str());
  };
  TrialLaunch L = launch(64, Some);
  EXPECT_TRUE(L.isWithin(L));
  EXPECT_TRUE(L.isWithin(launch(65, Some)));
  EXPECT_FALSE(L.isWithin(launch(63, Some)));
  EXPECT_TRUE(L.isWithin(launch(64, changed("7", "8"))));
  EXPECT_FALSE(L.isWithin(launch(64, changed("7", "6"))));
  EXPECT_TRUE(L.isWithin(launch(64, changed("[1", "[3"))));
  EXPECT_FALSE(L.isWithin(launch(64, changed("-2", "2"))));
  EXPECT_FALSE(L.isWithin(launch(64, changed("-2", "-3"))));
  EXPECT_TRUE(L.isWithin(launch(64, changed("64", "32"))))
      << "what buffers hold, and how much, is not compared";
  EXPECT_FALSE(L.isWithin(launch(64, changed("AAAA", "AAAB"))));
  TrialLaunch Off = L;
  Off.Offset = {8, 0};
  EXPECT_FALSE(L.isWithin(Off)) << "an offset is as many sizes as the others";
}

TEST(Inputs, BuffersStartTightAndGrowToWhatIsTouched) {
  Inputs In(shape({argument(Buffer, "int", 4)}), {}, 1);
  Recipe R;
  Fit F = In.tightest(R);
  EXPECT_EQ(F.Elements[0], 64u);
  EXPECT_TRUE(In.grow(F, R, 0, 4 * 64, 4 * 64));
  EXPECT_EQ(F.Elements[0], 128u);
  EXPECT_TRUE(In.grow(F, R, 0, 4 * 300, 4 * 1000));
  EXPECT_EQ(F.Elements[0], 1001u);
  EXPECT_TRUE(In.grow(F, R, 0, 4 * 1001, int64_t(1) << 30))
      << "what lies beyond the largest size need not count";
  EXPECT_EQ(F.Elements[0] * 4, uint64_t(4) << 20);
  F.Elements[0] = 600000;
  EXPECT_TRUE(In.grow(F, R, 0, 4 * 600000, 4 * 600000))
      << "twice as much would be too large";
  EXPECT_EQ(F.Elements[0] * 4, uint64_t(4) << 20);
  F = In.tightest(R);
  EXPECT_FALSE(In.grow(F, R, 0, -4, -4)) << "no size helps before the start";
  EXPECT_FALSE(In.grow(F, R, 0, int64_t(1) << 30, int64_t(1) << 30));
  EXPECT_FALSE(In.grow(F, R, 7, 0, 0));
}

TEST(Inputs, BuffersEndWhereAFenceCanLie) {
  Inputs In(shape({argument(Buffer, "uchar", 1)}), {}, 1);
  Recipe R;
  R.Shape = Recipe::Odd; // 37 work-items
  auto bytes = [&] {
    TrialLaunch L = In.make(R, In.tightest(R), 0);
    return L.Args[0].getAsObject()->getObject("buffer")->getInteger("bytes");
  };
  EXPECT_EQ(bytes(), 128);
  R.FenceBefore = true;
  EXPECT_EQ(bytes(), 4096);
}

TEST(Inputs, GroupsAreOfOneWhereNobodyLooks) {
  KernelShape K = shape({argument(Buffer, "int", 4)});
  Recipe R;
  auto local = [&] {
    Inputs In(K, {}, 1);
    return In.make(R, In.tightest(R), 0).Local;
  };
  R.Shape = Recipe::Odd;
  EXPECT_TRUE(local().empty()) << "the driver chooses";
  K.UsesGroups = false;
  EXPECT_EQ(local(), std::vector<uint64_t>{1});
  K.Dimensions = 2;
  EXPECT_EQ(local(), (std::vector<uint64_t>{1, 1}));
  R.Shape = Recipe::Even;
  EXPECT_EQ(local(), (std::vector<uint64_t>{1, 1}));
  R.Shape = Recipe::Many;
  EXPECT_EQ(local(), (std::vector<uint64_t>{1, 1}));
  K.UsesGroups = true;
  R.Shape = Recipe::Even;
  EXPECT_EQ(local(), (std::vector<uint64_t>{8, 4}));
}

TEST(Inputs, IntegersAndRowsAreMoreThan16BitsCount) {
  KernelShape K = shape({argument(Buffer, "int", 4),
                         argument(KernelArgument::Value, "int", 4),
                         argument(KernelArgument::Value, "float", 4),
                         argument(KernelArgument::Value, "uint", 4)});
  K.Dimensions = 2;
  auto launches = [&](Recipe::Size Shape) {
    Inputs In(K, {}, 1);
    std::vector<std::string> Out;
    for (Recipe R : In.farPlan())
      if (R.Shape == Shape && R.Kind == Contents::Random) {
        R.Draw = 2;
        TrialLaunch L = In.make(R, In.tightest(R), 0);
        L.Args.erase(L.Args.begin() + 2); // the float
        KernelShape Integers = K;
        Integers.Arguments.erase(Integers.Arguments.begin() + 2);
        Out.push_back(L.text(Integers));
      }
    return Out;
  };
  EXPECT_EQ(launches(Recipe::Long),
            (std::vector<std::string>{"global 8x4, local 8x4, =66000, =8",
                                      "global 8x4, local 8x4, =8, =66000"}));
  EXPECT_EQ(
      launches(Recipe::Wide),
      (std::vector<std::string>{"global 65600x4, local 8x4, =65600, =65600"}))
      << "work-groups are whole";
  K.UsesGroups = false;
  EXPECT_EQ(
      launches(Recipe::Wide),
      (std::vector<std::string>{"global 65600x1, local 1x1, =65600, =65600"}));
  K.AsksForWhole = false;
  EXPECT_TRUE(launches(Recipe::Wide).empty()) << "the last ids are enough";
}

TEST(Inputs, LargeIdsAreThoseOfTheLastGroupsOfALargeLaunch) {
  KernelShape K = shape(
      {argument(Buffer, "int", 4), argument(KernelArgument::Value, "int", 4)});
  auto plan = [&](LaunchShape Given = {}, launch::LaunchChange Change = {}) {
    return Inputs(K, Given, 1, Change).farPlan();
  };
  auto far = [&](LaunchShape Given = {}) {
    return count_if(plan(Given), [](const Recipe &R) { return R.isFar(); });
  };
  EXPECT_EQ(far(), 0) << "nobody knows whether it asks for more than ids";
  K.AsksForWhole = false;
  EXPECT_GT(far(), 0);
  LaunchShape Given;
  Given.Global = {32};
  EXPECT_EQ(far(Given), 0);
  EXPECT_TRUE(all_of(plan(Given), [](const Recipe &R) {
    return R.Shape == Recipe::Long;
  })) << "integers that nobody has given";
  EXPECT_TRUE(plan({}, {{4}}).empty());
  K.Arguments.push_back(argument(KernelArgument::Image, "", 0));
  EXPECT_TRUE(plan().empty()) << "no image is so large";
  K.Arguments.pop_back();

  Recipe R{Contents::Small, Recipe::Far};
  R.Draw = 1;
  auto launch = [&] {
    Inputs In(K, {}, 1);
    return In.make(R, In.tightest(R), 0);
  };
  TrialLaunch L = launch();
  EXPECT_EQ(L.Offset, std::vector<uint64_t>{65504});
  EXPECT_EQ(L.text(K), "global 64 from (65504), local 16, =65568");
  EXPECT_EQ(Inputs(K, {}, 1).tightest(R).Elements[0], 65568u);
  R.Shape = Recipe::FarRows;
  EXPECT_EQ(launch().Offset, std::vector<uint64_t>{32736});
  K.Dimensions = 2;
  EXPECT_EQ(launch().Offset, (std::vector<uint64_t>{0, 65528}));
  EXPECT_EQ(launch().Local, (std::vector<uint64_t>{8, 4}));
  K.RequiredLocal = {12, 3, 1};
  L = launch();
  EXPECT_EQ(L.Offset[1] % 3, 0u) << "groups are those of the whole launch";
  EXPECT_LT(L.Offset[1], 65536u);
  EXPECT_GT(L.Offset[1] + L.Global[1], 65536u);
}

TEST(Inputs, CalmingEnds) {
  Inputs In(shape({argument(KernelArgument::Value, "int", 4)}), {}, 1);
  Recipe R;
  Fit F = In.tightest(R);
  for (unsigned Level = 1; Level < Fit::Levels; ++Level)
    EXPECT_TRUE(In.calm(F, R));
  EXPECT_FALSE(In.calm(F, R));
  Recipe Wild{Contents::Wild};
  F = In.tightest(Wild);
  EXPECT_FALSE(In.calm(F, Wild)) << "calmer would not be wild";
}

TEST(Inputs, OverlapIsOneBufferAndOneWorkItem) {
  auto A = argument(Buffer, "int", 4, true);
  Inputs In(shape({A, argument(Buffer, "float", 4, true), A}), {}, 1);
  bool Seen = false;
  for (const Recipe &R : In.plan(true)) {
    if (R.Kind != Contents::Overlap)
      continue;
    TrialLaunch L = In.make(R, In.tightest(R), 3);
    EXPECT_EQ(text(L.Args[2]), R"({"alias":0})");
    EXPECT_EQ(text(json::Array(L.Global)), "[1]");
    Seen = true;
  }
  EXPECT_TRUE(Seen);
  for (const Recipe &R : In.plan(false))
    EXPECT_NE(R.Kind, Contents::Overlap);
}

/// Which argument is each one's buffer, in the overlaps of \p Plan.
static std::set<std::string> shared(const Inputs &In,
                                    const std::vector<Recipe> &Plan) {
  std::set<std::string> Out;
  for (const Recipe &R : Plan) {
    if (R.Kind != Contents::Overlap)
      continue;
    TrialLaunch L = In.make(R, In.tightest(R), 3);
    std::string Each;
    for (const json::Value &Argument : L.Args) {
      auto Of = Argument.getAsObject()->getInteger("alias");
      Each += Of ? std::to_string(*Of) : "-";
    }
    bool Offset = any_of(L.Offset, [](uint64_t N) { return N > 0; });
    Out.insert(Each + (Offset ? " offset" : ""));
  }
  return Out;
}

TEST(Inputs, EachPairMayBeOneBufferAndTheWorkItemAnother) {
  auto A = argument(Buffer, "int", 4, true);
  KernelShape K = shape({A, A, argument(Buffer, "float", 4, true), A});
  K.AsksForWhole = false;
  Inputs In(K, {}, 1);
  EXPECT_EQ(shared(In, In.plan(true)),
            (std::set<std::string>{"-0--", "-0-0 offset", "---0 offset"}));
  EXPECT_EQ(
      shared(In, In.overlapPlan(true)),
      (std::set<std::string>{"-0-- offset", "---0 offset", "---1 offset"}));
  EXPECT_TRUE(In.overlapPlan(false).empty());
  K.AsksForWhole = true;
  Inputs Asking(K, {}, 1);
  EXPECT_EQ(shared(Asking, Asking.plan(true)),
            (std::set<std::string>{"-0--", "-0-0", "---0"}));
}

TEST(Inputs, BytesMayBeTheBufferOfAnything) {
  KernelShape K = shape({argument(Buffer, "uint", 4, true),
                         argument(Buffer, "uchar", 1, true),
                         argument(Buffer, "float", 4, true)});
  Inputs In(K, {}, 1);
  EXPECT_EQ(shared(In, In.overlapPlan(true)),
            (std::set<std::string>{"-0-", "--1"}));
}

/// What shares whose buffer, and from which byte on, in the partial overlaps of
/// the plan; with the id of the work-item where that is not 0.
static std::vector<std::string> parts(const Inputs &In) {
  std::vector<std::string> Out;
  for (const Recipe &R : In.overlapPlan(true)) {
    if (!R.Part)
      continue;
    TrialLaunch L = In.make(R, In.tightest(R), 4);
    std::string Each;
    for (size_t I = 0; I < L.Args.size(); ++I)
      if (auto Of = L.Args[I].getAsObject()->getInteger("alias"))
        Each += formatv("{0} in {1} at {2}", I, *Of,
                        *L.Args[I].getAsObject()->getInteger("offset"));
    if (!L.Offset.empty())
      Each += formatv(" of {0}", L.Offset[0]);
    Out.push_back(Each);
  }
  return Out;
}

TEST(Inputs, EachOfAPairMayBeginWithinTheOther) {
  KernelShape K =
      shape({argument(Buffer, "int", 4, true), argument(Buffer, "int", 4, true),
             argument(KernelArgument::Value, "int", 4)});
  K.Arguments[2].Name = "n";
  K.AsksForWhole = false;
  EXPECT_TRUE(parts(Inputs(K, {}, 1)).empty()) << "the device has no parts";
  K.PartAlign = 1;
  LaunchShape Given;
  Given.Scalars = {{"n", 9}};
  // One element; the last one of n, in both directions; one element, seen from
  // another work-item; behind n elements; two and three elements.
  EXPECT_EQ(parts(Inputs(K, Given, 1)),
            (std::vector<std::string>{
                "1 in 0 at 4", "0 in 1 at 4", "1 in 0 at 32", "0 in 1 at 32",
                "1 in 0 at 4 of 3", "0 in 1 at 4 of 3", "1 in 0 at 36",
                "0 in 1 at 36", "1 in 0 at 8", "0 in 1 at 8", "1 in 0 at 12",
                "0 in 1 at 12", "1 in 0 at 4", "0 in 1 at 4"}));
  // What the text adds stays where it is, whatever n is; nothing is far off.
  K.Integers = {1, 9, 1 << 19};
  for (int64_t N : {1, 9, 20}) {
    Given.Scalars = {{"n", N}};
    EXPECT_EQ(parts(Inputs(K, Given, 1))[6], "1 in 0 at 32") << N;
    for (const std::string &Each : parts(Inputs(K, Given, 1)))
      EXPECT_LE(StringRef(Each).split("at ").second.size(), 7u) << Each;
  }
  K.Integers.clear();
  // A sub-buffer begins where the device lets it.
  K.PartAlign = 128;
  Given.Scalars = {{"n", 100}};
  EXPECT_EQ(parts(Inputs(K, Given, 1))[0], "1 in 0 at 128");
  EXPECT_EQ(parts(Inputs(K, Given, 1))[2], "1 in 0 at 384");
  // A part is for its own elements: bytes begin anywhere within an int, and an
  // int where one may begin.
  K.PartAlign = 1;
  K.Arguments[1] = argument(Buffer, "uchar", 1, true);
  Given.Scalars = {{"n", 9}};
  std::vector<std::string> Bytes = parts(Inputs(K, Given, 1));
  EXPECT_EQ(Bytes[0], "1 in 0 at 1");
  EXPECT_EQ(Bytes[1], "0 in 1 at 4");
  EXPECT_EQ(Bytes[2], "1 in 0 at 35") << "the last byte of n ints";
  EXPECT_EQ(Bytes[3], "0 in 1 at 8") << "an int among n bytes";
}

TEST(Inputs, ASharedBufferHoldsThePartToo) {
  KernelShape K = shape(
      {argument(Buffer, "int", 4, true), argument(Buffer, "int", 4, true)});
  K.PartAlign = 1;
  Inputs In(K, {}, 1);
  Recipe R{Contents::Overlap};
  R.Part = 1;
  Fit F = In.tightest(R);
  F.Elements[1] = 32;
  TrialLaunch L = In.make(R, F, 3);
  EXPECT_EQ(text(L.Args[1]), R"({"alias":0,"offset":4})");
  EXPECT_EQ(*L.Args[0].getAsObject()->getObject("buffer")->getInteger("bytes"),
            256);
  K.Arguments[0].Name = "a";
  K.Arguments[1].Name = "b";
  EXPECT_EQ(L.text(K), "global 1, local 1, b is a from byte 4");
}

TEST(Inputs, WhatIsGivenAsNoBufferIsNotShared) {
  auto A = argument(Buffer, "int", 4, true);
  KernelShape K = shape({A, A, A});
  K.Arguments[1].Name = "none";
  LaunchShape Given;
  Given.Values = {{"none", json::Object{{"buffer", nullptr}}}};
  Inputs In(K, Given, 1);
  EXPECT_EQ(shared(In, In.overlapPlan(true)), (std::set<std::string>{"--0"}));
  // One that is given keeps what it holds.
  Given.Values = {
      {"none", json::Object{{"buffer", json::Object{{"bytes", 4096}}}}}};
  Recipe R{Contents::Overlap};
  Inputs Held(K, Given, 1);
  TrialLaunch L = Held.make(R, Held.tightest(R), 3);
  EXPECT_EQ(*L.Args[0].getAsObject()->getObject("buffer")->getInteger("bytes"),
            4096);
}

TEST(Inputs, NothingOverlapsWhereMoreThanOneWorkItemIsRequired) {
  auto A = argument(Buffer, "int", 4, true);
  KernelShape K = shape({A, A});
  K.RequiredLocal = {16, 1, 1};
  for (const Recipe &R : Inputs(K, {}, 1).plan(true))
    EXPECT_NE(R.Kind, Contents::Overlap) << "the work-items would race";
  K.RequiredLocal = {1, 1, 1};
  Inputs Single(K, {}, 1);
  bool Seen = false;
  for (const Recipe &R : Single.plan(true))
    if (R.Kind == Contents::Overlap) {
      Seen = true;
      EXPECT_EQ(Single.make(R, Single.tightest(R), 3).items(), 1u);
    }
  EXPECT_TRUE(Seen);
}

TEST(Inputs, RestrictedPointersDoNotOverlap) {
  Inputs In(shape({argument(Buffer, "int", 4), argument(Buffer, "int", 4)}), {},
            1);
  for (const Recipe &R : In.plan(true))
    EXPECT_NE(R.Kind, Contents::Overlap);
}

TEST(Inputs, TheRequiredWorkGroupIsKept) {
  KernelShape K = shape({});
  K.Dimensions = 2;
  K.RequiredLocal = {8, 4, 1};
  Inputs In(K, {}, 1);
  for (const Recipe &R : In.plan(true)) {
    TrialLaunch L = In.make(R, In.tightest(R), 0);
    EXPECT_EQ(text(json::Array(L.Local)), "[8,4,1]");
    EXPECT_EQ(L.Global[0] % 8, 0u);
  }
}

TEST(Inputs, TheUsersGlobalSizeGoesWithTheRequiredWorkGroup) {
  KernelShape K = shape({});
  K.RequiredLocal = {8, 4, 1};
  LaunchShape Given;
  Given.Global = {32, 8};
  Inputs In(K, Given, 1);
  EXPECT_EQ(
      text(json::Array(In.make(In.plan(true)[0], In.tightest({}), 0).Local)),
      "[8,4]");
}

TEST(Inputs, TheUsersLaunchIsKept) {
  LaunchShape Given;
  Given.Global = {32, 2};
  Given.Scalars = {{"width", 77}};
  auto A = argument(KernelArgument::Value, "int", 4);
  A.Name = "width";
  Inputs In(shape({A}), Given, 1);
  TrialLaunch L = In.make(In.plan(true)[0], In.tightest({}), 0);
  EXPECT_EQ(text(json::Array(L.Global)), "[32,2]");
  EXPECT_EQ(text(L.Args[0]), R"({"scalar":{"type":"int","value":77}})");
}

TEST(Inputs, TheUsersValuesAndSizesAreKept) {
  LaunchShape Given;
  Given.Values = {{"f", json::Object{{"bytes", "AAAA"}}}};
  Given.Bytes = {{"p", 8 << 20}, {"l", 96}};
  auto F = argument(KernelArgument::Value, "float", 4);
  auto P = argument(Buffer, "float", 4);
  auto L = argument(KernelArgument::Local, "float", 4);
  F.Name = "f";
  P.Name = "p";
  L.Name = "l";
  Inputs In(shape({F, P, L}), Given, 1);
  Fit Tight = In.tightest({});
  EXPECT_EQ(Tight.Elements[1], uint64_t(2) << 20);
  EXPECT_FALSE(In.grow(Tight, {}, 1, int64_t(8) << 20, int64_t(8) << 20));
  TrialLaunch T = In.make(In.plan(true)[0], In.tightest({}), 0);
  EXPECT_EQ(text(T.Args[0]), R"({"bytes":"AAAA"})");
  EXPECT_EQ(text(T.Args[2]), R"({"local":96})");
}

TEST(Inputs, AStructureHasItsSize) {
  Inputs In(shape({argument(KernelArgument::Structure, "", 10)}), {}, 1);
  TrialLaunch L = In.make(In.plan(true)[0], In.tightest({}), 0);
  EXPECT_EQ(L.Args[0].getAsObject()->getString("bytes")->size(), 16u)
      << "base64 of 10 bytes";
}

TEST(Inputs, ADrawIsAFormulaForEveryNDRange) {
  KernelShape K = shape({argument(KernelArgument::Value, "int", 4),
                         argument(KernelArgument::Value, "int", 4)});
  K.Dimensions = 2;
  Inputs In(K, {}, 1);
  EXPECT_TRUE(In.hasDraws());
  auto arguments = [&](unsigned Draw, Recipe::Size Shape, unsigned Round) {
    Recipe R{Contents::Small, Shape};
    R.Draw = Draw;
    return text(In.make(R, In.tightest(R), Round).Args);
  };
  auto sizes = [](int First, int Second) {
    return formatv("[{{\"scalar\":{{\"type\":\"int\",\"value\":{0}}},"
                   "{{\"scalar\":{{\"type\":\"int\",\"value\":{1}}}]",
                   First, Second)
        .str();
  };
  EXPECT_EQ(arguments(1, Recipe::Even, 0), sizes(16, 8));
  EXPECT_EQ(arguments(1, Recipe::Some, 7), sizes(128, 32));
  EXPECT_EQ(arguments(3, Recipe::Odd, 0), sizes(52, 52));
  for (unsigned Draw = 1; Draw <= Inputs::Draws; ++Draw)
    EXPECT_EQ(arguments(Draw, Recipe::Even, 1),
              arguments(Draw, Recipe::Even, 2));
}

TEST(Inputs, NothingIsDrawnThatTheUserHasGiven) {
  auto A = argument(KernelArgument::Value, "int", 4);
  A.Name = "width";
  LaunchShape Given;
  Given.Scalars = {{"width", 77}};
  EXPECT_FALSE(Inputs(shape({A}), Given, 1).hasDraws());
  EXPECT_FALSE(Inputs(shape({argument(Buffer, "int", 4)}), {}, 1).hasDraws());
}

TEST(Inputs, TheNumbersOfTheTextAreAmongTheContents) {
  KernelShape K = shape({argument(Buffer, "int", 4)});
  K.Integers = {77};
  Inputs In(K, {}, 1);
  Recipe R{Contents::Text};
  std::string Args = text(In.make(R, In.tightest(R), 0).Args);
  for (const char *Number : {"76:", "77:", "78:"})
    EXPECT_NE(Args.find(Number), std::string::npos) << Args;
}

TEST(Inputs, WhatOnlyCountsIsSmallOnceALaunchTookLong) {
  KernelShape K = shape({argument(KernelArgument::Value, "int", 4),
                         argument(KernelArgument::Value, "int", 4)});
  K.Arguments[0].OnlyCounts = true;
  K.Integers = {2654435761};
  Inputs In(K, {}, 1);
  int64_t Counts = 0, Others = 0, ShortCounts = 0, ShortOthers = 0;
  for (unsigned Round = 0; Round < 64; ++Round)
    for (bool IsShort : {false, true}) {
      Recipe R;
      R.IsShort = IsShort;
      TrialLaunch L = In.make(R, In.tightest(R), Round);
      auto value = [&](size_t I) {
        return *L.Args[I].getAsObject()->getObject("scalar")->getInteger(
            "value");
      };
      int64_t &First = IsShort ? ShortCounts : Counts;
      int64_t &Second = IsShort ? ShortOthers : Others;
      First = std::max(First, value(0));
      Second = std::max(Second, value(1));
    }
  EXPECT_EQ(Counts, INT32_MAX);
  EXPECT_EQ(ShortCounts, 65536);
  EXPECT_EQ(Others, INT32_MAX);
  EXPECT_EQ(ShortOthers, INT32_MAX) << "it may be compared with that";
}
