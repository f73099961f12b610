# clrewrite_registry(LIBRARY TYPE PREFIX DEPENDS...): a library of the calling
# folder's <Stem>.cpp files, each of which defines `const TYPE &PREFIX<Stem>()`,
# and of their list and the pages <Stem>.md, generated from Registry.cpp.in.
function(clrewrite_registry library type prefix)
  file(GLOB stems CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cpp)
  list(SORT stems)
  set(declarations "")
  set(entries "")
  set(pages "")
  foreach(file ${stems})
    string(REGEX REPLACE "\\.cpp$" "" stem ${file})
    string(APPEND declarations "const ${type} &${prefix}${stem}();\n")
    string(APPEND entries "      &${prefix}${stem}(),\n")
    # The page, for --explain, as a raw string.
    file(READ ${stem}.md page)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${stem}.md)
    string(APPEND pages "      R\"CLRPAGE(${page})CLRPAGE\",\n")
  endforeach()
  set(registry ${PROJECT_BINARY_DIR}/generated/${type}Registry.cpp)
  configure_file(Registry.cpp.in ${registry} @ONLY)
  clrewrite_library(${library} CLANG
    SOURCES ${stems} ${registry} DEPENDS ${ARGN})
endfunction()
