# clrewrite_registry(LIBRARY TYPE PREFIX DEPENDS...): a library of the folders
# below the calling one. A folder some-name/ is a namespace some_name within the
# library's, and defines `const TYPE &PREFIXSomeName()` in one of its sources; its page is
# SomeName.md. Their list is generated from Registry.cpp.in. A new folder is found by itself.
function(clrewrite_registry library type prefix)
  file(GLOB pages CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} */*.md)
  list(SORT pages)
  set(declarations "")
  set(entries "")
  set(texts "")
  foreach(page ${pages})
    get_filename_component(stem ${page} NAME_WE)
    get_filename_component(folder ${page} DIRECTORY)
    string(REPLACE - _ space ${folder})
    string(APPEND declarations
      "namespace ${space} { const ${type} &${prefix}${stem}(); }\n")
    string(APPEND entries "      &${space}::${prefix}${stem}(),\n")
    # The page, for --explain, as a raw string.
    file(READ ${page} text)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
    string(APPEND texts "      R\"CLRPAGE(${text})CLRPAGE\",\n")
  endforeach()
  set(registry ${PROJECT_BINARY_DIR}/generated/${type}Registry.cpp)
  configure_file(Registry.cpp.in ${registry} @ONLY)
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} */*.cpp)
  list(FILTER sources EXCLUDE REGEX "Test\\.cpp$")
  clrewrite_library(${library} CLANG SOURCES ${sources} ${registry} DEPENDS ${ARGN})
  # Small batches, so that a change of one folder compiles little.
  set_target_properties(${library} PROPERTIES UNITY_BUILD_BATCH_SIZE 5)
endfunction()
