// Reads everything that a driver tells about a built program's kernels.
#include "Build.h"
#include "AmdNote.h"
#include "PtxParts.h"
#include "ZeInfo.h"
#include "opencl/ResultHash.h"
#include "ptxas/PtxasLog.h"
#include <CL/cl_ext.h>
#include <algorithm>
#include <set>

namespace clrewrite::device {

// CL_KERNEL_SPILL_MEM_SIZE_INTEL, which older headers do not have.
static constexpr cl_kernel_work_group_info SpillMemSizeIntel = 0x4109;

static const char *addressName(cl_kernel_arg_address_qualifier Qualifier) {
  switch (Qualifier) {
  case CL_KERNEL_ARG_ADDRESS_GLOBAL:
    return "global";
  case CL_KERNEL_ARG_ADDRESS_LOCAL:
    return "local";
  case CL_KERNEL_ARG_ADDRESS_CONSTANT:
    return "constant";
  default:
    return "private";
  }
}

static Json accessName(cl_kernel_arg_access_qualifier Qualifier) {
  switch (Qualifier) {
  case CL_KERNEL_ARG_ACCESS_READ_ONLY:
    return "read_only";
  case CL_KERNEL_ARG_ACCESS_WRITE_ONLY:
    return "write_only";
  case CL_KERNEL_ARG_ACCESS_READ_WRITE:
    return "read_write";
  default:
    return nullptr;
  }
}

static Json typeQualifiers(cl_kernel_arg_type_qualifier Qualifier) {
  Json List = Json::array();
  if (Qualifier & CL_KERNEL_ARG_TYPE_CONST)
    List.push_back("const");
  if (Qualifier & CL_KERNEL_ARG_TYPE_RESTRICT)
    List.push_back("restrict");
  if (Qualifier & CL_KERNEL_ARG_TYPE_VOLATILE)
    List.push_back("volatile");
  return List;
}

/// An argument as JSON; members that the driver doesn't tell are null.
static Json describeArgument(cl_kernel K, cl_uint Index) {
  auto Ask = [&](auto Zero, cl_kernel_arg_info What) {
    return query<decltype(Zero)>(clGetKernelArgInfo, K, Index, What);
  };
  auto Text = [&](cl_kernel_arg_info What) {
    auto Value = queryText(clGetKernelArgInfo, K, Index, What);
    return Value ? Json(*Value) : Json(nullptr);
  };
  auto Address =
      Ask(cl_kernel_arg_address_qualifier(), CL_KERNEL_ARG_ADDRESS_QUALIFIER);
  auto Access =
      Ask(cl_kernel_arg_access_qualifier(), CL_KERNEL_ARG_ACCESS_QUALIFIER);
  auto Type = Ask(cl_kernel_arg_type_qualifier(), CL_KERNEL_ARG_TYPE_QUALIFIER);
  Json J = Json::object();
  J["index"] = Index;
  J["name"] = Text(CL_KERNEL_ARG_NAME);
  J["type"] = Text(CL_KERNEL_ARG_TYPE_NAME);
  J["address"] = Address ? Json(addressName(*Address)) : Json(nullptr);
  J["access"] = Access ? accessName(*Access) : Json(nullptr);
  J["qualifiers"] = Type ? typeQualifiers(*Type) : Json(nullptr);
  return J;
}

/// The device's binary of \p P; empty where the driver gives none.
static std::string binaryOf(cl_program P) {
  auto Size = query<size_t>(clGetProgramInfo, P, CL_PROGRAM_BINARY_SIZES);
  if (!Size || !*Size)
    return "";
  std::string Binary(*Size, '\0');
  unsigned char *Into = reinterpret_cast<unsigned char *>(Binary.data());
  if (clGetProgramInfo(P, CL_PROGRAM_BINARIES, sizeof Into, &Into, nullptr) !=
      CL_SUCCESS)
    return "";
  return Binary;
}

/// A hash of NVIDIA's binary of \p B and of its options: two programs that have
/// the same one run the same code. The binary is PTX, to which ptxas puts a
/// register limit only later. Null for other drivers, whose binaries may tell
/// where in the text something stands.
static Json codeOf(const Device &D, const Built &B) {
  std::string Binary =
      D.Kind == Driver::Nvidia ? binaryOf(B.TheProgram.get()) : "";
  if (Binary.empty())
    return nullptr;
  Binary += '\0' + B.Options;
  return opencl::hashBytes(reinterpret_cast<const uint8_t *>(Binary.data()),
                           Binary.size());
}

static FiguresByKernel nvidiaFigures(const std::string &Log) {
  FiguresByKernel Out;
  for (auto &[Name, P] : ptxas::parsePtxasLog(Log)) {
    Figures &F = Out[Name];
    F.Vgprs = P.Registers;
    F.StackBytes = P.StackBytes;
    F.SpillBytes = P.SpillStoreBytes;
    F.SpillLoadBytes = P.SpillLoadBytes;
    F.LdsBytes = P.SharedBytes;
    F.From = "ptxas's lines in the build log";
  }
  return Out;
}

/// Reads the figures of the kernels \p Names that \p Known lacks since the
/// build log had no room for them, from logs of their own.
static void addCutOff(Device &D, const Built &B,
                      const std::vector<std::string> &Names,
                      FiguresByKernel &Known) {
  constexpr size_t KernelsOfLog = 8;
  std::vector<std::string> Missing;
  for (const std::string &Name : Names)
    if (!Known[Name].Vgprs)
      Missing.push_back(Name);
  // Where no kernel has any, the driver says nothing in its log.
  if (Missing.empty() || Missing.size() == Names.size())
    return;
  std::string Ptx = binaryOf(B.TheProgram.get());
  Ptx.resize(std::min(Ptx.find('\0'), Ptx.size()));
  for (size_t I = 0; I < Missing.size(); I += KernelsOfLog) {
    std::set<std::string> Some(
        Missing.begin() + long(I),
        Missing.begin() + long(std::min(Missing.size(), I + KernelsOfLog)));
    for (auto &[Name, F] :
         nvidiaFigures(logOfPtx(D, kernelsAlone(Ptx, Some), B.Options)))
      if (Some.count(Name))
        Known[Name] = F;
  }
}

/// The figures of each kernel from the vendor's own channel.
static FiguresByKernel vendorFigures(const Device &D, const Built &B) {
  switch (D.Kind) {
  case Driver::Nvidia:
    return nvidiaFigures(B.Log);
  case Driver::Intel:
    return readZebin(binaryOf(B.TheProgram.get()));
  case Driver::Amd:
  case Driver::Other: // other drivers of AMD hardware have the same note
    return readAmdNote(binaryOf(B.TheProgram.get()));
  case Driver::Pocl:
    break;
  }
  return {};
}

static std::string whyNone(Driver Kind) {
  switch (Kind) {
  case Driver::Nvidia:
    return "no figures: the build log has no ptxas lines";
  case Driver::Amd:
    return "no figures: the binary has no AMDGPU metadata note";
  case Driver::Intel:
    return "no figures: the binary has no .ze_info";
  default:
    return "no figures: this driver reports no registers";
  }
}

/// Adds to \p F what clGetKernelWorkGroupInfo knows.
static void addWorkGroupInfo(const Device &D, cl_kernel K, Figures &F) {
  auto Ask = [&](auto Zero, cl_kernel_work_group_info What) -> Count {
    auto Value = query<decltype(Zero)>(clGetKernelWorkGroupInfo, K, D.Id, What);
    return Value ? Count(*Value) : std::nullopt;
  };
  F.WorkGroupMax = Ask(size_t(), CL_KERNEL_WORK_GROUP_SIZE);
  F.PreferredMultiple =
      Ask(size_t(), CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
  if (!F.LdsBytes)
    F.LdsBytes = Ask(cl_ulong(), CL_KERNEL_LOCAL_MEM_SIZE);
  // PoCL answers 0 for every kernel, which is no measurement.
  if (D.Kind != Driver::Pocl)
    F.PrivateBytes = Ask(cl_ulong(), CL_KERNEL_PRIVATE_MEM_SIZE);
  if (D.Kind == Driver::Intel && !F.SpillBytes)
    F.SpillBytes = Ask(cl_ulong(), SpillMemSizeIntel);
  size_t Compile[3] = {0, 0, 0};
  if (clGetKernelWorkGroupInfo(K, D.Id, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                               sizeof Compile, Compile,
                               nullptr) == CL_SUCCESS &&
      Compile[0])
    F.CompileWorkGroup = {Compile[0], Compile[1], Compile[2]};
}

static Result<std::vector<Kernel>> kernelsOf(cl_program P) {
  cl_uint Count = 0;
  cl_int Code = clCreateKernelsInProgram(P, 0, nullptr, &Count);
  std::vector<cl_kernel> Raw(Count);
  if (Code == CL_SUCCESS && Count)
    Code = clCreateKernelsInProgram(P, Count, Raw.data(), nullptr);
  std::vector<Kernel> Kernels;
  if (Code != CL_SUCCESS)
    return clProblem("clCreateKernelsInProgram", Code);
  for (cl_kernel K : Raw)
    Kernels.emplace_back(K);
  return Kernels;
}

Result<Json> runBuild(Device &D, Programs &Cache, Request &Job) {
  std::string Source = Job.bytes("source");
  std::string Options = Job.text("options", "");
  if (Status S = Job.problem())
    return *S;
  Result<Built *> B = Cache.get(D, Source, Options);
  if (!B)
    return B.problem();
  Result<std::vector<Kernel>> Kernels = kernelsOf((*B)->TheProgram.get());
  if (!Kernels)
    return Kernels.problem();

  auto nameOf = [](const Kernel &K) {
    return queryText(clGetKernelInfo, K.get(), CL_KERNEL_FUNCTION_NAME)
        .value_or("");
  };
  FiguresByKernel Known = vendorFigures(D, **B);
  if (D.Kind == Driver::Nvidia) {
    std::vector<std::string> Names;
    for (const Kernel &K : *Kernels)
      Names.push_back(nameOf(K));
    addCutOff(D, **B, Names, Known);
  }
  std::map<std::string, Json> Sorted;
  for (const Kernel &K : *Kernels) {
    std::string Name = nameOf(K);
    cl_uint Arguments =
        query<cl_uint>(clGetKernelInfo, K.get(), CL_KERNEL_NUM_ARGS)
            .value_or(0);
    Json J = Json::object();
    J["name"] = Name;
    J["args"] = Json::array();
    for (cl_uint I = 0; I < Arguments; ++I)
      J["args"].push_back(describeArgument(K.get(), I));
    Figures F = Known.count(Name) ? Known[Name] : Figures();
    if (F.From.empty())
      F.From = whyNone(D.Kind);
    addWorkGroupInfo(D, K.get(), F);
    J["usage"] = F.toJson();
    Sorted.emplace(Name, std::move(J));
  }
  Json Answer = Json::object();
  Answer["options"] = (*B)->Options;
  Answer["log"] = (*B)->Log;
  Answer["code"] = codeOf(D, **B);
  Answer["kernels"] = Json::array();
  for (auto &[Name, J] : Sorted)
    Answer["kernels"].push_back(std::move(J));
  return Answer;
}

} // namespace clrewrite::device
