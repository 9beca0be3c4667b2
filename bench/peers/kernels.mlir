// kernels.mlir: the operations in MLIR 16, whose sparse compiler makes the loops. mlir.c calls them.
//   mlir-opt-16 --sparse-compiler="enable-runtime-library=false" kernels.mlir | mlir-translate-16 --mlir-to-llvmir
// 32-bit positions and coordinates, as everywhere in the table.

#SV   = #sparse_tensor.encoding<{ dimLevelType = ["compressed"], pointerBitWidth = 32, indexBitWidth = 32 }>
#CSR  = #sparse_tensor.encoding<{ dimLevelType = ["dense", "compressed"], pointerBitWidth = 32, indexBitWidth = 32 }>
#CSC  = #sparse_tensor.encoding<{ dimLevelType = ["dense", "compressed"], pointerBitWidth = 32, indexBitWidth = 32,
                                  dimOrdering = affine_map<(i, j) -> (j, i)> }>
#DCSR = #sparse_tensor.encoding<{ dimLevelType = ["compressed", "compressed"], pointerBitWidth = 32, indexBitWidth = 32 }>
#CD   = #sparse_tensor.encoding<{ dimLevelType = ["compressed", "dense"], pointerBitWidth = 32, indexBitWidth = 32 }>
#BSR  = #sparse_tensor.encoding<{ dimLevelType = ["dense", "compressed", "dense", "dense"], pointerBitWidth = 32,
                                  indexBitWidth = 32 }>
#MG   = #sparse_tensor.encoding<{ dimLevelType = ["compressed", "compressed", "dense"], pointerBitWidth = 32,
                                  indexBitWidth = 32 }>
#CSF  = #sparse_tensor.encoding<{ dimLevelType = ["compressed", "compressed", "compressed"], pointerBitWidth = 32,
                                  indexBitWidth = 32 }>
#DSS  = #sparse_tensor.encoding<{ dimLevelType = ["dense", "compressed", "compressed"], pointerBitWidth = 32,
                                  indexBitWidth = 32 }>
#ALT  = #sparse_tensor.encoding<{ dimLevelType = ["dense", "compressed", "compressed"], pointerBitWidth = 32,
                                  indexBitWidth = 32, dimOrdering = affine_map<(i, j, k) -> (i, k, j)> }>

// y(i) += A(i,j) x(j)
#matvec = { indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
            iterator_types = ["parallel", "reduction"] }
func.func @mlir_spmv_csr(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %y: tensor<?xf64> {bufferization.writable = true})
    -> tensor<?xf64> attributes { llvm.emit_c_interface } {
  %0 = linalg.generic #matvec ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) outs(%y : tensor<?xf64>) {
  ^bb(%a: f64, %b: f64, %c: f64):
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %c, %p : f64
    linalg.yield %s : f64
  } -> tensor<?xf64>
  return %0 : tensor<?xf64>
}
func.func @mlir_spmv_dcsr(%A: tensor<?x?xf64, #DCSR>, %x: tensor<?xf64>, %y: tensor<?xf64> {bufferization.writable = true})
    -> tensor<?xf64> attributes { llvm.emit_c_interface } {
  %0 = linalg.generic #matvec ins(%A, %x : tensor<?x?xf64, #DCSR>, tensor<?xf64>) outs(%y : tensor<?xf64>) {
  ^bb(%a: f64, %b: f64, %c: f64):
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %c, %p : f64
    linalg.yield %s : f64
  } -> tensor<?xf64>
  return %0 : tensor<?xf64>
}
func.func @mlir_spmv_cd(%A: tensor<?x?xf64, #CD>, %x: tensor<?xf64>, %y: tensor<?xf64> {bufferization.writable = true})
    -> tensor<?xf64> attributes { llvm.emit_c_interface } {
  %0 = linalg.generic #matvec ins(%A, %x : tensor<?x?xf64, #CD>, tensor<?xf64>) outs(%y : tensor<?xf64>) {
  ^bb(%a: f64, %b: f64, %c: f64):
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %c, %p : f64
    linalg.yield %s : f64
  } -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

// y(i,m) += A(i,j,m,n) x(j,n): blocks as dimensions
#blocks = { indexing_maps = [affine_map<(i, j, m, n) -> (i, j, m, n)>, affine_map<(i, j, m, n) -> (j, n)>,
                             affine_map<(i, j, m, n) -> (i, m)>],
            iterator_types = ["parallel", "reduction", "parallel", "reduction"] }
func.func @mlir_spmv_bsr(%A: tensor<?x?x4x4xf64, #BSR>, %x: tensor<?x4xf64>, %y: tensor<?x4xf64> {bufferization.writable = true})
    -> tensor<?x4xf64> attributes { llvm.emit_c_interface } {
  %0 = linalg.generic #blocks ins(%A, %x : tensor<?x?x4x4xf64, #BSR>, tensor<?x4xf64>) outs(%y : tensor<?x4xf64>) {
  ^bb(%a: f64, %b: f64, %c: f64):
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %c, %p : f64
    linalg.yield %s : f64
  } -> tensor<?x4xf64>
  return %0 : tensor<?x4xf64>
}

// Y(i,k) += A(i,j) X(j,k)
func.func @mlir_spmm(%A: tensor<?x?xf64, #CSR>, %X: tensor<?x?xf64>, %Y: tensor<?x?xf64> {bufferization.writable = true})
    -> tensor<?x?xf64> attributes { llvm.emit_c_interface } {
  %0 = linalg.matmul ins(%A, %X : tensor<?x?xf64, #CSR>, tensor<?x?xf64>) outs(%Y : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

// Y(i,r) += B(i,j,k) X(j,r) Z(k,r)
#mttkrp = { indexing_maps = [affine_map<(i, j, k, r) -> (i, j, k)>, affine_map<(i, j, k, r) -> (j, r)>,
                             affine_map<(i, j, k, r) -> (k, r)>, affine_map<(i, j, k, r) -> (i, r)>],
            iterator_types = ["parallel", "reduction", "reduction", "parallel"] }
func.func @mlir_mttkrp_dss(%B: tensor<?x?x?xf64, #DSS>, %X: tensor<?x?xf64>, %Z: tensor<?x?xf64>,
                           %Y: tensor<?x?xf64> {bufferization.writable = true})
    -> tensor<?x?xf64> attributes { llvm.emit_c_interface } {
  %0 = linalg.generic #mttkrp ins(%B, %X, %Z : tensor<?x?x?xf64, #DSS>, tensor<?x?xf64>, tensor<?x?xf64>)
                              outs(%Y : tensor<?x?xf64>) {
  ^bb(%b: f64, %x: f64, %z: f64, %y: f64):
    %p = arith.mulf %b, %x : f64
    %q = arith.mulf %p, %z : f64
    %s = arith.addf %y, %q : f64
    linalg.yield %s : f64
  } -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}
func.func @mlir_mttkrp_alt(%B: tensor<?x?x?xf64, #ALT>, %X: tensor<?x?xf64>, %Z: tensor<?x?xf64>,
                           %Y: tensor<?x?xf64> {bufferization.writable = true})
    -> tensor<?x?xf64> attributes { llvm.emit_c_interface } {
  %0 = linalg.generic #mttkrp ins(%B, %X, %Z : tensor<?x?x?xf64, #ALT>, tensor<?x?xf64>, tensor<?x?xf64>)
                              outs(%Y : tensor<?x?xf64>) {
  ^bb(%b: f64, %x: f64, %z: f64, %y: f64):
    %p = arith.mulf %b, %x : f64
    %q = arith.mulf %p, %z : f64
    %s = arith.addf %y, %q : f64
    linalg.yield %s : f64
  } -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

// s += a(i) b(i); s += a(i) + b(i) + c(i), and the same sum as a vector, dense or sparse
#two = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"] }
#three = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
           iterator_types = ["reduction"] }
#each = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
          iterator_types = ["parallel"] }
func.func @mlir_dot(%a: tensor<?xf64, #SV>, %b: tensor<?xf64, #SV>, %s: tensor<f64> {bufferization.writable = true})
    -> tensor<f64> attributes { llvm.emit_c_interface } {
  %0 = linalg.generic #two ins(%a, %b : tensor<?xf64, #SV>, tensor<?xf64, #SV>) outs(%s : tensor<f64>) {
  ^bb(%x: f64, %y: f64, %t: f64):
    %p = arith.mulf %x, %y : f64
    %u = arith.addf %t, %p : f64
    linalg.yield %u : f64
  } -> tensor<f64>
  return %0 : tensor<f64>
}
func.func @mlir_sum3(%a: tensor<?xf64, #SV>, %b: tensor<?xf64, #SV>, %c: tensor<?xf64, #SV>,
                     %s: tensor<f64> {bufferization.writable = true}) -> tensor<f64> attributes { llvm.emit_c_interface } {
  %0 = linalg.generic #three ins(%a, %b, %c : tensor<?xf64, #SV>, tensor<?xf64, #SV>, tensor<?xf64, #SV>)
                             outs(%s : tensor<f64>) {
  ^bb(%x: f64, %y: f64, %z: f64, %t: f64):
    %p = arith.addf %x, %y : f64
    %q = arith.addf %p, %z : f64
    %u = arith.addf %t, %q : f64
    linalg.yield %u : f64
  } -> tensor<f64>
  return %0 : tensor<f64>
}
func.func @mlir_union3(%a: tensor<?xf64, #SV>, %b: tensor<?xf64, #SV>, %c: tensor<?xf64, #SV>,
                       %y: tensor<?xf64> {bufferization.writable = true})
    -> tensor<?xf64> attributes { llvm.emit_c_interface } {
  %0 = linalg.generic #each ins(%a, %b, %c : tensor<?xf64, #SV>, tensor<?xf64, #SV>, tensor<?xf64, #SV>)
                            outs(%y : tensor<?xf64>) {
  ^bb(%u: f64, %v: f64, %w: f64, %o: f64):
    %p = arith.addf %u, %v : f64
    %q = arith.addf %p, %w : f64
    linalg.yield %q : f64
  } -> tensor<?xf64>
  return %0 : tensor<?xf64>
}
func.func @mlir_union3_sparse(%a: tensor<?xf64, #SV>, %b: tensor<?xf64, #SV>, %c: tensor<?xf64, #SV>)
    -> tensor<?xf64, #SV> attributes { llvm.emit_c_interface } {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf64, #SV>
  %y = bufferization.alloc_tensor(%n) : tensor<?xf64, #SV>
  %0 = linalg.generic #each ins(%a, %b, %c : tensor<?xf64, #SV>, tensor<?xf64, #SV>, tensor<?xf64, #SV>)
                            outs(%y : tensor<?xf64, #SV>) {
  ^bb(%u: f64, %v: f64, %w: f64, %o: f64):
    %p = arith.addf %u, %v : f64
    %q = arith.addf %p, %w : f64
    linalg.yield %q : f64
  } -> tensor<?xf64, #SV>
  return %0 : tensor<?xf64, #SV>
}

// C(i,j) = A(i,j) + B(i,j); C(i,j) = A(i,k) B(k,j); s = L(i,k) U(k,j) M(i,j)
#add = { indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
         iterator_types = ["parallel", "parallel"] }
func.func @mlir_add(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
    attributes { llvm.emit_c_interface } {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %A, %c0 : tensor<?x?xf64, #CSR>
  %n = tensor.dim %A, %c1 : tensor<?x?xf64, #CSR>
  %C = bufferization.alloc_tensor(%m, %n) : tensor<?x?xf64, #CSR>
  %0 = linalg.generic #add ins(%A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) outs(%C : tensor<?x?xf64, #CSR>) {
  ^bb(%a: f64, %b: f64, %c: f64):
    %s = arith.addf %a, %b : f64
    linalg.yield %s : f64
  } -> tensor<?x?xf64, #CSR>
  return %0 : tensor<?x?xf64, #CSR>
}
func.func @mlir_spgemm(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
    attributes { llvm.emit_c_interface } {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %A, %c0 : tensor<?x?xf64, #CSR>
  %n = tensor.dim %B, %c1 : tensor<?x?xf64, #CSR>
  %C = bufferization.alloc_tensor(%m, %n) : tensor<?x?xf64, #CSR>
  %0 = linalg.matmul ins(%A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) outs(%C : tensor<?x?xf64, #CSR>)
       -> tensor<?x?xf64, #CSR>
  return %0 : tensor<?x?xf64, #CSR>
}
#count = { indexing_maps = [affine_map<(i, k, j) -> (i, k)>, affine_map<(i, k, j) -> (k, j)>, affine_map<(i, k, j) -> (i, j)>,
                            affine_map<(i, k, j) -> ()>],
           iterator_types = ["reduction", "reduction", "reduction"] }
func.func @mlir_triangles(%L: tensor<?x?xf64, #CSR>, %U: tensor<?x?xf64, #CSR>, %M: tensor<?x?xf64, #CSR>,
                          %s: tensor<f64> {bufferization.writable = true}) -> tensor<f64> attributes { llvm.emit_c_interface } {
  %0 = linalg.generic #count ins(%L, %U, %M : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
                             outs(%s : tensor<f64>) {
  ^bb(%a: f64, %b: f64, %c: f64, %t: f64):
    %p = arith.mulf %a, %b : f64
    %q = arith.mulf %p, %c : f64
    %u = arith.addf %t, %q : f64
    linalg.yield %u : f64
  } -> tensor<f64>
  return %0 : tensor<f64>
}

// S(i,j) .* (X(i,k) Z(j,k)); T(i,j) = B(i,j,k) x(k)
#sddmm = { indexing_maps = [affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>,
                            affine_map<(i, j, k) -> (i, j)>],
           iterator_types = ["parallel", "parallel", "reduction"] }
func.func @mlir_sddmm_csr(%S: tensor<?x?xf64, #CSR>, %X: tensor<?x?xf64>, %Z: tensor<?x?xf64>) -> tensor<?x?xf64, #CSR>
    attributes { llvm.emit_c_interface } {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %S, %c0 : tensor<?x?xf64, #CSR>
  %n = tensor.dim %S, %c1 : tensor<?x?xf64, #CSR>
  %C = bufferization.alloc_tensor(%m, %n) : tensor<?x?xf64, #CSR>
  %0 = linalg.generic #sddmm ins(%S, %X, %Z : tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>)
                             outs(%C : tensor<?x?xf64, #CSR>) {
  ^bb(%a: f64, %x: f64, %z: f64, %t: f64):
    %p = arith.mulf %x, %z : f64
    %q = arith.mulf %a, %p : f64
    %u = arith.addf %t, %q : f64
    linalg.yield %u : f64
  } -> tensor<?x?xf64, #CSR>
  return %0 : tensor<?x?xf64, #CSR>
}
func.func @mlir_sddmm_dcsr(%S: tensor<?x?xf64, #DCSR>, %X: tensor<?x?xf64>, %Z: tensor<?x?xf64>) -> tensor<?x?xf64, #DCSR>
    attributes { llvm.emit_c_interface } {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %S, %c0 : tensor<?x?xf64, #DCSR>
  %n = tensor.dim %S, %c1 : tensor<?x?xf64, #DCSR>
  %C = bufferization.alloc_tensor(%m, %n) : tensor<?x?xf64, #DCSR>
  %0 = linalg.generic #sddmm ins(%S, %X, %Z : tensor<?x?xf64, #DCSR>, tensor<?x?xf64>, tensor<?x?xf64>)
                             outs(%C : tensor<?x?xf64, #DCSR>) {
  ^bb(%a: f64, %x: f64, %z: f64, %t: f64):
    %p = arith.mulf %x, %z : f64
    %q = arith.mulf %a, %p : f64
    %u = arith.addf %t, %q : f64
    linalg.yield %u : f64
  } -> tensor<?x?xf64, #DCSR>
  return %0 : tensor<?x?xf64, #DCSR>
}
#ttv = { indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i, j)>],
         iterator_types = ["parallel", "parallel", "reduction"] }
func.func @mlir_ttv(%B: tensor<?x?x?xf64, #CSF>, %x: tensor<?xf64>) -> tensor<?x?xf64, #DCSR>
    attributes { llvm.emit_c_interface } {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %B, %c0 : tensor<?x?x?xf64, #CSF>
  %n = tensor.dim %B, %c1 : tensor<?x?x?xf64, #CSF>
  %T = bufferization.alloc_tensor(%m, %n) : tensor<?x?xf64, #DCSR>
  %0 = linalg.generic #ttv ins(%B, %x : tensor<?x?x?xf64, #CSF>, tensor<?xf64>) outs(%T : tensor<?x?xf64, #DCSR>) {
  ^bb(%b: f64, %v: f64, %t: f64):
    %p = arith.mulf %b, %v : f64
    %u = arith.addf %t, %p : f64
    linalg.yield %u : f64
  } -> tensor<?x?xf64, #DCSR>
  return %0 : tensor<?x?xf64, #DCSR>
}
#ttm = { indexing_maps = [affine_map<(i, j, k, r) -> (i, j, k)>, affine_map<(i, j, k, r) -> (k, r)>,
                          affine_map<(i, j, k, r) -> (i, j, r)>],
         iterator_types = ["parallel", "parallel", "reduction", "parallel"] }
func.func @mlir_ttm(%B: tensor<?x?x?xf64, #CSF>, %Z: tensor<?x?xf64>) -> tensor<?x?x?xf64, #MG>
    attributes { llvm.emit_c_interface } {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %B, %c0 : tensor<?x?x?xf64, #CSF>
  %n = tensor.dim %B, %c1 : tensor<?x?x?xf64, #CSF>
  %o = tensor.dim %Z, %c1 : tensor<?x?xf64>
  %T = bufferization.alloc_tensor(%m, %n, %o) : tensor<?x?x?xf64, #MG>
  %0 = linalg.generic #ttm ins(%B, %Z : tensor<?x?x?xf64, #CSF>, tensor<?x?xf64>) outs(%T : tensor<?x?x?xf64, #MG>) {
  ^bb(%b: f64, %z: f64, %t: f64):
    %p = arith.mulf %b, %z : f64
    %u = arith.addf %t, %p : f64
    linalg.yield %u : f64
  } -> tensor<?x?x?xf64, #MG>
  return %0 : tensor<?x?x?xf64, #MG>
}

// the same matrix in another storage
func.func @mlir_transpose(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSC> attributes { llvm.emit_c_interface } {
  %0 = sparse_tensor.convert %A : tensor<?x?xf64, #CSR> to tensor<?x?xf64, #CSC>
  return %0 : tensor<?x?xf64, #CSC>
}
func.func @mlir_dcsr(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #DCSR> attributes { llvm.emit_c_interface } {
  %0 = sparse_tensor.convert %A : tensor<?x?xf64, #CSR> to tensor<?x?xf64, #DCSR>
  return %0 : tensor<?x?xf64, #DCSR>
}
