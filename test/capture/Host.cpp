// A host program for tests of captures: its words say what it does, in order.
//
//   text=TEXT      adds a string to the program's source
//   file=PATH      adds a file
//   raw=PATH       adds what stands between R"CL( and )CL" in a file
//   clear          starts a new source
//   header=NAME:PATH  a header for clCompileProgram
//   options=TEXT   for the next builds
//   link           the next programs are compiled and linked
//   binary         the next programs are made of binaries
//   svm            the next launches reach SVM memory through pointers
//   unset          the next launches write to memory that was never set
//   overlap        the next launches get a buffer and a part of it
//   kernel=NAME    builds, launches, prints a sum of what it wrote
//   exit=CODE      ends
//   clock          prints what differs from run to run
//
// Kernels have the parameters (global float *in, global float *out, int n).
#include "../layer/Host.h"
#include <chrono>
#include <fstream>
#include <sstream>

namespace {

constexpr cl_int Items = 256;

std::string contents(const std::string &Path) {
  std::ifstream In(Path, std::ios::binary);
  std::stringstream All;
  All << In.rdbuf();
  if (!In) {
    fprintf(stderr, "cannot read %s\n", Path.c_str());
    exit(2);
  }
  return All.str();
}

std::string rawString(const std::string &Path) {
  std::string All = contents(Path);
  size_t Begin = All.find("R\"CL(") + 5;
  return All.substr(Begin, All.find(")CL\"") - Begin);
}

class Host {
  cl_device_id Device = allDevices().front();
  cl_context Context = newContext({Device});
  cl_command_queue Queue = newQueue(Context, Device);
  std::vector<std::string> Strings;
  std::vector<std::pair<std::string, std::string>> Headers;
  std::string Options;
  bool Link = false, Binary = false, Svm = false, Unset = false,
       Overlap = false;

  cl_program fromStrings(const std::vector<std::string> &List) {
    std::vector<const char *> Starts;
    for (const std::string &S : List)
      Starts.push_back(S.c_str());
    cl_int Code;
    cl_program P = clCreateProgramWithSource(Context, cl_uint(Starts.size()),
                                             Starts.data(), nullptr, &Code);
    check(Code, "clCreateProgramWithSource");
    return P;
  }

  cl_program compiled() {
    std::vector<cl_program> Programs;
    std::vector<const char *> Names;
    for (const auto &[Name, Path] : Headers) {
      Programs.push_back(fromStrings({contents(Path)}));
      Names.push_back(Name.c_str());
    }
    cl_program P = fromStrings(Strings);
    check(clCompileProgram(P, 0, nullptr, Options.c_str(),
                           cl_uint(Names.size()), Programs.data(), Names.data(),
                           nullptr, nullptr),
          "clCompileProgram");
    cl_int Code;
    P = clLinkProgram(Context, 0, nullptr, "", 1, &P, nullptr, nullptr, &Code);
    check(Code, "clLinkProgram");
    return P;
  }

  cl_program built() {
    cl_program P = fromStrings(Strings);
    check(clBuildProgram(P, 0, nullptr, Options.c_str(), nullptr, nullptr),
          "clBuildProgram");
    return Binary ? again(P) : P;
  }

  cl_program again(cl_program P) {
    size_t Size = 0;
    check(clGetProgramInfo(P, CL_PROGRAM_BINARY_SIZES, sizeof Size, &Size,
                           nullptr),
          "CL_PROGRAM_BINARY_SIZES");
    std::vector<unsigned char> Bytes(Size);
    unsigned char *Start = Bytes.data();
    check(
        clGetProgramInfo(P, CL_PROGRAM_BINARIES, sizeof Start, &Start, nullptr),
        "CL_PROGRAM_BINARIES");
    cl_int Code;
    const unsigned char *Const = Start;
    P = clCreateProgramWithBinary(Context, 1, &Device, &Size, &Const, nullptr,
                                  &Code);
    check(Code, "clCreateProgramWithBinary");
    check(clBuildProgram(P, 0, nullptr, nullptr, nullptr, nullptr),
          "clBuildProgram");
    return P;
  }

  void run(const std::string &Name) {
    cl_kernel K = newKernel(Link || !Headers.empty() ? compiled() : built(),
                            Name.c_str());
    std::vector<float> Values(2 * Items);
    for (size_t I = 0; I < Values.size(); ++I)
      Values[I] = float(I % 17);
    size_t Bytes = Values.size() * sizeof(float);
    cl_mem In =
        newBuffer(Context, Bytes, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                  Values.data());
    cl_mem Whole = Unset ? newBuffer(Context, Bytes)
                         : newBuffer(Context, Bytes,
                                     CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                     Values.data());
    if (Overlap) {
      cl_buffer_region Part = {Bytes / 2, Bytes / 2};
      cl_int Code;
      Whole = In;
      In = clCreateSubBuffer(Whole, CL_MEM_READ_ONLY,
                             CL_BUFFER_CREATE_TYPE_REGION, &Part, &Code);
      check(Code, "clCreateSubBuffer");
    }
    setArg(K, 0, In);
    setArg(K, 1, Whole);
    setArg(K, 2, Items);
    if (Svm) {
      void *Memory = clSVMAlloc(Context, CL_MEM_READ_WRITE, 64, 0);
      check(clSetKernelExecInfo(K, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof Memory,
                                &Memory),
            "clSetKernelExecInfo");
    }
    launch(Queue, K, size_t(Items));
    check(clEnqueueReadBuffer(Queue, Whole, CL_TRUE, 0, Bytes / 2,
                              Values.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
    double Sum = 0;
    for (size_t I = 0; I < size_t(Items); ++I)
      Sum += Values[I] * double(I + 1);
    printf("%s %.9g\n", Name.c_str(), Sum);
  }

public:
  void word(const std::string &Word) {
    size_t Is = Word.find('=');
    std::string Key = Word.substr(0, Is);
    std::string Value = Is == Word.npos ? "" : Word.substr(Is + 1);
    if (Key == "text")
      Strings.push_back(Value + "\n");
    else if (Key == "file")
      Strings.push_back(contents(Value));
    else if (Key == "raw")
      Strings.push_back(rawString(Value));
    else if (Key == "clear")
      Strings.clear();
    else if (Key == "header")
      Headers.push_back({Value.substr(0, Value.find(':')),
                         Value.substr(Value.find(':') + 1)});
    else if (Key == "options")
      Options = Value;
    else if (Key == "link")
      Link = true;
    else if (Key == "binary")
      Binary = true;
    else if (Key == "svm")
      Svm = true;
    else if (Key == "unset")
      Unset = true;
    else if (Key == "overlap")
      Overlap = true;
    else if (Key == "kernel")
      run(Value);
    else if (Key == "exit")
      exit(atoi(Value.c_str()));
    else if (Key == "clock")
      printf("at %lld\n",
             static_cast<long long>(
                 std::chrono::steady_clock::now().time_since_epoch().count()));
    else
      fprintf(stderr, "unknown: %s\n", Word.c_str()), exit(2);
  }
};

} // namespace

int main(int Argc, char **Argv) {
  Host H;
  for (int I = 1; I < Argc; ++I)
    H.word(Argv[I]);
  return 0;
}
