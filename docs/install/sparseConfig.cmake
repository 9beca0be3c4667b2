# find_package(sparse): the target sparse::sparse, headers only.
if(NOT TARGET sparse::sparse)
    add_library(sparse::sparse INTERFACE IMPORTED)
    get_filename_component(sparse_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
    # a feature of C is an error in a project of C++ alone
    get_property(sparse_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    set(sparse_feature c_std_11)
    if(sparse_languages MATCHES "CXX" AND NOT sparse_languages MATCHES "(^|;)C(;|$)")
        set(sparse_feature cxx_std_17)
    endif()
    set_target_properties(sparse::sparse PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${sparse_prefix}/include/sparse"
        INTERFACE_COMPILE_FEATURES ${sparse_feature})
endif()
