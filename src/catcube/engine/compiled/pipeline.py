"""numba's compiler without the steps that our functions do not need.

A part is linked into the kernels that call it, and never called directly. numba would optimise each
part together with all parts below it, and generate machine code. Here a part is only simplified,
which makes it smaller, and a kernel is optimised once, as a whole.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import signature
from types import CodeType
from typing import Any

from llvmlite import binding
from numba import types
from numba.core.codegen import CPUCodegen, JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.types.functions import BaseFunction

_PRIVATE = {
    JITCodeLibrary: (
        "_finalize_dynamic_globals",
        "_finalize_final_module",
        "_get_module_for_linking",
        "_optimize_final_module",
        "_optimize_functions",
    ),
    CPUCodegen: ("_create_empty_module", "_function_pass_manager", "_module_pass_manager"),
    BaseFunction: ("get_call_type",),
    Dispatcher: ("get_call_template",),
}
for _class, _names in _PRIVATE.items():
    for _name in _names:
        if not hasattr(_class, _name):
            raise ImportError(f"this numba has no {_class.__name__}.{_name}")
if "llvm_module" in signature(CPUCodegen._function_pass_manager).parameters:
    raise ImportError("this numba has LLVM's former pass managers")

ENVIRONMENT = "_ZN08NumbaEnv"
"""The beginning of the names of the variables that numba sets to a function's environment."""

SIMPLIFIED = 1  # optimisation level of parts: variables in registers, no dead code


class KernelLibrary(JITCodeLibrary):
    """The code of a kernel, optimised when all its parts are linked."""

    _final_module: Any

    def _optimize_functions(self, module: Any) -> None:
        """Skip the optimisation, which the next step would repeat."""
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Optimise once; numba does it twice, to prune reference counts in between."""
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


class PartLibrary(JITCodeLibrary):
    """The code of a part: a module for linking, and machine code of its variables only."""

    _final_module: Any

    def _optimize_functions(self, module: Any) -> None:
        """Simplify the functions of the part."""
        module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager(opt=SIMPLIFIED)
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def _optimize_final_module(self) -> None:
        """Leave the optimisation to the kernels."""

    def _finalize_final_module(self) -> None:
        """Keep the module for linking, and generate machine code of its variables only."""
        self._finalize_dynamic_globals()
        self._finalized = True  # the next call requires it
        self._shared_module = self._get_module_for_linking()
        variables = [
            str(variable)
            for variable in self._final_module.global_variables
            if variable.name.startswith(ENVIRONMENT)
        ]
        empty = str(self._codegen._create_empty_module(self.name))
        self._final_module = binding.parse_assembly("\n".join([empty, *variables]))
        super()._finalize_final_module()


ARRAY_EXPRESSIONS = "nopython_rewrites"
"""The pass for expressions of whole arrays, which allocate memory, as our functions cannot."""

CLOSURES = "inline_closure_likes"


class KernelCompiler(Compiler):
    """The compiler of kernels."""

    library: type = KernelLibrary

    def compile_extra(self, function: Any) -> Any:
        """Compile a function without garbage collection."""
        with fast_compilation():
            return super().compile_extra(function)

    def define_pipelines(self) -> list[Any]:
        """Return numba's passes except for two; its lowering uses the library set here."""
        codegen = self.state.targetctx.codegen()
        self.state.library = self.library(codegen, self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        unneeded = {ARRAY_EXPRESSIONS}
        if not any(isinstance(value, CodeType) for value in self.state.bc.co_consts):
            unneeded.add(CLOSURES)
        managers: list[Any] = super().define_pipelines()
        for manager in managers:
            manager.passes = [step for step in manager.passes if step[0].name() not in unneeded]
            manager.finalize()
        return managers


class PartCompiler(KernelCompiler):
    """The compiler of parts of kernels."""

    library = PartLibrary


def without_literals(dispatcher: Any) -> None:
    """Let a function be compiled for integers, not for each constant argument.

    numba types a variable that is first set to 0 as this constant until it sees later assignments;
    the functions called with it, and all below them, would be compiled twice.
    """
    plain = dispatcher.get_call_template

    def get_call_template(arguments, keywords):
        return plain(tuple(map(types.unliteral, arguments)), keywords)

    dispatcher.get_call_template = get_call_template


_TYPED: dict[Any, Any] = {}
_FUNCTIONS: Any = BaseFunction
_look_up = _FUNCTIONS.get_call_type


def _remember(self, context, arguments, keywords):
    """Cache the types of calls of numba's functions by the types of the arguments.

    numba searches all functions of a name, dozens for `array[i]`, both for typing and for code
    generation. In a kernel and its parts, nine of ten searches are repetitions.
    """
    key = self, context, tuple(arguments), tuple(keywords.items())
    if key not in _TYPED:
        _TYPED[key] = _look_up(self, context, arguments, keywords)
    return _TYPED[key]


@contextmanager
def fast_compilation() -> Iterator[None]:
    """Compile without garbage collection, which took 1/8 of the time, and with cached types."""
    with global_compiler_lock:
        collecting, before = gc.isenabled(), _FUNCTIONS.get_call_type
        gc.disable()
        _FUNCTIONS.get_call_type = _remember
        try:
            yield
        finally:
            _FUNCTIONS.get_call_type = before
            if collecting:
                gc.enable()
