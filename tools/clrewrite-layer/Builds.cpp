// Building, compiling and linking: the options, the headers and how it ended.
//
// With a callback the driver may go on in the background. Then the record is
// made when it calls back, just before the program's own callback.
#include "Layer.h"

namespace clrewrite::layer {

namespace {

using Notify = void(CL_CALLBACK *)(cl_program, void *);

/// One call, from its arguments to its record.
struct Step {
  const char *Name;
  std::string Options;
  /// What belongs to the one step or the other, as members of the line.
  std::vector<std::pair<std::string, uint64_t>> Headers; // name, program
  std::vector<std::pair<uint64_t, uint64_t>> Inputs;     // program, build
  /// Those that were named; else all of the program's.
  std::vector<cl_device_id> Devices;

  /// The program's own callback.
  Notify Tell = nullptr;
  void *TellData = nullptr;
  /// A record was made.
  std::atomic<bool> Recorded{false};

  std::string key(uint64_t Program) const;
};

struct Result {
  uint64_t Device;
  const char *Status;
  std::string Log;
};

} // namespace

std::string Step::key(uint64_t Program) const {
  std::string Key = Name + (" " + std::to_string(Program)) + "\n" + Options;
  for (const auto &[Header, Id] : Headers)
    Key += "\n" + Header + "=" + std::to_string(Id);
  for (const auto &[Id, Build] : Inputs)
    Key += "\n" + std::to_string(Id) + " " + std::to_string(Build);
  return Key;
}

static const char *statusName(cl_build_status Status) {
  return Status == CL_BUILD_SUCCESS       ? "success"
         : Status == CL_BUILD_ERROR       ? "error"
         : Status == CL_BUILD_IN_PROGRESS ? "in_progress"
                                          : "none";
}

static Result resultOf(cl_program P, cl_device_id D) {
  cl_build_status Status = CL_BUILD_NONE;
  Next.clGetProgramBuildInfo(P, D, CL_PROGRAM_BUILD_STATUS, sizeof Status,
                             &Status, nullptr);
  std::string Log =
      queryText(Next.clGetProgramBuildInfo, P, D, CL_PROGRAM_BUILD_LOG);
  std::string Blob;
  if (!Log.empty()) {
    Folder::Kept Kept = state()->Out->keep(Log);
    Blob = Kept.Stored ? Kept.Hash : "";
    if (!Kept.Stored)
      state()->Out->drop("log", "no room for a build log");
  }
  return {deviceOf(D)->Id, statusName(Status), Blob};
}

static Line describe(const Step &What, uint64_t Id, uint64_t Program,
                     const std::vector<Result> &Results, cl_int Code,
                     std::optional<uint64_t> Ns) {
  Line L("build");
  L.number("id", Id)
      .text("step", What.Name)
      .id("program", Program)
      .text("options", What.Options);
  L.openList("headers");
  for (const auto &[Name, Header] : What.Headers)
    L.openObject("").text("name", Name).id("program", Header).closeObject();
  L.closeList().openList("inputs");
  for (const auto &[Input, Build] : What.Inputs)
    L.openObject("").id("program", Input).id("build", Build).closeObject();
  L.closeList().openList("devices");
  for (const Result &R : Results)
    L.number("", R.Device);
  L.closeList().signedNumber("result", Code).openList("results");
  for (const Result &R : Results)
    L.openObject("")
        .number("device", R.Device)
        .text("status", R.Status)
        .textOrNull("log", R.Log)
        .closeObject();
  L.closeList();
  Ns ? L.number("ns", *Ns) : L.null("ns");
  return L;
}

/// Records how \p What ended for \p Handle, which may be null.
static void record(Step &What, cl_program Handle, cl_int Code,
                   std::optional<uint64_t> Ns) {
  Layer *S = state();
  if (!S || What.Recorded.exchange(true))
    return;
  std::shared_ptr<Program> P;
  std::vector<Result> Results;
  if (Handle) {
    P = What.Name[0] == 'l' ? enterLinked(Handle, What.key(0))
                            : programOf(Handle);
    const auto &Devices = What.Devices.empty() ? P->Devices : What.Devices;
    for (cl_device_id D : Devices)
      Results.push_back(resultOf(Handle, D));
  }
  uint64_t Program = P ? P->Id : 0;
  std::string Key = What.key(Program) + "\n" + std::to_string(Code);
  for (const Result &R : Results)
    Key += "\n" + std::to_string(R.Device) + R.Status + R.Log;
  uint64_t Id = S->BuildIds.of(Key, [&](uint64_t New) {
    S->Out->write(describe(What, New, Program, Results, Code, Ns));
  });
  if (P)
    P->Build = Id;
}

static void CL_CALLBACK called(cl_program Handle, void *Data) {
  auto *What = static_cast<Step *>(Data);
  bool Good = true;
  if (Layer *S = state(); S && Handle) {
    auto P = S->Programs.get(Handle);
    const auto &Devices =
        What->Devices.empty() && P ? P->Devices : What->Devices;
    for (cl_device_id D : Devices) {
      cl_build_status Status = CL_BUILD_NONE;
      Next.clGetProgramBuildInfo(Handle, D, CL_PROGRAM_BUILD_STATUS,
                                 sizeof Status, &Status, nullptr);
      Good &= Status == CL_BUILD_SUCCESS;
    }
  }
  cl_int Failure = What->Name[0] == 'b'   ? CL_BUILD_PROGRAM_FAILURE
                   : What->Name[0] == 'c' ? CL_COMPILE_PROGRAM_FAILURE
                                          : CL_LINK_PROGRAM_FAILURE;
  record(*What, Handle, Good ? CL_SUCCESS : Failure, std::nullopt);
  What->Tell(Handle, What->TellData);
}

/// The step of a call. It is kept for ever where there is a callback: a driver
/// may call back more than once.
static std::unique_ptr<Step> stepOf(const char *Name, const char *Options,
                                    cl_uint Count, const cl_device_id *Devices,
                                    Notify Tell, void *TellData) {
  auto What = std::make_unique<Step>();
  What->Name = Name;
  What->Options = Options ? Options : "";
  if (Devices)
    What->Devices.assign(Devices, Devices + Count);
  What->Tell = Tell;
  What->TellData = TellData;
  return What;
}

/// Records a call that has returned, unless its callback will.
static void finish(std::unique_ptr<Step> What, cl_program Handle, cl_int Code,
                   uint64_t Start) {
  if (!What->Tell || Code != CL_SUCCESS)
    record(*What, Handle, Code, nowNs() - Start);
  if (What->Tell)
    What.release();
}

static cl_int CL_API_CALL buildProgram(cl_program Handle, cl_uint Count,
                                       const cl_device_id *Devices,
                                       const char *Options, Notify Tell,
                                       void *Data) {
  if (!state())
    return Next.clBuildProgram(Handle, Count, Devices, Options, Tell, Data);
  auto What = stepOf("build", Options, Count, Devices, Tell, Data);
  uint64_t Start = nowNs();
  cl_int Code =
      Tell ? Next.clBuildProgram(Handle, Count, Devices, Options, called,
                                 What.get())
           : Next.clBuildProgram(Handle, Count, Devices, Options, Tell, Data);
  finish(std::move(What), Handle, Code, Start);
  return Code;
}

static cl_int CL_API_CALL compileProgram(
    cl_program Handle, cl_uint Count, const cl_device_id *Devices,
    const char *Options, cl_uint HeaderCount, const cl_program *Headers,
    const char **HeaderNames, Notify Tell, void *Data) {
  Layer *S = state();
  if (!S)
    return Next.clCompileProgram(Handle, Count, Devices, Options, HeaderCount,
                                 Headers, HeaderNames, Tell, Data);
  auto What = stepOf("compile", Options, Count, Devices, Tell, Data);
  for (cl_uint I = 0; Headers && HeaderNames && I < HeaderCount; ++I) {
    auto P = S->Programs.get(Headers[I]);
    What->Headers.push_back(
        {HeaderNames[I] ? HeaderNames[I] : "", P ? P->Id : 0});
  }
  uint64_t Start = nowNs();
  cl_int Code = Next.clCompileProgram(
      Handle, Count, Devices, Options, HeaderCount, Headers, HeaderNames,
      Tell ? called : Tell, Tell ? What.get() : Data);
  finish(std::move(What), Handle, Code, Start);
  return Code;
}

static cl_program CL_API_CALL linkProgram(cl_context Context, cl_uint Count,
                                          const cl_device_id *Devices,
                                          const char *Options,
                                          cl_uint InputCount,
                                          const cl_program *Inputs, Notify Tell,
                                          void *Data, cl_int *Error) {
  Layer *S = state();
  if (!S)
    return Next.clLinkProgram(Context, Count, Devices, Options, InputCount,
                              Inputs, Tell, Data, Error);
  auto What = stepOf("link", Options, Count, Devices, Tell, Data);
  for (cl_uint I = 0; Inputs && I < InputCount; ++I) {
    auto P = S->Programs.get(Inputs[I]);
    What->Inputs.push_back({P ? P->Id : 0, P ? P->Build.load() : 0});
  }
  uint64_t Start = nowNs();
  cl_int Code = CL_SUCCESS;
  cl_program Made =
      Next.clLinkProgram(Context, Count, Devices, Options, InputCount, Inputs,
                         Tell ? called : Tell, Tell ? What.get() : Data, &Code);
  finish(std::move(What), Made, Code, Start);
  if (Error)
    *Error = Code;
  return Made;
}

void wrapBuilds(cl_icd_dispatch &Table) {
  wrap(Table.clBuildProgram, buildProgram);
  wrap(Table.clCompileProgram, compileProgram);
  wrap(Table.clLinkProgram, linkProgram);
}

} // namespace clrewrite::layer
