// Buffers, sub-buffers, images and samplers. What they are is asked of the
// driver when they are made, so that all ways of making them are alike.
#include "Layer.h"

namespace clrewrite::layer {

bool Memory::isImage() const {
  return Type >= CL_MEM_OBJECT_IMAGE2D && Type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

static std::shared_ptr<Memory> describe(cl_mem Handle) {
  Layer &S = *state();
  auto M = std::make_shared<Memory>();
  M->Id = S.NextMemory++;
  M->Type =
      infoOf<cl_mem_object_type>(Next.clGetMemObjectInfo, Handle, CL_MEM_TYPE);
  M->Flags =
      infoOf<cl_mem_flags>(Next.clGetMemObjectInfo, Handle, CL_MEM_FLAGS);
  M->Bytes = infoOf<size_t>(Next.clGetMemObjectInfo, Handle, CL_MEM_SIZE);
  M->Offset = infoOf<size_t>(Next.clGetMemObjectInfo, Handle, CL_MEM_OFFSET);
  cl_mem Of = infoOf<cl_mem>(Next.clGetMemObjectInfo, Handle,
                             CL_MEM_ASSOCIATED_MEMOBJECT);
  if (auto Parent = Of ? S.Memories.get(Of) : nullptr) {
    M->Parent = Parent->Id;
    M->ParentBytes = Parent->Bytes;
  }
  if (M->isImage()) {
    M->Format =
        infoOf<cl_image_format>(Next.clGetImageInfo, Handle, CL_IMAGE_FORMAT);
    M->ElementBytes =
        infoOf<size_t>(Next.clGetImageInfo, Handle, CL_IMAGE_ELEMENT_SIZE);
    // Drivers differ in what they say of an extent that the type has not.
    M->Width = infoOf<size_t>(Next.clGetImageInfo, Handle, CL_IMAGE_WIDTH);
    if (M->Type == CL_MEM_OBJECT_IMAGE2D || M->Type == CL_MEM_OBJECT_IMAGE3D ||
        M->Type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
      M->Height = infoOf<size_t>(Next.clGetImageInfo, Handle, CL_IMAGE_HEIGHT);
    if (M->Type == CL_MEM_OBJECT_IMAGE3D)
      M->Depth = infoOf<size_t>(Next.clGetImageInfo, Handle, CL_IMAGE_DEPTH);
    if (M->Type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
        M->Type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
      M->Layers =
          infoOf<size_t>(Next.clGetImageInfo, Handle, CL_IMAGE_ARRAY_SIZE);
    auto orOne = [](uint64_t N) { return N ? N : 1; };
    M->Bytes = M->ElementBytes * orOne(M->Width) * orOne(M->Height) *
               orOne(M->Depth) * orOne(M->Layers);
  }
  std::string Key;
  for (uint64_t Each :
       {uint64_t(M->Type), uint64_t(M->Flags), M->Bytes, M->Offset,
        M->ParentBytes, uint64_t(M->Parent != 0),
        uint64_t(M->Format.image_channel_order),
        uint64_t(M->Format.image_channel_data_type), M->ElementBytes, M->Width,
        M->Height, M->Depth, M->Layers})
    Key += std::to_string(Each) + " ";
  M->Shape = S.MemoryShapes.of(Key, [](uint64_t) {});
  return M;
}

std::shared_ptr<Memory> memoryOf(cl_mem Handle, bool Adopt) {
  Layer &S = *state();
  auto Known = S.Memories.recent(Handle);
  return Known || !Adopt ? Known : S.Memories.adopt(Handle, describe(Handle));
}

/// Enters what the driver has made.
static cl_mem entered(cl_mem Handle) {
  if (Layer *S = state(); S && Handle)
    S->Memories.put(Handle, describe(Handle));
  return Handle;
}

void wrapMemory(cl_icd_dispatch &Table) {
  wrapBehind<&cl_icd_dispatch::clCreateBuffer, entered>(Table);
  wrapBehind<&cl_icd_dispatch::clCreateBufferWithProperties, entered>(Table);
  wrapBehind<&cl_icd_dispatch::clCreateSubBuffer, entered>(Table);
  wrapBehind<&cl_icd_dispatch::clCreateImage, entered>(Table);
  wrapBehind<&cl_icd_dispatch::clCreateImageWithProperties, entered>(Table);
  wrapBehind<&cl_icd_dispatch::clCreateImage2D, entered>(Table);
  wrapBehind<&cl_icd_dispatch::clCreateImage3D, entered>(Table);
  wrapBehind<&cl_icd_dispatch::clCreatePipe, entered>(Table);
  wrapBehind<&cl_icd_dispatch::clCreateFromGLBuffer, entered>(Table);
  wrapBehind<&cl_icd_dispatch::clCreateFromGLTexture, entered>(Table);
  wrapCounting<Next, state, &Layer::Memories,
               &cl_icd_dispatch::clRetainMemObject,
               &cl_icd_dispatch::clReleaseMemObject>(Table);
}

} // namespace clrewrite::layer
