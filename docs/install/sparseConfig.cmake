# find_package(sparse): the target sparse::sparse, headers only.
if(NOT TARGET sparse::sparse)
    add_library(sparse::sparse INTERFACE IMPORTED)
    get_filename_component(sparse_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
    set_target_properties(sparse::sparse PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${sparse_prefix}/include/sparse"
        INTERFACE_COMPILE_FEATURES c_std_11)
endif()
