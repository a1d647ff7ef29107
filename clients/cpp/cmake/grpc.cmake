# gRPC and protobuf of the system, as the target arena_client_grpc, and their compilers. Found by
# pkg-config, as packages of Linux bring it, or else by their CMake files, as vcpkg and others do.

find_package(Threads REQUIRED)
find_package(PkgConfig QUIET)
add_library(arena_client_grpc INTERFACE)
target_link_libraries(arena_client_grpc INTERFACE Threads::Threads)

# Asked once for each: pkg_check_modules() asks twenty times, and gRPC's hundred packages take a
# second each time.
set(ARENA_CLIENT_GRPC "grpc++ >= 1.51" "protobuf >= 3.21")
foreach(flags cflags libs)
  if(PkgConfig_FOUND AND NOT DEFINED ARENA_CLIENT_GRPC_${flags})
    execute_process(COMMAND ${PKG_CONFIG_EXECUTABLE} --${flags} ${ARENA_CLIENT_GRPC}
      OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(failed)
      break()
    endif()
    separate_arguments(found)
    set(ARENA_CLIENT_GRPC_${flags} "${found}" CACHE INTERNAL "pkg-config --${flags} of gRPC")
  endif()
endforeach()

if(DEFINED ARENA_CLIENT_GRPC_libs)
  target_compile_options(arena_client_grpc INTERFACE ${ARENA_CLIENT_GRPC_cflags})
  target_link_libraries(arena_client_grpc INTERFACE ${ARENA_CLIENT_GRPC_libs})
  find_program(PROTOC protoc)
  find_program(GRPC_CPP_PLUGIN grpc_cpp_plugin)
else()
  find_package(gRPC CONFIG REQUIRED)
  target_link_libraries(arena_client_grpc INTERFACE gRPC::grpc++ protobuf::libprotobuf)
  set(PROTOC $<TARGET_FILE:protobuf::protoc>)
  set(GRPC_CPP_PLUGIN $<TARGET_FILE:gRPC::grpc_cpp_plugin>)
endif()
if(NOT PROTOC OR NOT GRPC_CPP_PLUGIN)
  message(FATAL_ERROR "protoc or grpc_cpp_plugin is missing: on Debian and Ubuntu install "
                      "protobuf-compiler and protobuf-compiler-grpc")
endif()

# Has the messages of arena.v1 written, and the stub of their service, as sources that fit the
# headers of the system.
function(generate_messages proto_directory directory sources)
  file(MAKE_DIRECTORY ${directory})
  set(made arena/v1/play.grpc.pb.cc arena/v1/play.grpc.pb.h)
  foreach(message ${ARGN})
    list(APPEND protos ${proto_directory}/arena/v1/${message}.proto)
    list(APPEND made arena/v1/${message}.pb.cc arena/v1/${message}.pb.h)
  endforeach()
  list(TRANSFORM made PREPEND ${directory}/)
  add_custom_command(
    OUTPUT ${made}
    COMMAND ${PROTOC} --proto_path=${proto_directory} --cpp_out=${directory} ${protos}
    COMMAND ${PROTOC} --proto_path=${proto_directory} --grpc_out=${directory}
            --plugin=protoc-gen-grpc=${GRPC_CPP_PLUGIN} ${proto_directory}/arena/v1/play.proto
    DEPENDS ${protos}
    VERBATIM)
  set(${sources} ${made} PARENT_SCOPE)
endfunction()
