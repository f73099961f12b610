// Reading without changing what the program sees. The launch's queue is drained
// first, and what the launch waits for; then its memory is read through the
// same queue, the launch runs alone, and the memory is read again. Everything
// that the program can tell of it is the time it takes.
//
// Waiting is where this could hang: a command may wait for an event that only
// the program completes, later. While there is such an event no data is taken.
// A command may also wait for another queue's, which nobody has flushed yet: so
// all queues are flushed first.
#include "Data.h"
#include "Layer.h"
#include <cstdio>

namespace clrewrite::layer {

namespace {

/// One piece of memory that the launch may touch.
struct Piece {
  std::optional<unsigned> Argument;
  uint64_t Mem = 0, Parent = 0, Offset = 0, Bytes = 0;
  cl_mem Handle = nullptr;       // of a buffer or image
  std::shared_ptr<Memory> What;  // of a buffer or image
  const char *SvmBase = nullptr; // else
  std::string Before, After;     // blobs
  std::string Unreadable;
};

} // namespace

static std::vector<Piece> piecesOf(const DataLaunch &D) {
  std::vector<Piece> List;
  auto addSvm = [&](const void *Pointer, std::optional<unsigned> Argument) {
    auto Found = state()->Svm.find(Pointer);
    Piece P;
    P.Argument = Argument;
    if (Found) {
      P.Mem = Found->What.Id;
      P.Bytes = Found->What.Bytes;
      P.SvmBase = Found->Base;
    } else {
      P.Unreadable = "SVM memory of unknown size";
    }
    List.push_back(std::move(P));
  };
  for (unsigned I = 0; I < D.Arguments.size(); ++I) {
    const Argument &A = D.Arguments[I];
    if (A.Kind == Argument::Svm)
      addSvm(A.Pointer, I);
    if (A.Kind != Argument::Memory || !(A.Mem->isBuffer() || A.Mem->isImage()))
      continue;
    Piece P;
    P.Argument = I;
    P.Mem = A.Mem->Id;
    P.Parent = A.Mem->Parent;
    P.Offset = A.Mem->Offset;
    P.Bytes = A.Mem->Bytes;
    P.Handle = A.Handle;
    P.What = A.Mem;
    List.push_back(std::move(P));
  }
  for (const void *P : D.SvmPointers)
    addSvm(P, std::nullopt);
  return List;
}

namespace {

/// All of an image, as OpenCL's calls want it.
struct Region {
  size_t Origin[3] = {}, Size[3] = {1, 1, 1};

  explicit Region(const Memory &M) {
    unsigned I = 0;
    for (uint64_t Extent : {M.Width, M.Height, M.Depth, M.Layers})
      if (Extent && I < 3)
        Size[I++] = Extent;
  }
};

} // namespace

/// Reads what the host may not read by way of a buffer that it may.
static cl_int readByCopy(cl_command_queue Queue, const Piece &P, char *To) {
  cl_context C = nullptr;
  cl_int Code = Next.clGetCommandQueueInfo(Queue, CL_QUEUE_CONTEXT, sizeof C,
                                           &C, nullptr);
  if (Code != CL_SUCCESS)
    return Code;
  cl_mem Copy =
      Next.clCreateBuffer(C, CL_MEM_READ_WRITE, P.Bytes, nullptr, &Code);
  if (!Copy)
    return Code;
  Region R(*P.What);
  Code = P.What->isImage()
             ? Next.clEnqueueCopyImageToBuffer(Queue, P.Handle, Copy, R.Origin,
                                               R.Size, 0, 0, nullptr, nullptr)
             : Next.clEnqueueCopyBuffer(Queue, P.Handle, Copy, 0, 0, P.Bytes, 0,
                                        nullptr, nullptr);
  if (Code == CL_SUCCESS)
    Code = Next.clFinish(Queue);
  if (Code == CL_SUCCESS)
    Code = Next.clEnqueueReadBuffer(Queue, Copy, CL_TRUE, 0, P.Bytes, To, 0,
                                    nullptr, nullptr);
  Next.clReleaseMemObject(Copy);
  return Code;
}

static cl_int read(cl_command_queue Queue, const Piece &P, char *To) {
  if (P.SvmBase)
    return Next.clEnqueueSVMMemcpy(Queue, CL_TRUE, To, P.SvmBase, P.Bytes, 0,
                                   nullptr, nullptr);
  if (P.What->Flags & (CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_WRITE_ONLY))
    return readByCopy(Queue, P, To);
  if (!P.What->isImage())
    return Next.clEnqueueReadBuffer(Queue, P.Handle, CL_TRUE, 0, P.Bytes, To, 0,
                                    nullptr, nullptr);
  Region R(*P.What);
  return Next.clEnqueueReadImage(Queue, P.Handle, CL_TRUE, R.Origin, R.Size, 0,
                                 0, To, 0, nullptr, nullptr);
}

/// Fills in \p Member of every piece. Where a piece can't be read or kept, says
/// why and leaves it empty.
static void readAll(cl_command_queue Queue, std::vector<Piece> &Pieces,
                    std::string Piece::*Member, uint64_t LaunchId) {
  Folder &Out = *state()->Out;
  std::map<uint64_t, std::string> Done; // an object may be two arguments
  for (Piece &P : Pieces) {
    if (!P.Unreadable.empty())
      continue;
    if (auto It = Done.find(P.Mem); It != Done.end()) {
      P.*Member = It->second;
      continue;
    }
    if (P.Bytes > Out.settings().MaxBytes) {
      Out.drop("data", "a memory object is larger than the folder may be",
               LaunchId);
      continue;
    }
    std::string Bytes(P.Bytes, '\0');
    cl_int Code = read(Queue, P, Bytes.data());
    if (Code != CL_SUCCESS) {
      P.Unreadable =
          "the driver does not let it be read (" + std::to_string(Code) + ")";
      continue;
    }
    Folder::Kept Kept = Out.keep(Bytes, /*IsData=*/true);
    if (!Kept.Stored)
      Out.drop("data", "no room left within the folder's bound", LaunchId);
    Done[P.Mem] = P.*Member = Kept.Stored ? Kept.Hash : "";
  }
}

static Line describe(const Piece &P, uint64_t LaunchId, unsigned Sample) {
  Line L("data");
  L.number("launch", LaunchId).number("sample", Sample);
  P.Argument ? L.number("argument", *P.Argument) : L.null("argument");
  return std::move(L.id("mem", P.Mem)
                       .id("parent", P.Parent)
                       .number("offset", P.Offset)
                       .number("bytes", P.Bytes)
                       .textOrNull("before", P.Before)
                       .textOrNull("after", P.After)
                       .textOrNull("unreadable", P.Unreadable));
}

/// Says once that the program runs otherwise than it would.
static void tellOnce() {
  static std::atomic<bool> Told{false};
  if (Told.exchange(true))
    return;
  const char *Text = "recording data: launches whose data is recorded run one "
                     "at a time";
  fprintf(stderr, "clrewrite-layer: %s\n", Text);
  state()->Out->write(std::move(Line("note").text("text", Text)));
}

/// Waits until nothing is before the launch; false where that failed.
static bool drain(const DataLaunch &D) {
  for (auto &[Handle, Q] : state()->Queues.all())
    Next.clFlush(static_cast<cl_command_queue>(const_cast<void *>(Handle)));
  if (D.Waits && D.WaitList &&
      Next.clWaitForEvents(D.Waits, D.WaitList) != CL_SUCCESS)
    return false;
  return Next.clFinish(D.Handle) == CL_SUCCESS;
}

bool launchWithData(const DataLaunch &D, const std::function<cl_int()> &Do) {
  Layer &S = *state();
  if (S.OpenUserEvents > 0) {
    S.Out->drop("data", "an event that the program completes is open", D.Of.Id);
    return false;
  }
  if (D.Of.SamplesLeft->fetch_sub(1) <= 0) {
    ++*D.Of.SamplesLeft;
    return false;
  }
  tellOnce();
  if (!drain(D)) {
    S.Out->drop("data", "what the launch waits for has failed", D.Of.Id);
    return false;
  }
  std::vector<Piece> Pieces = piecesOf(D);
  readAll(D.Handle, Pieces, &Piece::Before, D.Of.Id);
  if (Do() != CL_SUCCESS)
    return true;
  Next.clFinish(D.Handle);
  readAll(D.Handle, Pieces, &Piece::After, D.Of.Id);
  unsigned Sample = D.Of.NextSample++;
  for (const Piece &P : Pieces)
    S.Out->write(describe(P, D.Of.Id, Sample));
  return true;
}

} // namespace clrewrite::layer
