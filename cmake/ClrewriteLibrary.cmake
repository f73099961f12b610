# Helpers that keep each library's CMakeLists.txt at a few lines.

add_library(clrewrite_flags INTERFACE)
target_include_directories(clrewrite_flags INTERFACE
  ${PROJECT_SOURCE_DIR}/lib ${PROJECT_BINARY_DIR}/generated)
target_include_directories(clrewrite_flags SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
target_compile_definitions(clrewrite_flags INTERFACE ${LLVM_DEFINITIONS_LIST})
target_compile_options(clrewrite_flags INTERFACE
  -fno-exceptions -Wall -Wextra -Wno-unused-parameter)
if(CLREWRITE_ASAN)
  target_compile_options(clrewrite_flags INTERFACE
    -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(clrewrite_flags INTERFACE -fsanitize=address,undefined)
endif()

# The one precompiled header of every file that sees Clang's AST.
add_library(clrewrite_pch OBJECT ${PROJECT_SOURCE_DIR}/cmake/Pch.cpp)
target_link_libraries(clrewrite_pch PUBLIC clrewrite_flags)
target_precompile_headers(clrewrite_pch PRIVATE
  <clang/AST/ASTContext.h>
  <clang/AST/RecursiveASTVisitor.h>
  <clang/ASTMatchers/ASTMatchFinder.h>
  <clang/CodeGen/CodeGenAction.h>
  <clang/Frontend/ASTUnit.h>
  <clang/Frontend/CompilerInstance.h>
  <clang/Lex/Lexer.h>
  <llvm/Support/JSON.h>)

# clrewrite_library(NAME [CLANG] SOURCES ... [DEPENDS ...]): a static library
# of one folder. CLANG gives it the precompiled header and libclang-cpp;
# without it the library links LLVM alone.
function(clrewrite_library name)
  cmake_parse_arguments(ARG "CLANG" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC clrewrite_flags ${ARG_DEPENDS})
  if(ARG_CLANG)
    target_precompile_headers(${name} REUSE_FROM clrewrite_pch)
    target_link_libraries(${name} PUBLIC clang-cpp LLVM)
  else()
    target_link_libraries(${name} PUBLIC LLVM)
  endif()
endfunction()
