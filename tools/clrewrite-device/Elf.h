// Just enough of ELF64 to find a section or a note in a driver's binary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace clrewrite::device {

constexpr uint16_t MachineAmdgpu = 224;
constexpr uint16_t MachineIntelGt = 205;

/// A view of a 64-bit little-endian ELF file inside a larger blob. Every read
/// is checked against the blob's end: drivers hand out odd things.
class ElfView {
  std::string_view Bytes;

public:
  struct Range {
    uint32_t Type;
    std::string_view Name; ///< empty for a segment
    std::string_view Contents;
  };

  /// The files of \p Machine in \p Blob, wherever they start: some drivers
  /// wrap the code object in a container of their own.
  static std::vector<ElfView> findAll(std::string_view Blob, uint16_t Machine);

  std::vector<Range> sections() const;
  std::vector<Range> segments() const;

  /// The descriptor of the note of \p Owner and \p Type, looked up in the
  /// note sections and, for a file without sections, in the note segments.
  std::optional<std::string_view> note(std::string_view Owner,
                                       uint32_t Type) const;

private:
  explicit ElfView(std::string_view B) : Bytes(B) {}
  template <typename T> T read(size_t Offset) const;
  std::string_view slice(uint64_t Offset, uint64_t Size) const;
  /// Walks a table of \p Count entries; see the ELF-64 object file format.
  template <typename F>
  void eachEntry(uint64_t Table, unsigned Size, unsigned Count, F Visit) const;
};

} // namespace clrewrite::device
