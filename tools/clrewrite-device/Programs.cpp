// clBuildProgram with the options that make the figures readable.
#include "Programs.h"
#include <sstream>

namespace clrewrite::device {

static constexpr size_t MostKept = 64;

static std::string ownOptions(const Device &D, const std::string &Options) {
  std::string All = Options;
  auto Add = [&](const char *Option) {
    if (All.find(Option) == std::string::npos)
      All += (All.empty() ? "" : " ") + std::string(Option);
  };
  if (D.Has12)
    Add("-cl-kernel-arg-info");
  if (D.Kind == Driver::Nvidia)
    Add("-cl-nv-verbose");
  return All;
}

static std::string buildLog(const Device &D, cl_program P) {
  return queryText(clGetProgramBuildInfo, P, D.Id, CL_PROGRAM_BUILD_LOG)
      .value_or("");
}

static Result<Built> build(Device &D, const std::string &Source,
                           const std::string &Options) {
  if (Status S = D.open())
    return *S;
  Built B;
  B.Options = ownOptions(D, Options);
  const char *Text = Source.data();
  size_t Length = Source.size();
  cl_int Code = CL_SUCCESS;
  B.TheProgram = Program(
      clCreateProgramWithSource(D.TheContext.get(), 1, &Text, &Length, &Code));
  if (Code != CL_SUCCESS)
    return clProblem("clCreateProgramWithSource", Code);
  Code = clBuildProgram(B.TheProgram.get(), 1, &D.Id, B.Options.c_str(),
                        nullptr, nullptr);
  B.Log = buildLog(D, B.TheProgram.get());
  if (Code != CL_SUCCESS) {
    Problem P = clProblem("clBuildProgram", Code);
    P.Log = B.Log;
    return P;
  }
  return B;
}

std::string logOfPtx(Device &D, const std::string &Ptx,
                     const std::string &Options) {
  std::string Own, Word;
  for (std::istringstream Words(Options); Words >> Word;)
    if (Word.rfind("-cl-nv-", 0) == 0)
      Own += Word + " ";
  const auto *Bytes = reinterpret_cast<const unsigned char *>(Ptx.c_str());
  const size_t Size = Ptx.size() + 1; // with the zero that ends it
  cl_int Code = CL_SUCCESS;
  Program P(clCreateProgramWithBinary(D.TheContext.get(), 1, &D.Id, &Size,
                                      &Bytes, nullptr, &Code));
  if (Code != CL_SUCCESS)
    return "";
  // The driver calls the binary invalid where it has lost kernels whose
  // arguments it describes; ptxas has assembled all that are left by then.
  (void)clBuildProgram(P.get(), 1, &D.Id, Own.c_str(), nullptr, nullptr);
  return buildLog(D, P.get());
}

Result<Built *> Programs::get(Device &D, const std::string &Source,
                              const std::string &Options) {
  for (size_t I = 0; I < Entries.size(); ++I) {
    Entry &E = Entries[I];
    if (E.Where != &D || E.Source != Source || E.Options != Options)
      continue;
    Entry Moved = std::move(E);
    Entries.erase(Entries.begin() + long(I));
    Entries.push_front(std::move(Moved));
    return &Entries.front().Result;
  }
  Result<Built> B = build(D, Source, Options);
  if (!B)
    return B.problem();
  Entries.push_front({&D, Source, Options, std::move(*B)});
  if (Entries.size() > MostKept)
    Entries.pop_back();
  return &Entries.front().Result;
}

bool ask(Device &D, Programs &Cache, const char *Source, const char *Name,
         std::initializer_list<KernelArgument> Arguments, size_t WorkItems,
         void *Answer, size_t AnswerBytes) {
  Result<Built *> P = Cache.get(D, Source, "");
  if (!P)
    return false;
  cl_int Code = CL_SUCCESS;
  Kernel Asked(clCreateKernel((*P)->TheProgram.get(), Name, &Code));
  Memory There(clCreateBuffer(D.TheContext.get(),
                              CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                              AnswerBytes, Answer, &Code));
  if (!Asked || !There)
    return false;
  cl_uint Index = 0;
  for (const KernelArgument &A : Arguments)
    if (clSetKernelArg(Asked.get(), Index++, A.Bytes, A.Value))
      return false;
  const cl_mem Last = There.get();
  cl_command_queue Q = D.TheQueue.get();
  return !clSetKernelArg(Asked.get(), Index, sizeof Last, &Last) &&
         !clEnqueueNDRangeKernel(Q, Asked.get(), 1, nullptr, &WorkItems,
                                 nullptr, 0, nullptr, nullptr) &&
         !clEnqueueReadBuffer(Q, Last, CL_TRUE, 0, AnswerBytes, Answer, 0,
                              nullptr, nullptr);
}

} // namespace clrewrite::device
