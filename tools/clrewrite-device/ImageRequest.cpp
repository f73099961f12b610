// The JSON of images and samplers is read and checked.
#include "ImageRequest.h"

namespace clrewrite::device {

namespace {

struct TypeEntry {
  const char *Name;
  cl_mem_object_type Kind;
  /// Which sizes it has beside the width.
  bool Height, Depth, Layers;
};

constexpr TypeEntry Types[] = {
    {"1d", CL_MEM_OBJECT_IMAGE1D, false, false, false},
    {"1d_buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, false, false, false},
    {"1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY, false, false, true},
    {"2d", CL_MEM_OBJECT_IMAGE2D, true, false, false},
    {"2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY, true, false, true},
    {"3d", CL_MEM_OBJECT_IMAGE3D, true, true, false},
};

struct OrderEntry {
  const char *Name;
  cl_channel_order Order;
  unsigned Channels;
};

constexpr OrderEntry Orders[] = {
    {"R", CL_R, 1},
    {"A", CL_A, 1},
    {"RG", CL_RG, 2},
    {"RA", CL_RA, 2},
    {"RGBA", CL_RGBA, 4},
    {"BGRA", CL_BGRA, 4},
    {"ARGB", CL_ARGB, 4},
    {"INTENSITY", CL_INTENSITY, 1},
    {"LUMINANCE", CL_LUMINANCE, 1},
};

struct ChannelEntry {
  const char *Name;
  cl_channel_type Type;
  ScalarType Component;
};

constexpr ChannelEntry Channels[] = {
    {"SNORM_INT8", CL_SNORM_INT8, {ScalarType::Signed, 1, 1}},
    {"SNORM_INT16", CL_SNORM_INT16, {ScalarType::Signed, 2, 1}},
    {"UNORM_INT8", CL_UNORM_INT8, {ScalarType::Unsigned, 1, 1}},
    {"UNORM_INT16", CL_UNORM_INT16, {ScalarType::Unsigned, 2, 1}},
    {"SIGNED_INT8", CL_SIGNED_INT8, {ScalarType::Signed, 1, 1}},
    {"SIGNED_INT16", CL_SIGNED_INT16, {ScalarType::Signed, 2, 1}},
    {"SIGNED_INT32", CL_SIGNED_INT32, {ScalarType::Signed, 4, 1}},
    {"UNSIGNED_INT8", CL_UNSIGNED_INT8, {ScalarType::Unsigned, 1, 1}},
    {"UNSIGNED_INT16", CL_UNSIGNED_INT16, {ScalarType::Unsigned, 2, 1}},
    {"UNSIGNED_INT32", CL_UNSIGNED_INT32, {ScalarType::Unsigned, 4, 1}},
    {"HALF_FLOAT", CL_HALF_FLOAT, {ScalarType::Float, 2, 1}},
    {"FLOAT", CL_FLOAT, {ScalarType::Float, 4, 1}},
};

struct AddressEntry {
  const char *Name;
  cl_addressing_mode Mode;
  bool NeedsNormalised;
};

constexpr AddressEntry Addresses[] = {
    {"none", CL_ADDRESS_NONE, false},
    {"clamp_to_edge", CL_ADDRESS_CLAMP_TO_EDGE, false},
    {"clamp", CL_ADDRESS_CLAMP, false},
    {"repeat", CL_ADDRESS_REPEAT, true},
    {"mirrored_repeat", CL_ADDRESS_MIRRORED_REPEAT, true},
};

/// The entry of \p Table called by the member \p Name; where there is none,
/// \p In remembers it and the first entry stands in.
template <typename Entry, size_t N>
const Entry &choose(Request &In, const char *Name, const char *Default,
                    const Entry (&Table)[N]) {
  std::string Wanted = In.text(Name, Default), Known;
  for (const Entry &E : Table) {
    if (Wanted == E.Name)
      return E;
    Known += std::string(Known.empty() ? "" : ", ") + E.Name;
  }
  In.fail(Name, "expected one of " + Known);
  return Table[0];
}

/// One size in pixels: needed where the type \p Has it, else refused.
size_t size(Request &In, const char *Name, bool Has) {
  if (!Has) {
    if (In.has(Name))
      In.fail(Name, "an image of this type has none");
    return 1;
  }
  size_t Pixels = In.count(Name, std::nullopt, uint64_t(1) << 28);
  if (!Pixels)
    In.fail(Name, "must be at least 1");
  return Pixels ? Pixels : 1;
}

} // namespace

std::array<size_t, 3> ImageShape::region() const {
  // One of the factors is 1: a type has at most a depth or layers.
  if (Kind == CL_MEM_OBJECT_IMAGE1D_ARRAY)
    return {Width, Layers, 1};
  return {Width, Height, Depth * Layers};
}

std::string ImageShape::describe() const {
  return Type + " image of " + Order + " " + Channel;
}

ImageShape parseImage(Request &In) {
  ImageShape S;
  const TypeEntry &T = choose(In, "type", "2d", Types);
  const OrderEntry &O = choose(In, "channel_order", "RGBA", Orders);
  const ChannelEntry &C = choose(In, "channel_type", "FLOAT", Channels);
  S.Type = T.Name;
  S.Kind = T.Kind;
  S.Order = O.Name;
  S.Channel = C.Name;
  S.Format = {O.Order, C.Type};
  S.Channels = O.Channels;
  S.Component = C.Component;
  S.Width = size(In, "width", true);
  S.Height = size(In, "height", T.Height);
  S.Depth = size(In, "depth", T.Depth);
  S.Layers = size(In, "layers", T.Layers);
  // Each is at most 2^28: the product of two can't overflow.
  if (S.Width * S.Height > (uint64_t(1) << 40) / (S.Depth * S.Layers))
    In.fail("width", "the image has more than 2^40 pixels");
  return S;
}

SamplerShape parseSampler(Request &In) {
  static constexpr struct {
    const char *Name;
    cl_filter_mode Mode;
  } Filters[] = {{"nearest", CL_FILTER_NEAREST}, {"linear", CL_FILTER_LINEAR}};
  SamplerShape S;
  S.Normalised = In.flag("normalized", false);
  const AddressEntry &A = choose(In, "address", "none", Addresses);
  S.Address = A.Mode;
  S.Filter = choose(In, "filter", "nearest", Filters).Mode;
  if (A.NeedsNormalised && !S.Normalised)
    In.fail("address", std::string(A.Name) + " needs normalized coordinates");
  return S;
}

} // namespace clrewrite::device
