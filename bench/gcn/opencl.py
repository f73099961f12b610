"""The same launch on an OpenCL device, through PyOpenCL: what its buffers hold then."""
import numpy as np
import pyopencl as cl


def device():
    """The CPU of PoCL."""
    for platform in cl.get_platforms():
        if platform.name == "Portable Computing Language":
            return platform.get_devices()[0]
    raise SystemExit("gcn: there is no PoCL: install pocl-opencl-icd")


def run(source, program, launch, prepared, options=""):
    """The buffers' bytes by number, after the whole launch on PoCL."""
    context = cl.Context([device()])
    queue = cl.CommandQueue(context)
    kernel = getattr(cl.Program(context, source).build(options), program.name)
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    buffers = {}
    arguments = []
    for kind, value in prepared.values:
        if kind == "buffer":
            host = prepared.memory.at(value)
            buffers[value] = cl.Buffer(context, flags, hostbuf=host.bytes[:host.size])
            arguments.append(buffers[value])
        elif kind == "local":
            arguments.append(cl.LocalMemory(value))
        else:
            arguments.append(np.frombuffer(value, np.uint8))
    kernel.set_args(*arguments)
    count = launch.dimensions
    cl.enqueue_nd_range_kernel(queue, kernel, launch.global_size[:count],
                               launch.local[:count])
    out = {}
    for number, buffer in buffers.items():
        out[number] = np.empty(prepared.memory.at(number).size, np.uint8)
        cl.enqueue_copy(queue, out[number], buffer)
    queue.finish()
    return out
