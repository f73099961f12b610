# Helpers that keep each library's CMakeLists.txt at a few lines.

# The warnings for all of clrewrite's own code. They are errors in the presets
# alone (CLREWRITE_WERROR), so that a newer compiler, which may warn of more,
# still builds a package. Deprecation is not warned of: libstdc++ calls what it
# deprecates itself, in std::stable_sort.
add_library(clrewrite_warnings INTERFACE)
target_compile_options(clrewrite_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wno-deprecated-declarations
  # The C++ library of GCC 15 asks for unrolling that Clang may not do.
  -Wno-pass-failed
  $<$<BOOL:${CLREWRITE_WERROR}>:-Werror>)

# How the programs' code is compiled, with LLVM or without. The OpenCL layer is
# loaded into other programs, and has no sanitizers.
add_library(clrewrite_compile INTERFACE)
target_link_libraries(clrewrite_compile INTERFACE clrewrite_warnings)
target_compile_options(clrewrite_compile INTERFACE -fno-exceptions)
if(CLREWRITE_ASAN)
  target_compile_options(clrewrite_compile INTERFACE
    -fsanitize=address,undefined -fno-sanitize=vptr,function
    -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(clrewrite_compile INTERFACE -fsanitize=address,undefined)
endif()

add_library(clrewrite_flags INTERFACE)
target_link_libraries(clrewrite_flags INTERFACE clrewrite_compile)
target_include_directories(clrewrite_flags INTERFACE
  ${PROJECT_SOURCE_DIR}/lib ${PROJECT_BINARY_DIR}/generated)
target_include_directories(clrewrite_flags SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
target_compile_definitions(clrewrite_flags INTERFACE ${LLVM_DEFINITIONS_LIST})
# Of the processor time of a search, 1 % is spent in this code and the rest in LLVM's
# and Clang's libraries, in drivers and in clrewrite-device (docs/building.md). Unit tests
# set the property CLREWRITE_QUICK, since compiling them takes longer than running them.
target_compile_options(clrewrite_flags INTERFACE
  $<$<CONFIG:Release>:-O$<IF:$<BOOL:$<TARGET_PROPERTY:CLREWRITE_QUICK>>,0,1>>)
# The source is written for LLVM 22. What it uses and older versions lack is in
# headers that stand before theirs.
if(LLVM_VERSION_MAJOR LESS 21)
  target_include_directories(clrewrite_flags BEFORE INTERFACE
    ${PROJECT_SOURCE_DIR}/lib/frontend/older)
endif()

# Three precompiled headers: one for every file that sees Clang's AST, one for
# those that see LLVM's IR and code generators, one for those that see LLVM's
# support library alone. None has Clang's matchers: they have inline virtual
# functions, so that each file that used the header would compile 3,000 functions
# of theirs (1 s a file).
function(clrewrite_pch name)
  add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/Pch.cpp)
  target_link_libraries(${name} PUBLIC clrewrite_flags)
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()
set(CLREWRITE_SUPPORT_HEADERS <llvm/ADT/STLExtras.h> <llvm/ADT/StringExtras.h>
  <llvm/ADT/StringMap.h> <llvm/Support/FileSystem.h>
  <llvm/Support/FormatVariadic.h> <llvm/Support/JSON.h> <llvm/Support/Path.h>
  <functional> <map> <memory> <optional> <set> <string> <vector>)
set(CLREWRITE_AST_HEADERS ${CLREWRITE_SUPPORT_HEADERS}
  <clang/AST/ASTContext.h> <clang/AST/Attr.h>
  <clang/AST/DynamicRecursiveASTVisitor.h> <clang/AST/ExprCXX.h>
  <clang/AST/ParentMapContext.h> <clang/Basic/SourceManager.h>
  <clang/Lex/Lexer.h>)
clrewrite_pch(clrewrite_ast_pch ${CLREWRITE_AST_HEADERS})
clrewrite_pch(clrewrite_ir_pch ${CLREWRITE_SUPPORT_HEADERS}
  <llvm/Analysis/LoopInfo.h> <llvm/Analysis/ScalarEvolution.h>
  <llvm/CodeGen/MachineFunctionPass.h> <llvm/IR/IntrinsicInst.h>
  <llvm/IR/IRBuilder.h> <llvm/IR/Module.h> <llvm/Passes/PassBuilder.h>
  <llvm/Target/TargetMachine.h>)
clrewrite_pch(clrewrite_support_pch ${CLREWRITE_SUPPORT_HEADERS})

# LLVM and Clang: their shared libraries, or the archives (Portable.cmake) where the program
# that is linked has the property CLREWRITE_STATIC.
add_library(clrewrite_archives INTERFACE)
set(static $<BOOL:$<TARGET_PROPERTY:CLREWRITE_STATIC>>)
add_library(clrewrite_llvm INTERFACE)
target_link_libraries(clrewrite_llvm INTERFACE $<IF:${static},clrewrite_archives,LLVM>)
add_library(clrewrite_clang INTERFACE)
target_link_libraries(clrewrite_clang INTERFACE $<IF:${static},,clang-cpp> clrewrite_llvm)

# clrewrite_library(NAME [CLANG|IR] [EXCEPT ...] [SOURCES ...] [DEPENDS ...]):
# a static library of every .cpp of this folder and of those below it, but for EXCEPT;
# or of SOURCES alone. CLANG gives it the precompiled header of Clang's AST and
# libclang-cpp; without it the library links LLVM alone, and IR gives it the precompiled
# header of LLVM's IR.
function(clrewrite_library name)
  cmake_parse_arguments(ARG "CLANG;IR" "" "EXCEPT;SOURCES;DEPENDS" ${ARGN})
  if(NOT ARG_SOURCES)
    file(GLOB_RECURSE ARG_SOURCES CONFIGURE_DEPENDS
      RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cpp)
    list(REMOVE_ITEM ARG_SOURCES "" ${ARG_EXCEPT})
  endif()
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC clrewrite_flags ${ARG_DEPENDS})
  if(ARG_CLANG)
    target_precompile_headers(${name} REUSE_FROM clrewrite_ast_pch)
    target_link_libraries(${name} PUBLIC clrewrite_clang)
  elseif(ARG_IR)
    target_precompile_headers(${name} REUSE_FROM clrewrite_ir_pch)
    target_link_libraries(${name} PUBLIC clrewrite_llvm)
  else()
    target_precompile_headers(${name} REUSE_FROM clrewrite_support_pch)
    target_link_libraries(${name} PUBLIC clrewrite_llvm)
  endif()
endfunction()
