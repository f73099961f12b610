// The JSON of the job `run` is read and checked.
#include "LaunchRequest.h"
#include "Base64.h"

namespace clrewrite::device {

static constexpr uint64_t MostBytes = uint64_t(1) << 46;

/// What buffers and images have in common: "seed", "return" and the
/// argument's own "access".
static void parseMemory(Argument &A, Request &Outer, Request &In,
                        size_t Index) {
  A.Seed = In.count("seed", Index, UINT64_MAX);
  A.Return = In.flag("return", false);
  A.Access = Outer.text("access", "rw");
  if (A.Return && A.Bytes > MostReturned)
    In.fail("return", "only contents of up to 1 MiB are sent back");
  if (A.Access != "rw" && A.Access != "r" && A.Access != "w")
    Outer.fail("access", "expected \"rw\", \"r\" or \"w\"");
}

/// Its shape, and "fill", whose element is a channel.
static Result<Argument> parseImageArgument(Request Outer, Request In,
                                           size_t Index, KeptContents *Kept) {
  Argument A;
  A.What = Argument::Image;
  A.Shape = parseImage(In);
  A.Bytes = A.Shape.bytes();
  parseMemory(A, Outer, In, Index);
  std::string How = In.text("fill", "random");
  if (Status S = In.problem())
    return *S;
  Result<Fill> F = parseFill(How, A.Shape.Component, Kept);
  if (!F)
    return F.problem();
  A.Contents = std::move(*F);
  return A;
}

/// {"bytes", "seed", "fill", "type", "align", "return"} and the argument's
/// own "access".
static Result<Argument> parseBuffer(Request Outer, Request In, size_t Index,
                                    KeptContents *Kept) {
  Argument A;
  A.What = Argument::Buffer;
  A.Bytes = In.count("bytes", std::nullopt, MostBytes);
  A.Align = In.count("align", 0, 4096);
  parseMemory(A, Outer, In, Index);
  std::string How = In.text("fill", "random");
  std::string Default = How.rfind("ints:", 0) == 0     ? "int"
                        : How.rfind("floats:", 0) == 0 ? "float"
                                                       : "uchar";
  auto Type = parseType(In.text("type", Default.c_str()));
  if (!Type)
    In.fail("type", "no such type");
  if (A.Align & (A.Align - 1))
    In.fail("align", "expected a power of two");
  if (!A.Bytes)
    In.fail("bytes", "a buffer must have at least one byte");
  if (Status S = In.problem())
    return *S;
  Result<Fill> F = parseFill(How, *Type, Kept);
  if (!F)
    return F.problem();
  A.Contents = std::move(*F);
  return A;
}

static Result<Argument> parseArgument(Request Job, const Json &Object,
                                      size_t Index, KeptContents *Kept) {
  std::string Name = "args[" + std::to_string(Index) + "]";
  if (!Object.is_object())
    return badRequest(Name + ": expected an object");
  Request In = Job.inside(Object, Name);
  Argument A;
  if (auto Found = Object.find("buffer"); Found != Object.end()) {
    A.What = Argument::NullBuffer;
    if (Found->is_null())
      return A;
    if (Found->is_object())
      return parseBuffer(In, In.inside(*Found, "buffer"), Index, Kept);
    In.fail("buffer", "expected an object or null");
  } else if (const Json *Image = In.find("image")) {
    if (Image->is_object())
      return parseImageArgument(In, In.inside(*Image, "image"), Index, Kept);
    In.fail("image", "expected an object");
  } else if (const Json *Sampler = In.find("sampler")) {
    A.What = Argument::Sampler;
    if (Sampler->is_object()) {
      Request Inner = In.inside(*Sampler, "sampler");
      A.Sampling = parseSampler(Inner);
    } else {
      In.fail("sampler", "expected an object");
    }
  } else if (In.has("alias")) {
    A.What = Argument::Alias;
    A.Of = In.count("alias", std::nullopt, MostBytes);
    A.Offset = In.count("offset", 0, MostBytes);
  } else if (In.has("local")) {
    A.What = Argument::Local;
    A.Bytes = In.count("local", std::nullopt, MostBytes);
  } else if (const Json *Scalar = In.find("scalar")) {
    if (!Scalar->is_object() || !Scalar->contains("value"))
      return badRequest(Name + ".scalar: expected a type and a value");
    auto Type = parseType(In.inside(*Scalar, "scalar").text("type"));
    if (!Type)
      return badRequest(Name + ".scalar.type: no such type");
    auto Bytes = scalarBytes(*Type, (*Scalar)["value"]);
    if (!Bytes)
      return badRequest(Name + ": " + Bytes.problem().Message);
    A.Constant = std::move(*Bytes);
  } else if (In.has("bytes")) {
    auto Bytes = decodeBase64(In.text("bytes"));
    if (!Bytes || Bytes->empty())
      return badRequest(Name + ".bytes: expected base64 of at least a byte");
    A.Constant = std::move(*Bytes);
  } else {
    return badRequest(Name + ": expected buffer, image, sampler, alias, "
                             "local, scalar or bytes");
  }
  if (Status S = In.problem())
    return *S;
  return A;
}

static Guard parseGuard(Request &Job) {
  const Json *Value = Job.find("guard");
  if (!Value || (Value->is_boolean() && !Value->get<bool>()))
    return Guard::Off;
  if (Value->is_boolean() || (Value->is_string() && *Value == "end"))
    return Guard::End;
  if (Value->is_string() && *Value == "margins")
    return Guard::Margins;
  if (!Value->is_string() || *Value != "start")
    Job.fail("guard", "expected a boolean, \"start\", \"end\" or \"margins\"");
  return Guard::Start;
}

static LaunchSizes parseSizes(Request &In) {
  LaunchSizes S{In.sizes("global", true), In.sizes("local", false),
                In.sizes("offset", false)};
  if (!S.Local.empty() && S.Local.size() != S.Global.size())
    In.fail("local", "must have as many dimensions as global");
  if (!S.Offset.empty() && S.Offset.size() != S.Global.size())
    In.fail("offset", "must have as many dimensions as global");
  return S;
}

Result<LaunchRequest> parseLaunch(Request &Job, KeptContents *Kept) {
  LaunchRequest L;
  LaunchSizes Sizes = parseSizes(Job);
  L.Repeat = unsigned(Job.count("repeat", 20, 100000));
  L.Warmup = unsigned(Job.count("warmup", 3, 100000));
  L.EnoughSeconds = unsigned(Job.count("enough_s", 0, 86400));
  L.MoreMilliseconds = unsigned(Job.count("more_ms", 0, 86400000));
  L.Compare = Job.flag("compare", true);
  L.Time = Job.flag("time", false);
  L.AnyNan = Job.flag("any_nan", false);
  L.InsideOnly = Job.flag("inside_only", false);
  L.HashTimed = Job.flag("hash_timed", false);
  L.Reuse = Job.flag("reuse", false);
  L.LeavesMemory = Job.flag("leaves_memory", false);
  L.TheGuard = parseGuard(Job);
  L.SpreadRuns = unsigned(Job.count("spread", 0, 1000));
  if (L.Time && !L.Repeat)
    Job.fail("repeat", "must be at least 1 where time is asked for");

  const Json *Versions = Job.find("versions");
  if (!Versions || !Versions->is_array() || Versions->empty() ||
      Versions->size() > 32)
    Job.fail("versions", "expected a list of 1 to 32");
  if (L.SpreadRuns && Versions && Versions->is_array() && Versions->size() != 2)
    Job.fail("versions", "expected two, whose spread is compared");
  const Json *Arguments = Job.find("args");
  if (!Arguments || !Arguments->is_array())
    Job.fail("args", "expected a list");
  if (Status S = Job.problem())
    return *S;

  for (size_t I = 0; I < Versions->size(); ++I) {
    const Json &V = (*Versions)[I];
    std::string Name = "versions[" + std::to_string(I) + "]";
    if (!V.is_object())
      return badRequest(Name + ": expected an object");
    Request In = Job.inside(V, Name);
    L.Versions.push_back({In.bytes("source"), In.text("options", ""),
                          In.text("kernel"),
                          In.has("global") ? parseSizes(In) : Sizes});
  }
  if (Status S = Job.problem())
    return *S;
  for (size_t I = 0; I < Arguments->size(); ++I) {
    Result<Argument> A = parseArgument(Job, (*Arguments)[I], I, Kept);
    if (!A)
      return A.problem();
    L.Arguments.push_back(std::move(*A));
  }
  for (size_t I = 0; I < L.Arguments.size(); ++I) {
    const Argument &A = L.Arguments[I];
    if (A.What != Argument::Alias)
      continue;
    std::string Name = "args[" + std::to_string(I) + "].";
    if (A.Of >= L.Arguments.size() ||
        L.Arguments[A.Of].What != Argument::Buffer)
      return badRequest(Name + "alias: expected the index of a buffer");
    if (A.Offset >= L.Arguments[A.Of].Bytes)
      return badRequest(Name + "offset: the buffer has " +
                        std::to_string(L.Arguments[A.Of].Bytes) + " bytes");
  }
  return L;
}

} // namespace clrewrite::device
