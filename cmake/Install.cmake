# What `cmake --install` lays out, a tree that can be moved. packaging/ makes packages
# of it.
#
# Components: `program`, `device` and `layer` are a package of Debian's each
# (packaging/deb.sh), and so is `compile`, of builds with other versions of LLVM. `system`
# is the program as that package has it, linked with the system's libraries. `tree` has what
# those packages get from others (Clang's headers, the built-in libraries), or have elsewhere.
option(CLREWRITE_BUNDLE
  "Install Clang's OpenCL headers and the built-in libraries too" ON)
set(CLREWRITE_MAINTAINER "clrewrite maintainers <maintainers@clrewrite.invalid>"
  CACHE STRING "The maintainer that Debian's packages name")

set(CLREWRITE_LLVM_MAJOR ${LLVM_VERSION_MAJOR} CACHE INTERNAL "")
set(doc share/doc/clrewrite)
set(generated ${PROJECT_BINARY_DIR}/install)
file(MAKE_DIRECTORY ${generated})

# --- Programs. What of LLVM's libraries the loader finds needs no run path.
get_target_property(llvm_library LLVM LOCATION)
get_filename_component(llvm_library ${llvm_library} REALPATH)
get_filename_component(llvm_folder ${llvm_library} DIRECTORY)
if(NOT llvm_folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
  set(linked ${LLVM_LIBRARY_DIR})
endif()
set(system clrewrite) # where that is linked with the system's libraries itself
if(TARGET system-clrewrite)
  set(system system-clrewrite)
endif()
set_target_properties(${system} clrewrite-compile PROPERTIES INSTALL_RPATH "${linked}")
install(TARGETS clrewrite RUNTIME DESTINATION bin COMPONENT program)
install(TARGETS ${system} RUNTIME DESTINATION bin COMPONENT system EXCLUDE_FROM_ALL)
install(TARGETS clrewrite-compile RUNTIME DESTINATION lib/clrewrite
  COMPONENT compile EXCLUDE_FROM_ALL)
install(TARGETS clrewrite-device RUNTIME DESTINATION bin COMPONENT device)
install(FILES ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/clrewrite-lsp
  DESTINATION bin COMPONENT program)
install(TARGETS clrewrite-layer
  LIBRARY DESTINATION lib/clrewrite COMPONENT layer)

# --- Manual pages and completions, by the program itself.
find_program(GZIP gzip REQUIRED)
function(generate what file)
  add_custom_command(OUTPUT ${generated}/${file}
    COMMAND clrewrite --generate=${what} > ${generated}/${file}
    DEPENDS clrewrite VERBATIM)
endfunction()
generate(man clrewrite.1)
generate(bash clrewrite.bash)
generate(zsh _clrewrite)
generate(fish clrewrite.fish)
set(pages clrewrite-device.1 git-clrewrite.1)
foreach(page ${pages})
  configure_file(${PROJECT_SOURCE_DIR}/docs/man/${page}.in ${generated}/${page}
    @ONLY)
endforeach()
foreach(page clrewrite.1 ${pages})
  add_custom_command(OUTPUT ${generated}/${page}.gz
    COMMAND ${GZIP} -9nc ${page} > ${page}.gz
    WORKING_DIRECTORY ${generated} DEPENDS ${generated}/${page} VERBATIM)
  list(APPEND compressed ${generated}/${page}.gz)
endforeach()
file(CREATE_LINK clrewrite.1.gz ${generated}/clrewrite-lsp.1.gz SYMBOLIC)
add_custom_target(installed_files ALL DEPENDS ${compressed}
  ${generated}/clrewrite.bash ${generated}/_clrewrite ${generated}/clrewrite.fish)
foreach(page ${compressed} ${generated}/clrewrite-lsp.1.gz)
  set(component program)
  if(page MATCHES "clrewrite-device")
    set(component device)
  endif()
  install(FILES ${page} DESTINATION share/man/man1 COMPONENT ${component})
endforeach()
install(FILES ${generated}/clrewrite.bash RENAME clrewrite
  DESTINATION share/bash-completion/completions COMPONENT program)
install(FILES ${generated}/clrewrite.fish
  DESTINATION share/fish/vendor_completions.d COMPONENT program)
install(FILES ${generated}/_clrewrite
  DESTINATION share/zsh/site-functions COMPONENT tree)

# --- What people read, and what editors load.
install(FILES README.md DESTINATION ${doc} COMPONENT program)
# What pages are made with, and what Python leaves behind, is not for readers.
install(DIRECTORY docs examples DESTINATION ${doc} COMPONENT program
  PATTERN man EXCLUDE PATTERN site EXCLUDE PATTERN index.py EXCLUDE
  PATTERN __pycache__ EXCLUDE)
install(DIRECTORY editors DESTINATION share/clrewrite COMPONENT program
  PATTERN __pycache__ EXCLUDE
  PATTERN vscode EXCLUDE) # built and packed by itself: ./dev vscode
install(FILES LICENSE CHANGELOG.md DESTINATION ${doc} COMPONENT tree)

# --- What the tool needs at run time, found beside it before anywhere else.
function(bundle path folder)
  get_filename_component(name ${path} NAME)
  get_filename_component(real ${path} REALPATH)
  install(FILES ${real} RENAME ${name}
    DESTINATION lib/clrewrite/${folder} COMPONENT tree)
endfunction()
if(CLREWRITE_BUNDLE)
  foreach(header opencl-c-base.h opencl-c.h)
    bundle(${CLREWRITE_RESOURCE_DIR}/include/${header} clang/include)
  endforeach()
  set(places) # the program looks there too: DeviceLibs.cpp says why
  foreach(version RANGE 17 ${LLVM_VERSION_MAJOR})
    list(PREPEND places /usr/lib/llvm-${version}/lib/clang/${version})
  endforeach()
  find_path(AMD_DEVICE_LIBS opencl.bc PATH_SUFFIXES amdgcn/bitcode PATHS
    /opt/rocm /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} ${places} NO_DEFAULT_PATH)
  find_path(LIBCLC nvptx64--nvidiacl.bc PATHS /usr/lib/clc /usr/share/clc
    NO_DEFAULT_PATH)
  if(AMD_DEVICE_LIBS)
    foreach(library opencl ocml ockl)
      bundle(${AMD_DEVICE_LIBS}/${library}.bc amdgcn)
    endforeach()
  elseif(LIBCLC) # before LLVM 22 the name had no vendor
    file(GLOB path ${LIBCLC}/amdgcn-amd-amdhsa.bc ${LIBCLC}/amdgcn--amdhsa.bc)
    bundle(${path} clc)
  endif()
  if(LIBCLC)
    foreach(library nvptx64--nvidiacl cedar-r600-- cypress-r600--
            barts-r600-- cayman-r600--)
      bundle(${LIBCLC}/${library}.bc clc)
    endforeach()
  endif()
  # Under which terms they stand, where Debian says it.
  foreach(package libclang-common-${LLVM_VERSION_MAJOR}-dev rocm-device-libs
      rocm-device-libs-17 libclc-${LLVM_VERSION_MAJOR})
    install(FILES /usr/share/doc/${package}/copyright RENAME ${package}
      DESTINATION ${doc}/licenses COMPONENT tree OPTIONAL)
  endforeach()
endif()
