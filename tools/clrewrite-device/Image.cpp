// Images are allocated, filled, and read back.
#include "Image.h"
#include <algorithm>

namespace clrewrite::device {

/// The largest width, height, depth and count of layers of an image like
/// \p S; 0 for what the device does not tell.
static std::array<size_t, 4> limits(const Device &D, const ImageShape &S) {
  auto Ask = [&](cl_device_info What) {
    return D.info<size_t>(What).value_or(0);
  };
  size_t Layers = Ask(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE);
  switch (S.Kind) {
  case CL_MEM_OBJECT_IMAGE1D_BUFFER:
    return {Ask(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE), 1, 1, 1};
  case CL_MEM_OBJECT_IMAGE3D:
    return {Ask(CL_DEVICE_IMAGE3D_MAX_WIDTH), Ask(CL_DEVICE_IMAGE3D_MAX_HEIGHT),
            Ask(CL_DEVICE_IMAGE3D_MAX_DEPTH), 1};
  default:
    return {Ask(CL_DEVICE_IMAGE2D_MAX_WIDTH), Ask(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
            1, Layers};
  }
}

Status checkImage(Device &D, const Argument &A) {
  const ImageShape &S = A.Shape;
  if (!D.info<cl_bool>(CL_DEVICE_IMAGE_SUPPORT).value_or(CL_FALSE))
    return refused("UNSUPPORTED", "the device has no images");
  cl_uint Count = 0;
  cl_context C = D.TheContext.get();
  cl_mem_flags Flags = flagsOf(A.Access);
  clGetSupportedImageFormats(C, Flags, S.Kind, 0, nullptr, &Count);
  std::vector<cl_image_format> Formats(Count);
  if (Count && clGetSupportedImageFormats(C, Flags, S.Kind, Count,
                                          Formats.data(), nullptr))
    Formats.clear();
  bool Has = std::any_of(Formats.begin(), Formats.end(), [&](auto &F) {
    return F.image_channel_order == S.Format.image_channel_order &&
           F.image_channel_data_type == S.Format.image_channel_data_type;
  });
  if (!Has)
    return refused("UNSUPPORTED", "the device has no " + S.describe() +
                                      " with access " + A.Access);
  std::array<size_t, 4> Most = limits(D, S);
  std::array<size_t, 4> Sizes = {S.Width, S.Height, S.Depth, S.Layers};
  for (size_t I = 0; I < Sizes.size(); ++I)
    if (Most[I] && Sizes[I] > Most[I])
      return tooLarge("a " + S.describe() + " has at most " +
                      std::to_string(Most[I]) +
                      (I == 3 ? " layers on this device, not "
                              : " pixels a side on this device, not ") +
                      std::to_string(Sizes[I]));
  return std::nullopt;
}

Status Image::allocate(const Argument &A) {
  cl_int Code = CL_SUCCESS;
  cl_context C = Where->TheContext.get();
  cl_image_desc Desc = {};
  Desc.image_type = Shape.Kind;
  Desc.image_width = Shape.Width;
  Desc.image_height = Shape.Height;
  Desc.image_depth = Shape.Depth;
  Desc.image_array_size = Shape.Layers;
  if (Shape.Kind == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
    Backing = Memory(
        clCreateBuffer(C, CL_MEM_READ_WRITE, Shape.bytes(), nullptr, &Code));
    if (Code != CL_SUCCESS)
      return clProblem("clCreateBuffer", Code);
    Desc.buffer = Backing.get();
  }
  Whole = Memory(clCreateImage(C, flagsOf(A.Access), &Shape.Format, &Desc,
                               nullptr, &Code));
  return Code == CL_SUCCESS ? Status() : clProblem("clCreateImage", Code);
}

Result<std::unique_ptr<MemoryObject>> Image::create(Device &D,
                                                    const Argument &A) {
  auto I = std::make_unique<Image>();
  I->Where = &D;
  I->Shape = A.Shape;
  I->Initial = HostMemory(A.Bytes);
  if (!I->Initial.data())
    return tooLarge("no host memory left for " + std::to_string(A.Bytes) +
                    " bytes");
  fillBytes(A.Contents, A.Seed, I->Initial.data(), A.Bytes);
  if (Status S = I->allocate(A))
    return *S;
  return std::unique_ptr<MemoryObject>(std::move(I));
}

static constexpr size_t Origin[3] = {0, 0, 0};

Status Image::reset() {
  cl_command_queue Q = Where->TheQueue.get();
  if (Backing) {
    cl_int Code =
        clEnqueueWriteBuffer(Q, Backing.get(), CL_TRUE, 0, Shape.bytes(),
                             Initial.data(), 0, nullptr, nullptr);
    return Code == CL_SUCCESS ? Status()
                              : clProblem("clEnqueueWriteBuffer", Code);
  }
  cl_int Code = clEnqueueWriteImage(Q, Whole.get(), CL_TRUE, Origin,
                                    Shape.region().data(), 0, 0, Initial.data(),
                                    0, nullptr, nullptr);
  return Code == CL_SUCCESS ? Status() : clProblem("clEnqueueWriteImage", Code);
}

Status Image::restore() {
  cl_command_queue Q = Where->TheQueue.get();
  cl_int Code = CL_SUCCESS;
  if (!Pristine) {
    Pristine = Memory(clCreateBuffer(Where->TheContext.get(), CL_MEM_READ_WRITE,
                                     Shape.bytes(), nullptr, &Code));
    if (Code != CL_SUCCESS)
      return clProblem("clCreateBuffer", Code);
    Code = clEnqueueWriteBuffer(Q, Pristine.get(), CL_TRUE, 0, Shape.bytes(),
                                Initial.data(), 0, nullptr, nullptr);
    if (Code != CL_SUCCESS)
      return clProblem("clEnqueueWriteBuffer", Code);
  }
  if (Backing) {
    Code = clEnqueueCopyBuffer(Q, Pristine.get(), Backing.get(), 0, 0,
                               Shape.bytes(), 0, nullptr, nullptr);
    return Code == CL_SUCCESS ? Status()
                              : clProblem("clEnqueueCopyBuffer", Code);
  }
  Code = clEnqueueCopyBufferToImage(Q, Pristine.get(), Whole.get(), 0, Origin,
                                    Shape.region().data(), 0, nullptr, nullptr);
  // NVIDIA's driver 580 refuses some kinds of image; the host is only slower.
  return Code == CL_SUCCESS ? Status() : reset();
}

Status Image::read(uint8_t *Into) const {
  cl_command_queue Q = Where->TheQueue.get();
  if (Backing) {
    cl_int Code = clEnqueueReadBuffer(Q, Backing.get(), CL_TRUE, 0,
                                      Shape.bytes(), Into, 0, nullptr, nullptr);
    return Code == CL_SUCCESS ? Status()
                              : clProblem("clEnqueueReadBuffer", Code);
  }
  cl_int Code =
      clEnqueueReadImage(Q, Whole.get(), CL_TRUE, Origin, Shape.region().data(),
                         0, 0, Into, 0, nullptr, nullptr);
  return Code == CL_SUCCESS ? Status() : clProblem("clEnqueueReadImage", Code);
}

Result<std::vector<Trespass>> Image::trespasses(Programs &) const {
  return std::vector<Trespass>();
}

Result<Sampler> createSampler(Device &D, const SamplerShape &S) {
  if (!D.info<cl_bool>(CL_DEVICE_IMAGE_SUPPORT).value_or(CL_FALSE))
    return refused("UNSUPPORTED", "the device has no images, so no samplers");
  cl_int Code = CL_SUCCESS;
  // OpenCL 2.0 has another call, which 1.2 lacks; this one works in both.
  Sampler Out(clCreateSampler(D.TheContext.get(), S.Normalised, S.Address,
                              S.Filter, &Code));
  if (Code != CL_SUCCESS)
    return clProblem("clCreateSampler", Code);
  return Out;
}

} // namespace clrewrite::device
