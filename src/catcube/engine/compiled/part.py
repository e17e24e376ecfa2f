"""Compilation of the parts of kernels: optimised, kept for linking, but not made machine code.

A part is linked into the kernels that call it and never called by itself. numba would still make
machine code of each part together with all parts below it: a sixth of the time (measured).
"""

from typing import Any

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

ENVIRONMENT = "_ZN08NumbaEnv"
"""How the variables begin that numba fills with a function's environment when it is loaded."""


class PartLibrary(JITCodeLibrary):
    """The code of a part: a module for linking, and machine code of its variables alone."""

    _final_module: Any

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


class PartCompiler(Compiler):
    """numba's compiler with the library above."""

    def define_pipelines(self) -> list[Any]:
        """Return numba's passes; its lowering takes the library that is there."""
        codegen = self.state.targetctx.codegen()
        self.state.library = PartLibrary(codegen, self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        passes: list[Any] = super().define_pipelines()
        return passes
