# find_package(dagaz): programs as static libraries of a CMake project.
#
#   dagaz_add_library(NAME FILE.fut [CPP] [FLAGS option..])
#
# compiles FILE.fut to NAME.c and NAME.h (with CPP also NAME.hpp) in the build folder, again when it
# or a file it imports changes, and makes the target NAME of them.  FLAGS are options of `dagaz c`.
# DAGAZ_COMPILER is the compiler, DAGAZ_C_FLAGS the flags for its C.
get_filename_component(_dagaz_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_program(DAGAZ_COMPILER dagaz HINTS "${_dagaz_prefix}/bin")
set(DAGAZ_C_FLAGS -O2 -march=native -fno-math-errno -fno-trapping-math -w
    CACHE STRING "Flags for the C code that dagaz makes")
if(NOT DAGAZ_COMPILER)
  set(dagaz_FOUND FALSE)
  set(dagaz_NOT_FOUND_MESSAGE "the compiler dagaz is not in ${_dagaz_prefix}/bin")
  return()
endif()
set(dagaz_FOUND TRUE)

function(dagaz_add_library name file)
  cmake_parse_arguments(arg "CPP" "" "FLAGS" ${ARGN})
  get_filename_component(source "${file}" ABSOLUTE)
  get_filename_component(folder "${source}" DIRECTORY)
  set(out "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  set(outputs "${out}.c" "${out}.h" "${out}.json")
  if(arg_CPP)
    list(APPEND arg_FLAGS --cpp)
    list(APPEND outputs "${out}.hpp")
  endif()
  execute_process(COMMAND "${DAGAZ_COMPILER}" imports "${source}"
                  OUTPUT_VARIABLE imports OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  string(REPLACE "\n" ";" imports "${imports}")
  set(depends "${source}")
  foreach(path IN LISTS imports)
    get_filename_component(path "${path}" ABSOLUTE BASE_DIR "${folder}")
    if(EXISTS "${path}")
      list(APPEND depends "${path}")
    endif()
  endforeach()
  add_custom_command(OUTPUT ${outputs}
                     COMMAND "${DAGAZ_COMPILER}" c --library ${arg_FLAGS} -o "${out}" "${source}"
                     DEPENDS ${depends} VERBATIM COMMENT "dagaz ${file}")
  add_library(${name} STATIC "${out}.c" "${out}.h")
  target_compile_options(${name} PRIVATE ${DAGAZ_C_FLAGS})
  target_include_directories(${name} PUBLIC "${CMAKE_CURRENT_BINARY_DIR}")
  find_package(Threads REQUIRED)
  target_link_libraries(${name} PUBLIC Threads::Threads m)
endfunction()
