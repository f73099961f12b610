# What `cmake --install` lays out, a tree that can be moved; and Debian's
# package, by `cpack -G DEB` in the build folder.
#
# Components: `program` is in both. `tree` has what the package gets from the
# packages that it depends on (Clang's headers, the built-in libraries);
# `debian` has what only Debian wants, and is left out of a plain install.
option(CLREWRITE_BUNDLE
  "Install Clang's OpenCL headers and the built-in libraries too" ON)
set(CLREWRITE_MAINTAINER "clrewrite maintainers <maintainers@clrewrite.invalid>"
  CACHE STRING "The maintainer that Debian's package names")

set(doc share/doc/clrewrite)
set(generated ${PROJECT_BINARY_DIR}/install)
file(MAKE_DIRECTORY ${generated})

# --- Programs. What of LLVM's libraries the loader finds needs no run path.
get_target_property(llvm_library LLVM LOCATION)
get_filename_component(llvm_library ${llvm_library} REALPATH)
get_filename_component(llvm_folder ${llvm_library} DIRECTORY)
if(NOT llvm_folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
  set_target_properties(clrewrite PROPERTIES INSTALL_RPATH ${LLVM_LIBRARY_DIR})
endif()
install(TARGETS clrewrite clrewrite-device
  RUNTIME DESTINATION bin COMPONENT program)
install(FILES ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/clrewrite-lsp
  DESTINATION bin COMPONENT program)
install(TARGETS clrewrite-layer
  LIBRARY DESTINATION lib/clrewrite COMPONENT program)

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
add_custom_target(installed_files ALL DEPENDS ${compressed}
  ${generated}/clrewrite.bash ${generated}/_clrewrite ${generated}/clrewrite.fish)
install(FILES ${compressed} DESTINATION share/man/man1 COMPONENT program)
install(FILES ${generated}/clrewrite.bash RENAME clrewrite
  DESTINATION share/bash-completion/completions COMPONENT program)
install(FILES ${generated}/clrewrite.fish
  DESTINATION share/fish/vendor_completions.d COMPONENT program)
install(FILES ${generated}/_clrewrite
  DESTINATION share/zsh/site-functions COMPONENT tree)
install(FILES ${generated}/_clrewrite
  DESTINATION share/zsh/vendor-completions COMPONENT debian EXCLUDE_FROM_ALL)

# --- What people read, and what editors load.
install(FILES README.md DESTINATION ${doc} COMPONENT program)
install(DIRECTORY docs examples DESTINATION ${doc} COMPONENT program
  PATTERN man EXCLUDE PATTERN site EXCLUDE) # what pages are made with
install(DIRECTORY editors DESTINATION share/clrewrite COMPONENT program
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

# --- Debian's package.
add_custom_command(OUTPUT ${generated}/changelog.Debian.gz
  COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/debian/changelog.sh
          ${PROJECT_SOURCE_DIR}/CHANGELOG.md "${CLREWRITE_MAINTAINER}"
          > changelog.Debian
  COMMAND ${GZIP} -9nf changelog.Debian
  COMMAND ${GZIP} -9nc ${PROJECT_SOURCE_DIR}/CHANGELOG.md > changelog.gz
  WORKING_DIRECTORY ${generated} VERBATIM
  BYPRODUCTS ${generated}/changelog.gz
  DEPENDS ${PROJECT_SOURCE_DIR}/CHANGELOG.md
          ${PROJECT_SOURCE_DIR}/cmake/debian/changelog.sh)
add_custom_target(debian_files ALL DEPENDS ${generated}/changelog.Debian.gz)
install(FILES cmake/debian/copyright ${generated}/changelog.Debian.gz
  ${generated}/changelog.gz
  DESTINATION ${doc} COMPONENT debian EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME clrewrite)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program debian)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${CLREWRITE_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# Libraries by dpkg-shlibdeps; then what is opened at run time.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS
  "libclang-common-${LLVM_VERSION_MAJOR}-dev, rocm-device-libs | rocm-device-libs-17 | libclc-${LLVM_VERSION_MAJOR}, python3:any")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
  "libclc-${LLVM_VERSION_MAJOR}, git, pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"rewrite OpenCL C kernels so that they need fewer registers
clrewrite compiles legal versions of OpenCL kernels with LLVM's back ends for
AMD's and NVIDIA's GPUs, and writes the edits that lower registers, spills or
estimated time on the GPUs that count. No GPU is needed. Where there is an
OpenCL device, kernels are run before and after their edits, and every byte
that they leave is compared.")
include(CPack)
