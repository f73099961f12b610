// Tables of OpenCL's numbers and their names.
#include "Names.h"
#include <CL/cl_gl.h> // where newer headers have depth images with a stencil

namespace clrewrite::layer {

namespace {

struct Entry {
  cl_ulong Number;
  const char *Name;
};

} // namespace

template <size_t N>
static const char *nameOf(const Entry (&Table)[N], cl_ulong Number) {
  for (const Entry &E : Table)
    if (E.Number == Number)
      return E.Name;
  return "";
}

std::vector<std::string> flagNames(cl_mem_flags Flags) {
  static constexpr Entry Table[] = {
      {CL_MEM_READ_WRITE, "read_write"},
      {CL_MEM_WRITE_ONLY, "write_only"},
      {CL_MEM_READ_ONLY, "read_only"},
      {CL_MEM_USE_HOST_PTR, "use_host_ptr"},
      {CL_MEM_ALLOC_HOST_PTR, "alloc_host_ptr"},
      {CL_MEM_COPY_HOST_PTR, "copy_host_ptr"},
      {CL_MEM_HOST_WRITE_ONLY, "host_write_only"},
      {CL_MEM_HOST_READ_ONLY, "host_read_only"},
      {CL_MEM_HOST_NO_ACCESS, "host_no_access"},
      {CL_MEM_SVM_FINE_GRAIN_BUFFER, "svm_fine_grain"},
      {CL_MEM_SVM_ATOMICS, "svm_atomics"},
      {CL_MEM_KERNEL_READ_AND_WRITE, "kernel_read_and_write"},
  };
  std::vector<std::string> List;
  for (const Entry &E : Table)
    if (Flags & E.Number)
      List.push_back(E.Name);
  return List;
}

const char *imageTypeName(cl_mem_object_type Type) {
  static constexpr Entry Table[] = {
      {CL_MEM_OBJECT_IMAGE1D, "1d"},
      {CL_MEM_OBJECT_IMAGE1D_BUFFER, "1d_buffer"},
      {CL_MEM_OBJECT_IMAGE1D_ARRAY, "1d_array"},
      {CL_MEM_OBJECT_IMAGE2D, "2d"},
      {CL_MEM_OBJECT_IMAGE2D_ARRAY, "2d_array"},
      {CL_MEM_OBJECT_IMAGE3D, "3d"},
  };
  return nameOf(Table, Type);
}

const char *channelOrderName(cl_channel_order Order) {
  static constexpr Entry Table[] = {
      {CL_R, "R"},         {CL_A, "A"},
      {CL_RG, "RG"},       {CL_RA, "RA"},
      {CL_RGB, "RGB"},     {CL_RGBA, "RGBA"},
      {CL_BGRA, "BGRA"},   {CL_ARGB, "ARGB"},
      {CL_ABGR, "ABGR"},   {CL_INTENSITY, "INTENSITY"},
      {CL_Rx, "Rx"},       {CL_LUMINANCE, "LUMINANCE"},
      {CL_RGx, "RGx"},     {CL_RGBx, "RGBx"},
      {CL_DEPTH, "DEPTH"}, {CL_DEPTH_STENCIL, "DEPTH_STENCIL"},
      {CL_sRGB, "sRGB"},   {CL_sRGBx, "sRGBx"},
      {CL_sRGBA, "sRGBA"}, {CL_sBGRA, "sBGRA"},
  };
  return nameOf(Table, Order);
}

const char *channelTypeName(cl_channel_type Type) {
  static constexpr Entry Table[] = {
      {CL_SNORM_INT8, "SNORM_INT8"},
      {CL_SNORM_INT16, "SNORM_INT16"},
      {CL_UNORM_INT8, "UNORM_INT8"},
      {CL_UNORM_INT16, "UNORM_INT16"},
      {CL_UNORM_SHORT_565, "UNORM_SHORT_565"},
      {CL_UNORM_SHORT_555, "UNORM_SHORT_555"},
      {CL_UNORM_INT_101010, "UNORM_INT_101010"},
      {CL_UNORM_INT_101010_2, "UNORM_INT_101010_2"},
      {CL_SIGNED_INT8, "SIGNED_INT8"},
      {CL_SIGNED_INT16, "SIGNED_INT16"},
      {CL_SIGNED_INT32, "SIGNED_INT32"},
      {CL_UNSIGNED_INT8, "UNSIGNED_INT8"},
      {CL_UNSIGNED_INT16, "UNSIGNED_INT16"},
      {CL_UNSIGNED_INT32, "UNSIGNED_INT32"},
      {CL_HALF_FLOAT, "HALF_FLOAT"},
      {CL_FLOAT, "FLOAT"},
      {CL_UNORM_INT24, "UNORM_INT24"},
  };
  return nameOf(Table, Type);
}

const char *addressName(cl_addressing_mode Mode) {
  static constexpr Entry Table[] = {
      {CL_ADDRESS_NONE, "none"},
      {CL_ADDRESS_CLAMP_TO_EDGE, "clamp_to_edge"},
      {CL_ADDRESS_CLAMP, "clamp"},
      {CL_ADDRESS_REPEAT, "repeat"},
      {CL_ADDRESS_MIRRORED_REPEAT, "mirrored_repeat"},
  };
  return nameOf(Table, Mode);
}

const char *filterName(cl_filter_mode Mode) {
  return Mode == CL_FILTER_NEAREST  ? "nearest"
         : Mode == CL_FILTER_LINEAR ? "linear"
                                    : "";
}

} // namespace clrewrite::layer
