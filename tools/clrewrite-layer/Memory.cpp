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

static cl_mem CL_API_CALL createBuffer(cl_context C, cl_mem_flags Flags,
                                       size_t Size, void *Host, cl_int *Error) {
  return entered(Next.clCreateBuffer(C, Flags, Size, Host, Error));
}

static cl_mem CL_API_CALL createBufferWithProperties(
    cl_context C, const cl_mem_properties *Properties, cl_mem_flags Flags,
    size_t Size, void *Host, cl_int *Error) {
  return entered(Next.clCreateBufferWithProperties(C, Properties, Flags, Size,
                                                   Host, Error));
}

static cl_mem CL_API_CALL createSubBuffer(cl_mem Parent, cl_mem_flags Flags,
                                          cl_buffer_create_type Type,
                                          const void *Info, cl_int *Error) {
  return entered(Next.clCreateSubBuffer(Parent, Flags, Type, Info, Error));
}

static cl_mem CL_API_CALL createImage(cl_context C, cl_mem_flags Flags,
                                      const cl_image_format *Format,
                                      const cl_image_desc *Description,
                                      void *Host, cl_int *Error) {
  return entered(
      Next.clCreateImage(C, Flags, Format, Description, Host, Error));
}

static cl_mem CL_API_CALL createImageWithProperties(
    cl_context C, const cl_mem_properties *Properties, cl_mem_flags Flags,
    const cl_image_format *Format, const cl_image_desc *Description, void *Host,
    cl_int *Error) {
  return entered(Next.clCreateImageWithProperties(C, Properties, Flags, Format,
                                                  Description, Host, Error));
}

static cl_mem CL_API_CALL createImage2D(cl_context C, cl_mem_flags Flags,
                                        const cl_image_format *Format,
                                        size_t Width, size_t Height,
                                        size_t Pitch, void *Host,
                                        cl_int *Error) {
  return entered(Next.clCreateImage2D(C, Flags, Format, Width, Height, Pitch,
                                      Host, Error));
}

static cl_mem CL_API_CALL createImage3D(cl_context C, cl_mem_flags Flags,
                                        const cl_image_format *Format,
                                        size_t Width, size_t Height,
                                        size_t Depth, size_t RowPitch,
                                        size_t SlicePitch, void *Host,
                                        cl_int *Error) {
  return entered(Next.clCreateImage3D(C, Flags, Format, Width, Height, Depth,
                                      RowPitch, SlicePitch, Host, Error));
}

static cl_mem CL_API_CALL createPipe(cl_context C, cl_mem_flags Flags,
                                     cl_uint PacketSize, cl_uint MaxPackets,
                                     const cl_pipe_properties *Properties,
                                     cl_int *Error) {
  return entered(
      Next.clCreatePipe(C, Flags, PacketSize, MaxPackets, Properties, Error));
}

static cl_mem CL_API_CALL fromGlBuffer(cl_context C, cl_mem_flags Flags,
                                       cl_GLuint Object, int *Error) {
  return entered(Next.clCreateFromGLBuffer(C, Flags, Object, Error));
}

static cl_mem CL_API_CALL fromGlTexture(cl_context C, cl_mem_flags Flags,
                                        cl_GLenum Target, cl_GLint Level,
                                        cl_GLuint Texture, cl_int *Error) {
  return entered(
      Next.clCreateFromGLTexture(C, Flags, Target, Level, Texture, Error));
}

void wrapMemory(cl_icd_dispatch &Table) {
  wrap(Table.clCreateBuffer, createBuffer);
  wrap(Table.clCreateBufferWithProperties, createBufferWithProperties);
  wrap(Table.clCreateSubBuffer, createSubBuffer);
  wrap(Table.clCreateImage, createImage);
  wrap(Table.clCreateImageWithProperties, createImageWithProperties);
  wrap(Table.clCreateImage2D, createImage2D);
  wrap(Table.clCreateImage3D, createImage3D);
  wrap(Table.clCreatePipe, createPipe);
  wrap(Table.clCreateFromGLBuffer, fromGlBuffer);
  wrap(Table.clCreateFromGLTexture, fromGlTexture);
  wrapCounting<Next, state, &Layer::Memories,
               &cl_icd_dispatch::clRetainMemObject,
               &cl_icd_dispatch::clReleaseMemObject>(Table);
}

} // namespace clrewrite::layer
