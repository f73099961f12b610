// OpenCL's functions of images and samplers on NVIDIA's GPUs, which libclc
// lacks.
#pragma once

namespace llvm {
class FunctionPass;
class Module;
} // namespace llvm

namespace clrewrite::measure {

/// Gives the functions of images that \p M declares the instructions that
/// NVIDIA's own compiler makes of them: reads are those of texture units,
/// writes those of surfaces, behind the order of the image's channels that is
/// asked at run time. Says of each kernel which parameters are images and
/// samplers, as PTX has them in spaces of their own. Reads of images that are
/// written as well stay undefined. To be called before the module is optimised.
void defineImages(llvm::Module &M);

/// Has each instruction for images name its image and its sampler itself, just
/// before machine code is made: the back end does not follow them through other
/// values, and crashes. Where the optimiser has made one instruction of two for
/// different images, one of these stands for both.
llvm::FunctionPass *createImageNamingPass();

} // namespace clrewrite::measure
