"""The code of kernels and of their parts, as LLVM sees it: each instruction is optimised once.

A part is linked into the kernels that call it and never called by itself. numba would optimise each
part together with all parts below it, and make machine code of it. Here a part is only simplified,
which makes it smaller, and a kernel is optimised as a whole.
"""

from inspect import signature
from typing import Any

from llvmlite import binding
from numba.core.codegen import CPUCodegen, JITCodeLibrary

ENVIRONMENT = "_ZN08NumbaEnv"
"""How the variables begin that numba fills with a function's environment when it is loaded."""

SIMPLIFIED = 1  # the level of optimisation of parts: variables in registers, no dead code

OLD_PASSES = "llvm_module" in signature(CPUCodegen._function_pass_manager).parameters
"""Whether numba has LLVM's former pass managers: then it optimises as it always did."""


class KernelLibrary(JITCodeLibrary):
    """The code of a kernel, optimised when all its parts are there."""

    _final_module: Any

    def _optimize_functions(self, module: Any) -> None:
        """Leave it as it is: what follows takes the same steps again."""
        if OLD_PASSES:
            super()._optimize_functions(module)
            return
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Optimise once; numba does it twice, to find pairs of reference counts in between."""
        if OLD_PASSES:
            super()._optimize_final_module()
            return
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


class PartLibrary(JITCodeLibrary):
    """The code of a part: a module for linking, and machine code of its variables alone."""

    _final_module: Any

    def _optimize_functions(self, module: Any) -> None:
        if OLD_PASSES:
            super()._optimize_functions(module)
            return
        module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager(opt=SIMPLIFIED)
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def _optimize_final_module(self) -> None:
        """Leave it to the kernels."""
        if OLD_PASSES:
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True  # what follows asks for it
        self._shared_module = self._get_module_for_linking()
        variables = [
            str(variable)
            for variable in self._final_module.global_variables
            if variable.name.startswith(ENVIRONMENT)
        ]
        empty = str(self._codegen._create_empty_module(self.name))
        self._final_module = binding.parse_assembly("\n".join([empty, *variables]))
        super()._finalize_final_module()
