# clrewrite with LLVM and Clang in it, where there are archives of them: it starts in 8 ms
# instead of 18, as no libraries have to be found and relocated. Debian's package has
# `system-clrewrite`, which is linked with the system's libraries.
option(CLREWRITE_ARCHIVES "Link clrewrite with LLVM's archives where they are there" ON)

foreach(library z zstd)
  find_library(CLREWRITE_ARCHIVE_${library} lib${library}.a)
  if(NOT CLREWRITE_ARCHIVE_${library})
    list(APPEND missing_archives lib${library}.a)
  endif()
endforeach()
# LLVM's development files may lack those of its parts that it links into itself.
foreach(library LLVMCore clangAST ${LLVM_STATIC_EXTENSIONS})
  if(NOT EXISTS ${LLVM_LIBRARY_DIR}/lib${library}.a)
    list(APPEND missing_archives lib${library}.a)
  endif()
endforeach()
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=lld CLREWRITE_LLD) # the other linkers take half a minute
if(NOT CLREWRITE_LLD)
  list(APPEND missing_archives lld)
endif()
if(missing_archives)
  return()
endif()

file(GLOB archives ${LLVM_LIBRARY_DIR}/libclang*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a
  ${LLVM_LIBRARY_DIR}/libPolly*.a)
list(FILTER archives EXCLUDE REGEX "/libclang\\.a$") # made of the others
target_link_libraries(clrewrite_archives INTERFACE
  -Wl,--start-group ${archives} -Wl,--end-group
  ${CLREWRITE_ARCHIVE_z} ${CLREWRITE_ARCHIVE_zstd} m)

if(NOT CLREWRITE_ARCHIVES)
  return()
endif()
set_target_properties(clrewrite PROPERTIES CLREWRITE_STATIC ON)
target_link_options(clrewrite PRIVATE -fuse-ld=lld -Wl,--gc-sections)
get_target_property(libraries clrewrite LINK_LIBRARIES)
add_executable(system-clrewrite $<TARGET_OBJECTS:clrewrite>)
target_link_libraries(system-clrewrite PRIVATE ${libraries})
set_target_properties(system-clrewrite PROPERTIES OUTPUT_NAME clrewrite
  LINKER_LANGUAGE CXX RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/system)
