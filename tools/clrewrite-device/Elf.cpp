// A small reader of ELF64; the offsets are those of the "ELF-64 Object File
// Format" and of <elf.h>.
#include "Elf.h"
#include <cstring>

namespace clrewrite::device {

static constexpr size_t HeaderSize = 64;
static constexpr uint32_t SectionNote = 7, SegmentNote = 4, SectionNoBits = 8;

/// 0 where \p Offset reaches past the end.
template <typename T> T ElfView::read(size_t Offset) const {
  T Value = 0;
  if (Offset <= Bytes.size() && sizeof(T) <= Bytes.size() - Offset)
    std::memcpy(&Value, Bytes.data() + Offset, sizeof(T));
  return Value;
}

std::string_view ElfView::slice(uint64_t Offset, uint64_t Size) const {
  if (Offset > Bytes.size() || Size > Bytes.size() - Offset)
    return {};
  return Bytes.substr(Offset, Size);
}

std::vector<ElfView> ElfView::findAll(std::string_view Blob, uint16_t Machine) {
  std::vector<ElfView> Found;
  // Magic, 64-bit, little-endian.
  static constexpr char Magic[] = "\x7f"
                                  "ELF\x02\x01";
  std::string_view Mark(Magic, 6);
  for (size_t At = Blob.find(Mark); At != std::string_view::npos;
       At = Blob.find(Mark, At + 1)) {
    ElfView View(Blob.substr(At));
    if (View.Bytes.size() >= HeaderSize && View.read<uint16_t>(18) == Machine)
      Found.push_back(View);
  }
  return Found;
}

template <typename F>
void ElfView::eachEntry(uint64_t Table, unsigned Size, unsigned Count,
                        F Visit) const {
  for (unsigned I = 0; I < Count; ++I) {
    uint64_t At = Table + uint64_t(I) * Size;
    if (slice(At, Size).empty())
      return;
    Visit(size_t(At));
  }
}

std::vector<ElfView::Range> ElfView::sections() const {
  std::vector<Range> Found;
  uint64_t Table = read<uint64_t>(40);
  unsigned Size = read<uint16_t>(58), Count = read<uint16_t>(60);
  uint64_t NamesAt = Table + uint64_t(read<uint16_t>(62)) * Size;
  if (!Table || Size < 64 || slice(NamesAt, Size).empty())
    return Found;
  std::string_view Names =
      slice(read<uint64_t>(NamesAt + 24), read<uint64_t>(NamesAt + 32));
  eachEntry(Table, Size, Count, [&](size_t At) {
    uint32_t Type = read<uint32_t>(At + 4), Name = read<uint32_t>(At);
    std::string_view Text = Name < Names.size() ? Names.substr(Name) : "";
    Text = Text.substr(0, Text.find('\0'));
    if (Type != SectionNoBits)
      Found.push_back(
          {Type, Text,
           slice(read<uint64_t>(At + 24), read<uint64_t>(At + 32))});
  });
  return Found;
}

std::vector<ElfView::Range> ElfView::segments() const {
  std::vector<Range> Found;
  eachEntry(read<uint64_t>(32), read<uint16_t>(54), read<uint16_t>(56),
            [&](size_t At) {
              Found.push_back(
                  {read<uint32_t>(At), "",
                   slice(read<uint64_t>(At + 8), read<uint64_t>(At + 32))});
            });
  return Found;
}

/// The note of \p Owner and \p Type in a note section: each has the sizes of
/// owner and descriptor, a type, then both, padded to four bytes.
static std::optional<std::string_view>
findNote(std::string_view Notes, std::string_view Owner, uint32_t Type) {
  auto Padded = [](uint64_t Size) { return (Size + 3) & ~uint64_t(3); };
  while (Notes.size() >= 12) {
    uint32_t Head[3];
    std::memcpy(Head, Notes.data(), sizeof Head);
    Notes.remove_prefix(sizeof Head);
    if (Padded(Head[0]) > Notes.size() ||
        Head[1] > Notes.size() - Padded(Head[0]))
      return std::nullopt;
    std::string_view Name = Notes.substr(0, Head[0]);
    Name = Name.substr(0, Name.find('\0'));
    std::string_view Descriptor = Notes.substr(Padded(Head[0]), Head[1]);
    if (Name == Owner && Head[2] == Type)
      return Descriptor;
    uint64_t Step = Padded(Head[0]) + Padded(Head[1]);
    Notes.remove_prefix(Step < Notes.size() ? Step : Notes.size());
  }
  return std::nullopt;
}

std::optional<std::string_view> ElfView::note(std::string_view Owner,
                                              uint32_t Type) const {
  for (const Range &S : sections())
    if (S.Type == SectionNote)
      if (auto Found = findNote(S.Contents, Owner, Type))
        return Found;
  for (const Range &S : segments())
    if (S.Type == SegmentNote)
      if (auto Found = findNote(S.Contents, Owner, Type))
        return Found;
  return std::nullopt;
}

} // namespace clrewrite::device
