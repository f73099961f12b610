# The programs and the layer once more, for packages that run wherever glibc is as new as
# CLREWRITE_GLIBC: `portable` makes them, in the folder portable/ of the build.
#
# clrewrite holds LLVM, Clang and the C library itself. clrewrite-device and the layer work
# with the drivers and programs of the system, and so with its C library: they are linked
# with stubs of the old one (packaging/portable/stubs.py).
set(CLREWRITE_GLIBC 2.28 CACHE STRING "The oldest glibc that portable packages run with")

add_custom_target(portable)
file(GLOB loader /lib64/ld-linux-*.so.? /lib/ld-linux-*.so.?)
if(missing_archives OR NOT loader)
  add_custom_command(TARGET portable COMMAND ${CMAKE_COMMAND} -E echo
    "portable programs need glibc, archives and lld; missing: ${missing_archives}"
    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
  return()
endif()

find_package(OpenCL REQUIRED) # as the folders of the two do
find_package(Threads REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
set(portable ${PROJECT_BINARY_DIR}/portable)
# clrewrite_portable(TARGET): links the target's objects and libraries a second time.
function(clrewrite_portable target)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  set_target_properties(portable-${target} PROPERTIES
    EXCLUDE_FROM_ALL ON LINKER_LANGUAGE CXX SKIP_BUILD_RPATH ON
    OUTPUT_NAME ${target} RUNTIME_OUTPUT_DIRECTORY ${portable}
    LIBRARY_OUTPUT_DIRECTORY ${portable})
  target_link_libraries(portable-${target} PRIVATE ${libraries})
  target_link_options(portable-${target} PRIVATE -fuse-ld=lld)
  add_dependencies(portable portable-${target})
  if(CLREWRITE_TESTS) # of packages
    set_target_properties(portable-${target} PROPERTIES EXCLUDE_FROM_ALL OFF)
  endif()
endfunction()

add_executable(portable-clrewrite $<TARGET_OBJECTS:clrewrite>
  packaging/portable/static.c)
clrewrite_portable(clrewrite)
set_target_properties(portable-clrewrite PROPERTIES CLREWRITE_STATIC ON)
target_link_options(portable-clrewrite PRIVATE -static-pie -Wl,--gc-sections)

set(stubs)
foreach(name libc.so.6 libm.so.6 libpthread.so.0 libdl.so.2)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=${name}
    OUTPUT_VARIABLE real OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(APPEND real_libraries ${real})
  list(APPEND stubs ${portable}/stubs/${name})
endforeach()
list(GET loader 0 loader)
get_filename_component(name ${loader} NAME)
list(APPEND real_libraries ${loader})
list(APPEND stubs ${portable}/stubs/${name})
add_custom_command(OUTPUT ${stubs}
  COMMAND python3 ${PROJECT_SOURCE_DIR}/packaging/portable/stubs.py ${CLREWRITE_GLIBC}
    ${CMAKE_C_COMPILER} ${portable}/stubs ${real_libraries}
  DEPENDS ${PROJECT_SOURCE_DIR}/packaging/portable/stubs.py ${real_libraries} VERBATIM)
add_custom_target(portable-stubs DEPENDS ${stubs})
list(JOIN stubs "," listed)

# clrewrite_with_stubs(TARGET): the C++ library and the compiler's are in it, as in the
# original. Of what older systems have apart, threads and dlopen, the stubs tell nothing.
function(clrewrite_with_stubs target)
  clrewrite_portable(${target})
  target_sources(portable-${target} PRIVATE packaging/portable/old.c)
  set_target_properties(portable-${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden UNITY_BUILD OFF)
  add_dependencies(portable-${target} portable-stubs)
  target_link_options(portable-${target} PRIVATE -nodefaultlibs
    # The ICD loader here may ask for a newer C library than this one.
    -Wl,--allow-shlib-undefined)
  target_link_libraries(portable-${target} PRIVATE
    -Wl,-Bstatic -lstdc++ -lgcc -lgcc_eh -l:libc_nonshared.a
    # In quotes, as the path may have spaces. As files, CMake would take those that
    # are not there yet for names of libraries.
    "-Wl,-Bdynamic,--no-as-needed,\"${listed}\"")
  set_property(TARGET portable-${target} APPEND PROPERTY LINK_DEPENDS ${stubs})
endfunction()

add_executable(portable-clrewrite-device $<TARGET_OBJECTS:clrewrite-device>)
clrewrite_with_stubs(clrewrite-device)
target_compile_definitions(portable-clrewrite-device PRIVATE PROGRAM)
target_link_options(portable-clrewrite-device PRIVATE
  -Wl,--wrap=__libc_start_main -Wl,--export-dynamic-symbol=stat)

add_library(portable-clrewrite-layer MODULE $<TARGET_OBJECTS:clrewrite-layer>)
clrewrite_with_stubs(clrewrite-layer)
set(exports ${PROJECT_SOURCE_DIR}/tools/clrewrite-layer/exports.map)
target_link_options(portable-clrewrite-layer PRIVATE
  -Wl,-z,nodelete -Wl,-z,defs -Wl,--version-script=${exports})
set_property(TARGET portable-clrewrite-layer APPEND PROPERTY LINK_DEPENDS ${exports})
