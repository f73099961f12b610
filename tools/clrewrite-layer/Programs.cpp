// Programs: their sources as they are given, and other sources swapped in.
#include "Layer.h"
#include <cstring>

namespace clrewrite::layer {

/// The strings of clCreateProgramWithSource: a length that is missing or 0
/// means that the string ends at its zero.
static std::vector<std::string_view>
stringsOf(cl_uint Count, const char **Strings, const size_t *Lengths) {
  std::vector<std::string_view> List;
  for (cl_uint I = 0; Strings && I < Count; ++I) {
    if (!Strings[I])
      return {};
    size_t Length = Lengths && Lengths[I] ? Lengths[I] : strlen(Strings[I]);
    List.push_back({Strings[I], Length});
  }
  return List;
}

static std::vector<cl_device_id> devicesOf(cl_program Handle) {
  std::string Bytes =
      queryBytes(Next.clGetProgramInfo, Handle, CL_PROGRAM_DEVICES);
  std::vector<cl_device_id> List(Bytes.size() / sizeof(cl_device_id));
  if (!List.empty())
    memcpy(List.data(), Bytes.data(), List.size() * sizeof(cl_device_id));
  return List;
}

static std::vector<uint64_t> idsOf(const std::vector<cl_device_id> &Devices) {
  std::vector<uint64_t> Ids;
  for (cl_device_id D : Devices)
    Ids.push_back(deviceOf(D)->Id);
  return Ids;
}

/// Enters a program into the tables and, where it is new, into the log. \p
/// What identifies it among those of its kind; \p Describe adds its members.
static void enter(cl_program Handle, const char *Kind, const std::string &What,
                  std::optional<std::string> OwnText,
                  const std::function<void(Line &)> &Describe) {
  Layer &S = *state();
  auto P = std::make_shared<Program>();
  P->OwnText = std::move(OwnText);
  if (S.Out) {
    P->Devices = devicesOf(Handle);
    std::vector<uint64_t> Devices = idsOf(P->Devices);
    std::string Key = Kind;
    for (uint64_t D : Devices)
      Key += " " + std::to_string(D);
    P->Id = S.ProgramIds.of(Key + "\n" + What, [&](uint64_t Id) {
      Line L("program");
      L.number("id", Id).numbers("devices", Devices).text("kind", Kind);
      Describe(L);
      S.Out->write(std::move(L));
    });
  }
  S.Programs.put(Handle, P);
}

/// The members that only some kinds have.
static void describe(Line &L, const std::string &Hash,
                     std::optional<uint64_t> Bytes, const std::string &Names,
                     const std::string &Swapped) {
  L.textOrNull("hash", Hash);
  Bytes ? L.number("bytes", *Bytes) : L.null("bytes");
  L.textOrNull("names", Names).textOrNull("swapped", Swapped);
}

static cl_program CL_API_CALL withSource(cl_context Context, cl_uint Count,
                                         const char **Strings,
                                         const size_t *Lengths, cl_int *Error) {
  Layer *S = state();
  std::vector<std::string_view> List;
  if (S)
    List = stringsOf(Count, Strings, Lengths);
  if (List.empty())
    return Next.clCreateProgramWithSource(Context, Count, Strings, Lengths,
                                          Error);
  std::string Text;
  for (std::string_view Each : List)
    Text += Each;
  std::string Hash = blobHash(Text), Other, Swapped;
  bool Swap = !S->SwapFolder.empty() &&
              readFile(S->SwapFolder + "/" + Hash + ".cl", Other);
  cl_program P;
  if (Swap) {
    Swapped = blobHash(Other);
    const char *Start = Other.data();
    size_t Length = Other.size();
    P = Next.clCreateProgramWithSource(Context, 1, &Start, &Length, Error);
  } else {
    P = Next.clCreateProgramWithSource(Context, Count, Strings, Lengths, Error);
  }
  if (!P)
    return P;
  std::vector<std::string> Hashes;
  std::string What = Swapped;
  if (S->Out)
    for (std::string_view Each : List) {
      Folder::Kept Kept = S->Out->keep(Each);
      if (!Kept.Stored)
        S->Out->drop("source", "no room for a source of " +
                                   std::to_string(Each.size()) + " bytes");
      Hashes.push_back(Kept.Hash);
      What += "\n" + Kept.Hash;
    }
  enter(P, "source", What, Swap ? std::optional(Text) : std::nullopt,
        [&](Line &L) {
          L.openList("sources");
          for (size_t I = 0; I < List.size(); ++I)
            L.openObject("")
                .text("blob", Hashes[I])
                .number("bytes", List[I].size())
                .closeObject();
          L.closeList();
          describe(L, Hash, Text.size(), "", Swapped);
        });
  return P;
}

static cl_program CL_API_CALL withBinary(cl_context Context, cl_uint Count,
                                         const cl_device_id *Devices,
                                         const size_t *Lengths,
                                         const unsigned char **Binaries,
                                         cl_int *Status, cl_int *Error) {
  cl_program P = Next.clCreateProgramWithBinary(
      Context, Count, Devices, Lengths, Binaries, Status, Error);
  if (!P || !state())
    return P;
  std::string Bytes;
  for (cl_uint I = 0; I < Count; ++I)
    Bytes.append(reinterpret_cast<const char *>(Binaries[I]), Lengths[I]);
  std::string Hash = blobHash(Bytes);
  enter(P, "binary", Hash, std::nullopt,
        [&](Line &L) { describe(L, Hash, Bytes.size(), "", ""); });
  return P;
}

static cl_program CL_API_CALL withIl(cl_context Context, const void *Il,
                                     size_t Length, cl_int *Error) {
  cl_program P = Next.clCreateProgramWithIL(Context, Il, Length, Error);
  if (!P || !state())
    return P;
  std::string Hash = blobHash({static_cast<const char *>(Il), Length});
  enter(P, "il", Hash, std::nullopt,
        [&](Line &L) { describe(L, Hash, Length, "", ""); });
  return P;
}

static cl_program CL_API_CALL withBuiltIns(cl_context Context, cl_uint Count,
                                           const cl_device_id *Devices,
                                           const char *Names, cl_int *Error) {
  cl_program P = Next.clCreateProgramWithBuiltInKernels(Context, Count, Devices,
                                                        Names, Error);
  if (P && state())
    enter(P, "builtin", Names, std::nullopt,
          [&](Line &L) { describe(L, "", std::nullopt, Names, ""); });
  return P;
}

std::shared_ptr<Program> enterLinked(cl_program Handle,
                                     const std::string &What) {
  enter(Handle, "linked", What, std::nullopt,
        [&](Line &L) { describe(L, "", std::nullopt, "", ""); });
  return state()->Programs.get(Handle);
}

std::shared_ptr<Program> programOf(cl_program Handle) {
  Layer &S = *state();
  if (auto Known = S.Programs.get(Handle))
    return Known;
  static std::atomic<uint64_t> Number{0};
  enter(Handle, "binary", "unseen " + std::to_string(++Number), std::nullopt,
        [&](Line &L) { describe(L, "", std::nullopt, "", ""); });
  return S.Programs.get(Handle);
}

static cl_int CL_API_CALL programInfo(cl_program Handle, cl_program_info What,
                                      size_t Size, void *Value, size_t *Ret) {
  if (Layer *S = state(); S && What == CL_PROGRAM_SOURCE)
    if (auto P = S->Programs.get(Handle); P && P->OwnText)
      return answer(P->OwnText->c_str(), P->OwnText->size() + 1, Size, Value,
                    Ret);
  return Next.clGetProgramInfo(Handle, What, Size, Value, Ret);
}

// A released program may still be asked for, by its kernels: its entry stays
// until the driver gives its handle to another.
void wrapPrograms(cl_icd_dispatch &Table) {
  wrap(Table.clCreateProgramWithSource, withSource);
  wrap(Table.clGetProgramInfo, programInfo);
  wrap(Table.clCreateProgramWithBinary, withBinary);
  wrap(Table.clCreateProgramWithIL, withIl);
  wrap(Table.clCreateProgramWithBuiltInKernels, withBuiltIns);
}

} // namespace clrewrite::layer
