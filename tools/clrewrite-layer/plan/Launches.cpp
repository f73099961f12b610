// Launches: which of them take a mirror, and in what sizes.
//
// Whatever the driver refuses of a mirror, the program's own kernel is launched
// instead, so that an error is the one that it would have been. The other way
// round, a launch that the driver would refuse of the own kernel must not
// succeed: its limits are looked at first.
#include "../Layer.h"
#include "Stage.h"

namespace clrewrite::layer::planned {

namespace {

/// A launch as the host asks for it; sizes of dimensions that it lacks are 1.
struct Asked {
  cl_uint Dimensions;
  std::array<size_t, 3> Global, Local;
  bool HasLocal, HasOffset;
};

/// The sizes with which a mirror is launched.
struct Taken {
  std::array<size_t, 3> Global, Local;
  bool HasLocal;
};

} // namespace

static Asked askedFor(cl_uint Dimensions, const size_t *Offset,
                      const size_t *Global, const size_t *Local) {
  Asked A{Dimensions, {1, 1, 1}, {1, 1, 1}, Local != nullptr, false};
  for (cl_uint I = 0; I < Dimensions; ++I) {
    A.Global[I] = Global[I];
    A.Local[I] = Local ? Local[I] : 1;
    A.HasOffset |= Offset && Offset[I];
  }
  return A;
}

/// Whether the driver says that the own kernel can have such a local size.
static bool isWithin(const Asked &A, const Limits &L) {
  size_t Items = 1;
  for (size_t I = 0; I < 3; ++I) {
    if (A.Local[I] > L.MostSizes[I] || A.Local[I] > L.MostItems)
      return false;
    Items *= A.Local[I]; // three such factors are below 2^64 on any device
  }
  return Items <= L.MostItems;
}

/// Whether \p K, or another that is launched in other sizes or was built in
/// another way, can be launched like that.
static bool keepsTo(const Kernel &K, const Asked &A, const Limits &L,
                    bool Differs) {
  for (size_t I = 0; I < 3; ++I) {
    if (A.Global[I] == 0 || A.Local[I] == 0)
      return false;
    if (L.Required[0] && (!A.HasLocal || A.Local[I] != L.Required[I]))
      return false;
    if (Differs && A.HasLocal && A.Global[I] % A.Local[I])
      return false;
  }
  return isWithin(A, L) || K.hasAccepted(L.Device, A.Local);
}

/// Whether \p M stands for the launch: Taken, with the sizes in \p Out, or why
/// not.
static Fate fateOf(const Kernel &K, const Mirror &M, const Asked &A,
                   const Limits &L, Taken &Out) {
  const plan::Kernel &P = *M.Plan;
  if (M.RefusedCount)
    return Fate::RefusedArgument;
  if (M.HoldCount != M.Holds.size())
    return Fate::Argument;
  if (M.ApartCount != M.AreApart.size())
    return Fate::Apart;
  if (!keepsTo(K, A, L, M.Differs))
    return Fate::OwnLimits;
  if (P.When.Local && P.When.Local->empty() == A.HasLocal)
    return Fate::Local;
  if (A.HasOffset && !P.Divide.empty())
    return Fate::Offset;
  Out.HasLocal = A.HasLocal || !P.Local.empty();
  bool Changes = !P.Divide.empty() || !P.Local.empty();
  for (size_t I = 0; I < 3; ++I) {
    uint64_t Divisor = plan::sizeOr1(P.Divide, I);
    if (A.Global[I] % Divisor ||
        A.Global[I] % plan::sizeOr1(P.When.Multiple, I))
      return Fate::Multiple;
    if (P.When.Local && A.HasLocal &&
        A.Local[I] != plan::sizeOr1(*P.When.Local, I))
      return Fate::Local;
    Out.Global[I] = A.Global[I] / Divisor;
    Out.Local[I] = P.Local.empty() ? A.Local[I] : plan::sizeOr1(P.Local, I);
    if (Changes && Out.HasLocal && Out.Global[I] % Out.Local[I])
      return Fate::Multiple;
  }
  return Fate::Taken;
}

/// The limits of the kernel on the queue's device; null where it was not built
/// for that. A program has one device mostly, so that nothing need be asked.
static const Limits *limitsOn(const Kernel &K, cl_command_queue Queue) {
  if (K.Devices.size() == 1)
    return &K.Devices[0];
  cl_device_id D = nullptr;
  Driver.clGetCommandQueueInfo(Queue, CL_QUEUE_DEVICE, sizeof D, &D, nullptr);
  for (const Limits &L : K.Devices)
    if (L.Device == D)
      return &L;
  return nullptr;
}

static bool isBuiltFor(const Mirror &M, cl_device_id D) {
  for (cl_device_id Each : M.Of->Devices)
    if (Each == D)
      return true;
  return false;
}

/// Launches a mirror by \p CallMirror(kernel, sizes) or the own kernel by \p
/// CallOwn().
template <class OfMirror, class OfOwn>
static cl_int launch(cl_command_queue Queue, Kernel &K, const Asked &A,
                     const OfMirror &CallMirror, const OfOwn &CallOwn) {
  Fate First = Fate::Device;
  const Limits *L = limitsOn(K, Queue);
  for (const Mirror &M : K.Mirrors) {
    Taken Sizes;
    Fate F = stage()->Off.load(std::memory_order_relaxed) ? Fate::Extension
             : !L || !isBuiltFor(M, L->Device) ? Fate::Device
                                               : fateOf(K, M, A, *L, Sizes);
    if (F == Fate::Taken) {
      cl_int Code = CallMirror(M.Handle.get(), Sizes);
      if (Code == CL_SUCCESS) {
        M.Count->add(Fate::Taken);
        return Code;
      }
      F = Fate::RefusedLaunch;
    }
    if (First == Fate::Device)
      First = F;
  }
  cl_int Code = CallOwn();
  // What the driver refuses is no launch.
  if (Code == CL_SUCCESS) {
    K.Mirrors[0].Count->add(First);
    if (First == Fate::OwnLimits && A.HasLocal)
      K.accept(L->Device, A.Local);
  }
  return Code;
}

static cl_int CL_API_CALL
enqueueNDRange(cl_command_queue Queue, cl_kernel Handle, cl_uint Dimensions,
               const size_t *Offset, const size_t *Global, const size_t *Local,
               cl_uint Waits, const cl_event *WaitList, cl_event *Event) {
  auto Own = [&] {
    return Driver.clEnqueueNDRangeKernel(Queue, Handle, Dimensions, Offset,
                                         Global, Local, Waits, WaitList, Event);
  };
  const auto &K = stage()->Kernels.recent(Handle);
  // The driver refuses calls that are not launches.
  if (!K || Dimensions < 1 || Dimensions > 3 || !Global)
    return Own();
  auto OfMirror = [&](cl_kernel M, const Taken &T) {
    return Driver.clEnqueueNDRangeKernel(
        Queue, M, Dimensions, Offset, T.Global.data(),
        T.HasLocal ? T.Local.data() : nullptr, Waits, WaitList, Event);
  };
  return launch(Queue, *K, askedFor(Dimensions, Offset, Global, Local),
                OfMirror, Own);
}

static cl_int CL_API_CALL enqueueTask(cl_command_queue Queue, cl_kernel Handle,
                                      cl_uint Waits, const cl_event *WaitList,
                                      cl_event *Event) {
  auto Own = [&] {
    return Driver.clEnqueueTask(Queue, Handle, Waits, WaitList, Event);
  };
  const auto &K = stage()->Kernels.recent(Handle);
  if (!K)
    return Own();
  const size_t One = 1;
  // A global size of 1 can't be divided, and a local size other than 1 does not
  // fit it.
  auto OfMirror = [&](cl_kernel M, const Taken &) {
    return Driver.clEnqueueTask(Queue, M, Waits, WaitList, Event);
  };
  return launch(Queue, *K, askedFor(1, nullptr, &One, &One), OfMirror, Own);
}

void wrapLaunches(cl_icd_dispatch &Table) {
  wrap(Table.clEnqueueNDRangeKernel, enqueueNDRange);
  wrap(Table.clEnqueueTask, enqueueTask);
}

} // namespace clrewrite::layer::planned
