# The examples, and the programs of the conformance tests.

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
foreach(program examples/random_bot examples/byzanz_sensible_bot examples/schwarzmarkt_sensible_bot
                conformance/conformance_bot conformance/golden_codec)
  get_filename_component(name ${program} NAME)
  add_executable(${name} ${program}.cc)
  target_link_libraries(${name} PRIVATE arena::client arena_client_warnings)
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  # One multiplication and one addition, rounded each, on every machine: bots play the same way.
  target_compile_options(${name} PRIVATE -ffp-contract=off)
endforeach()
