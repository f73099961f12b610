// Programs that the plan knows, by their text, and the programs that are built
// beside them.
#include "../Layer.h"
#include "Stage.h"
#include <chrono>
#include <cstring>
#include <utility>

namespace clrewrite::layer::planned {

static std::string deviceText(cl_device_id D, cl_device_info What) {
  return queryText(Driver.clGetDeviceInfo, D, What);
}

static std::string trimmed(const std::string &Text) {
  size_t Begin = Text.find_first_not_of(" \t\n");
  size_t End = Text.find_last_not_of(" \t\n");
  return Begin == Text.npos ? "" : Text.substr(Begin, End - Begin + 1);
}

/// \p Options with one blank between two of them: drivers give back fewer
/// blanks than the host gave.
static std::string oneBlankEach(const std::string &Options) {
  std::string Out;
  for (char C : trimmed(Options))
    if (!strchr(" \t\n", C))
      Out += C;
    else if (Out.back() != ' ')
      Out += ' ';
  return Out;
}

static std::string buildText(cl_program P, cl_device_id D,
                             cl_program_build_info What) {
  return queryText(Driver.clGetProgramBuildInfo, P, D, What);
}

/// The devices that \p P is built for.
static std::vector<cl_device_id> builtDevices(cl_program P) {
  std::string Bytes =
      queryBytes(Driver.clGetProgramInfo, P, CL_PROGRAM_DEVICES);
  std::vector<cl_device_id> Out;
  for (size_t At = 0; At + sizeof(cl_device_id) <= Bytes.size();
       At += sizeof(cl_device_id)) {
    cl_device_id D;
    memcpy(&D, Bytes.data() + At, sizeof D);
    if (infoOf<cl_build_status>(Driver.clGetProgramBuildInfo, P, D,
                                CL_PROGRAM_BUILD_STATUS) == CL_BUILD_SUCCESS)
      Out.push_back(D);
  }
  return Out;
}

void DeviceOptions::set(cl_uint Count, const cl_device_id *Devices,
                        const char *Options) {
  std::string Text = Options ? Options : "";
  if (!Devices) {
    OfOne.clear();
    OfAll = std::move(Text);
    return;
  }
  for (cl_uint I = 0; I < Count; ++I)
    OfOne[Devices[I]] = Text;
}

std::optional<std::string> DeviceOptions::of(cl_device_id D) const {
  auto It = OfOne.find(D);
  return It != OfOne.end() ? It->second : OfAll;
}

/// Why \p P, as it is built for \p D, is not what \p Entry stands for; empty
/// where it is. The driver knows \p P by \p Handle.
static std::string mismatch(Program &P, cl_program Handle, cl_device_id D,
                            const plan::Program &Entry) {
  std::string Device = deviceText(D, CL_DEVICE_NAME);
  if (Device != Entry.Device)
    return "it is for the device " + Entry.Device + ", not for " + Device;
  std::string Version = deviceText(D, CL_DRIVER_VERSION);
  if (Version != Entry.Driver)
    return "it is for version " + Entry.Driver + " of the driver, not for " +
           Version;
  // What a driver tells may have fewer blanks, and PoCL leaves options out that
  // it does not know.
  std::optional<std::string> Passed;
  {
    std::lock_guard<std::mutex> Guard(P.Lock);
    Passed = P.Options.of(D);
  }
  std::string Options =
      Passed ? *Passed : buildText(Handle, D, CL_PROGRAM_BUILD_OPTIONS);
  if (oneBlankEach(Options) != oneBlankEach(Entry.Options))
    return "it is for the build options '" + Entry.Options + "', not for '" +
           Options + "'";
  // Kernels of two programs do not share them.
  if (infoOf<size_t>(Driver.clGetProgramBuildInfo, Handle, D,
                     CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE))
    return "the program has variables that outlive a launch";
  return "";
}

static void build(Built &B, cl_program Own) {
  const char *Text = B.From->Text.data();
  size_t Length = B.From->Text.size();
  cl_int Code = CL_SUCCESS;
  cl_program P = Driver.clCreateProgramWithSource(
      infoOf<cl_context>(Driver.clGetProgramInfo, Own, CL_PROGRAM_CONTEXT), 1,
      &Text, &Length, &Code);
  if (P)
    Code = Driver.clBuildProgram(P, cl_uint(B.Devices.size()), B.Devices.data(),
                                 B.From->Build.c_str(), nullptr, nullptr);
  if (P && Code == CL_SUCCESS) {
    B.Handle = P;
    return;
  }
  std::string Log =
      P ? trimmed(buildText(P, B.Devices[0], CL_PROGRAM_BUILD_LOG)) : "";
  tellOfProgram(B.From->Hash,
                "its text does not build (" + std::to_string(Code) + ")",
                (Log.empty() ? "" : ": " + Log.substr(0, Log.find('\n'))));
  if (P)
    Driver.clReleaseProgram(P);
}

/// The program of \p Entry beside \p Own, made where there is none yet.
static std::shared_ptr<Built> builtFor(Program &P, cl_program Own,
                                       const plan::Program &Entry,
                                       std::vector<cl_device_id> Devices) {
  auto find = [&]() -> std::shared_ptr<Built> {
    for (const auto &B : P.Made)
      if (B->From == &Entry && B->Devices == Devices)
        return B;
    return nullptr;
  };
  {
    std::lock_guard<std::mutex> Guard(P.Lock);
    if (auto B = find())
      return B;
  }
  auto New = std::make_shared<Built>(&Entry, Devices);
  auto Begun = std::chrono::steady_clock::now();
  build(*New, Own);
  std::chrono::nanoseconds Took = std::chrono::steady_clock::now() - Begun;
  stage()->BuildNs += uint64_t(Took.count());
  // Where another thread was quicker, ours goes.
  std::lock_guard<std::mutex> Guard(P.Lock);
  if (auto B = find())
    return B;
  P.Made.push_back(New);
  return New;
}

static Limits limitsOf(cl_kernel K, cl_device_id D) {
  Limits L{D};
  Driver.clGetKernelWorkGroupInfo(K, D, CL_KERNEL_WORK_GROUP_SIZE,
                                  sizeof L.MostItems, &L.MostItems, nullptr);
  Driver.clGetKernelWorkGroupInfo(K, D, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                  sizeof L.Required, &L.Required, nullptr);
  Driver.clGetDeviceInfo(D, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof L.MostSizes,
                         &L.MostSizes, nullptr);
  return L;
}

static cl_uint argumentCount(cl_kernel K) {
  cl_uint Count = 0;
  Driver.clGetKernelInfo(K, CL_KERNEL_NUM_ARGS, sizeof Count, &Count, nullptr);
  return Count;
}

/// Adds to \p K the mirrors of the kernel \p Name that \p B has.
static void addMirrors(Kernel &K, const std::shared_ptr<Built> &B,
                       const std::string &Name, cl_uint Arguments,
                       Counts &Count) {
  for (const plan::Kernel &Each : B->From->Kernels) {
    if (Each.Name != Name)
      continue;
    cl_int Code = CL_SUCCESS;
    OwnedKernel Made(Driver.clCreateKernel(B->Handle, Each.As.c_str(), &Code));
    if (!Made || argumentCount(Made.get()) != Arguments) {
      tellOfProgram(B->From->Hash,
                    "its text has no kernel " + Each.As +
                        (Made ? " with as many arguments as " + Name : ""));
      continue;
    }
    Mirror M;
    M.Plan = &Each;
    M.Of = B;
    M.Handle = std::move(Made);
    M.Count = &Count;
    M.Differs = !Each.Divide.empty() || !Each.Local.empty() ||
                oneBlankEach(B->From->Build) != oneBlankEach(B->From->Options);
    M.prepare(Arguments);
    K.Mirrors.push_back(std::move(M));
  }
}

void addMirrors(cl_program Handle, cl_kernel Own, const std::string &Name) {
  Stage &S = *stage();
  auto P = S.Programs.get(Handle);
  auto Counted = P ? S.Launches.find({P->Hash, Name}) : S.Launches.end();
  if (Counted == S.Launches.end())
    return;
  std::vector<cl_device_id> Devices = builtDevices(Handle);
  std::map<cl_device_id, std::string> Unlike;
  auto K = std::make_shared<Kernel>();
  for (const plan::Program &Entry : S.Plan.Programs) {
    if (Entry.Hash != P->Hash)
      continue;
    std::vector<cl_device_id> Fitting;
    for (cl_device_id D : Devices) {
      std::string Why = mismatch(*P, Handle, D, Entry);
      if (Why.empty())
        Fitting.push_back(D);
      // Nothing is wrong with a device that one of the entries fits.
      if (auto It = Unlike.find(D); It == Unlike.end() || !It->second.empty())
        Unlike[D] = Why;
    }
    if (Fitting.empty())
      continue;
    auto B = builtFor(*P, Handle, Entry, std::move(Fitting));
    if (B->Handle)
      addMirrors(*K, B, Name, argumentCount(Own), Counted->second);
  }
  for (const auto &[D, Why] : Unlike)
    if (!Why.empty())
      tellOfProgram(P->Hash, Why);
  if (K->Mirrors.empty())
    return;
  for (cl_device_id D : Devices)
    K->Devices.push_back(limitsOf(Own, D));
  S.Kernels.put(Own, std::move(K));
}

static cl_program CL_API_CALL withSource(cl_context Context, cl_uint Count,
                                         const char **Strings,
                                         const size_t *Lengths, cl_int *Error) {
  cl_program Handle =
      Driver.clCreateProgramWithSource(Context, Count, Strings, Lengths, Error);
  if (!Handle)
    return Handle;
  std::string Text;
  for (cl_uint I = 0; I < Count; ++I)
    Text.append(Strings[I],
                Lengths && Lengths[I] ? Lengths[I] : strlen(Strings[I]));
  Stage &S = *stage();
  auto P = std::make_shared<Program>();
  P->Hash = blobHash(Text);
  bool Known = false;
  for (const plan::Program &Entry : S.Plan.Programs)
    Known |= Entry.Hash == P->Hash;
  if (!Known)
    return Handle;
  {
    std::lock_guard<std::mutex> Guard(S.Lock);
    S.Met.insert(P->Hash);
  }
  S.Programs.put(Handle, std::move(P));
  return Handle;
}

/// Makes \p Call, which builds or compiles \p P with \p Options. \p P has them
/// from before the call on, since a callback may make kernels of it, and gets
/// those of its last build back where the call fails.
template <class F>
static cl_int withOptions(Program &P, bool Compiled, cl_uint Count,
                          const cl_device_id *Devices, const char *Options,
                          F Call) {
  DeviceOptions Before;
  bool WasCompiled;
  {
    std::lock_guard<std::mutex> Guard(P.Lock);
    Before = P.Options;
    WasCompiled = std::exchange(P.Compiled, Compiled);
    P.Options.set(Count, Devices, Options);
  }
  cl_int Code = Call();
  if (Code != CL_SUCCESS) {
    std::lock_guard<std::mutex> Guard(P.Lock);
    P.Options = std::move(Before);
    P.Compiled = WasCompiled;
  }
  return Code;
}

using Notify = void(CL_CALLBACK *)(cl_program, void *);

static cl_int CL_API_CALL buildProgram(cl_program Handle, cl_uint Count,
                                       const cl_device_id *Devices,
                                       const char *Options, Notify Tell,
                                       void *Data) {
  auto Call = [&] {
    return Driver.clBuildProgram(Handle, Count, Devices, Options, Tell, Data);
  };
  auto P = stage()->Programs.get(Handle);
  return P ? withOptions(*P, false, Count, Devices, Options, Call) : Call();
}

static cl_int CL_API_CALL compileProgram(
    cl_program Handle, cl_uint Count, const cl_device_id *Devices,
    const char *Options, cl_uint HeaderCount, const cl_program *Headers,
    const char **HeaderNames, Notify Tell, void *Data) {
  auto Call = [&] {
    return Driver.clCompileProgram(Handle, Count, Devices, Options, HeaderCount,
                                   Headers, HeaderNames, Tell, Data);
  };
  auto P = stage()->Programs.get(Handle);
  if (!P)
    return Call();
  if (HeaderCount)
    tellOfProgram(P->Hash, "the host gives it headers to compile it with");
  return withOptions(*P, HeaderCount == 0, Count, Devices, Options, Call);
}

/// What a program linked of \p Inputs with \p Options is to the plan: where
/// its only part is one that the plan knows, the plan's text is built in one
/// step for what the host compiles and links. Null where the plan has no say.
static std::shared_ptr<Program>
linkedOf(const char *Options, cl_uint InputCount, const cl_program *Inputs) {
  const std::string Given = trimmed(Options ? Options : "");
  std::shared_ptr<Program> Out;
  for (cl_uint I = 0; Inputs && I < InputCount; ++I) {
    auto Part = stage()->Programs.get(Inputs[I]);
    if (!Part)
      continue;
    if (InputCount > 1)
      tellOfProgram(Part->Hash, "it is linked with other programs");
    else if (!Given.empty())
      tellOfProgram(Part->Hash,
                    "it is linked with the options '" + Given + "'");
    else if (std::lock_guard<std::mutex> Guard(Part->Lock); Part->Compiled) {
      Out = std::make_shared<Program>();
      Out->Hash = Part->Hash;
      Out->Options = Part->Options;
    }
  }
  return Out;
}

static cl_program CL_API_CALL linkProgram(cl_context Context, cl_uint Count,
                                          const cl_device_id *Devices,
                                          const char *Options,
                                          cl_uint InputCount,
                                          const cl_program *Inputs, Notify Tell,
                                          void *Data, cl_int *Error) {
  std::shared_ptr<Program> P = linkedOf(Options, InputCount, Inputs);
  cl_program Made = Driver.clLinkProgram(Context, Count, Devices, Options,
                                         InputCount, Inputs, Tell, Data, Error);
  if (Made && P)
    stage()->Programs.put(Made, std::move(P));
  return Made;
}

void wrapPrograms(cl_icd_dispatch &Table) {
  wrap(Table.clCreateProgramWithSource, withSource);
  wrap(Table.clBuildProgram, buildProgram);
  wrap(Table.clCompileProgram, compileProgram);
  wrap(Table.clLinkProgram, linkProgram);
  // What was built beside a program goes with the last of its kernels.
  wrapCounting<Driver, stage, &Stage::Programs,
               &cl_icd_dispatch::clRetainProgram,
               &cl_icd_dispatch::clReleaseProgram>(Table);
}

} // namespace clrewrite::layer::planned
