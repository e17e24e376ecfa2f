"""numba's compiler with what our functions do not need left out."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

from numba import types
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.types.functions import BaseFunction

from catcube.engine.compiled.libraries import KernelLibrary, PartLibrary

ARRAY_EXPRESSIONS = "nopython_rewrites"
"""The pass for sums of whole arrays: they would allocate, which our functions cannot."""

CLOSURES = "inline_closure_likes"


class KernelCompiler(Compiler):
    """Compiler of kernels."""

    library: type = KernelLibrary

    def compile_extra(self, function: Any) -> Any:
        """Compile a function, undisturbed."""
        with undisturbed():
            return super().compile_extra(function)

    def define_pipelines(self) -> list[Any]:
        """Return numba's passes but two; its lowering takes the library that is there."""
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
    """Compiler of parts of kernels."""

    library = PartLibrary


def without_literals(dispatcher: Any) -> None:
    """Let a function be compiled for integers, and not for each constant that it is called with.

    numba takes a variable that begins with 0 for this constant until it has seen what the variable
    becomes: then the functions called with it, and all below them, would be compiled twice.
    """
    plain = dispatcher.get_call_template

    def get_call_template(arguments, keywords):
        return plain(tuple(map(types.unliteral, arguments)), keywords)

    dispatcher.get_call_template = get_call_template


_TYPED: dict[Any, Any] = {}
_FUNCTIONS: Any = BaseFunction
_look_up = _FUNCTIONS.get_call_type


def _remember(self, context, arguments, keywords):
    """Look up once how a call of one of numba's functions is typed, by the types of its arguments.

    numba looks for it among all functions of that name: `array[i]` among dozens, when it is typed
    and again when its code is made. In a kernel and its parts nine of ten look-ups are repetitions.
    """
    key = self, context, tuple(arguments), tuple(keywords.items())
    if key not in _TYPED:
        _TYPED[key] = _look_up(self, context, arguments, keywords)
    return _TYPED[key]


@contextmanager
def undisturbed() -> Iterator[None]:
    """Compile without garbage collections, which took an eighth of the time, and remember calls."""
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
