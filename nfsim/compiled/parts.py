"""How numba is brought to compile a function once: parts, which are linked, and entries, which are optimised.

Left alone, numba optimises every function and turns it into machine code, and again within each function that calls
it: a caller links in all that it calls, directly or not. A chain of calls costs the square of its length, and most of
what is made is never run. Here a function called by compiled code is a *part*: its types are found and it is put into
LLVM's language, once, and that is all. Only a function called from Python is an *entry*: all its parts are linked
with it, optimised as one whole, turned into machine code, and kept on the disk. The same function can be both.

A function compiled *apart* is linked into nobody: compiled callers jump to its entry through its *slot*, a place in
memory that holds its address. No address is part of the code that is kept; whoever loads such code makes sure
beforehand that slots are there, and filled.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

import llvmlite.binding as llvm
from numba.core import codegen, compiler, environment, ir, targetconfig, types

if TYPE_CHECKING:
    from nfsim.compiled.entries import Function

PRIVATE = "linkonce_odr"  # LLVM's word for functions that are dropped once they have been inlined everywhere
Need = tuple["Function", tuple[Any, ...]]
"""A function compiled apart, and the types it is called with."""


_NEEDED = {
    codegen.JITCodeLibrary: (
        "_finalize_final_module", "_get_module_for_linking", "_set_compiled_object", "get_pointer_to_function",
    ),
    codegen.JITCPUCodegen: ("_create_empty_module", "_module_pass_manager", "set_env"),
    codegen.JitEngine: ("_load_defined_symbols",),
    compiler.CompilerBase: ("compile_extra",),
    ir.Inst: ("_rec_list_vars", "list_vars"),
    targetconfig.TargetConfig: ("values", "options", "_values"),
}  # fmt: skip
if any(not hasattr(owner, name) for owner, names in _NEEDED.items() for name in names):
    raise ImportError("this numba is not built as expected")


_records: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
_write_out = types.Record.__repr__


def _written_once(record: Any) -> str:
    """Return a record's type in words: numba writes all its fields out thousands of times, a tenth of its time."""
    if record not in _records:
        _records[record] = _write_out(record)
    return _records[record]


types.Record.__repr__ = _written_once


def _settings_of(flags: Any) -> dict[str, Any]:
    """Return all settings of a compilation: numba asks each for itself, for every function it looks up."""
    kind = type(flags)
    if kind not in _defaults:
        _defaults[kind] = {name: option.default for name, option in kind.options.items()}
    values: dict[str, Any] = _defaults[kind] | flags._values
    return values


_defaults: dict[type, dict[str, Any]] = {}
targetconfig.TargetConfig.values = _settings_of


def _variables_in(instruction: Any, value: Any) -> list[Any]:
    """Return the variables in a part of an instruction, as numba does and in its order, in a third of its time."""
    found: list[Any] = []
    waiting = [value]
    while waiting:
        each = waiting.pop()
        kind = type(each)
        if kind is ir.Var:
            found.append(each)
        elif kind in _NO_VARIABLES:
            continue
        elif isinstance(each, dict):
            waiting.extend(reversed(each.values()))
        elif isinstance(each, (list, tuple)):
            waiting.extend(reversed(each))
        elif isinstance(each, ir.Inst):
            found.extend(each.list_vars())
    return found


_NO_VARIABLES = frozenset({str, int, float, bool, type(None), ir.Loc})
ir.Inst._rec_list_vars = _variables_in


class Key:
    """What numba looks a function's variant up by, where it expects the compiled function."""

    def __init__(self, result: Any = None) -> None:
        self.result = result


class PartLibrary(codegen.JITCodeLibrary):
    """One function in LLVM's language, as numba wrote it; never optimised or turned into machine code alone."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.needs: list[Need] = []

    def add_llvm_module(self, module: Any) -> None:
        """Take the function in without optimising it: its entry will be optimised as a whole."""
        module.data_layout = self._codegen._data_layout
        self._final_module.link_in(module)

    def add_linking_library(self, library: Any) -> None:
        """Note what this function calls."""
        if library not in self._linking_libraries:
            self._linking_libraries.append(library)

    def finalize(self) -> None:
        """Accept nothing more."""
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Return this part with all it calls, for a caller that is compiled in numba's own way."""
        if self._shared_module is None:
            whole = llvm.parse_assembly(str(self._codegen._create_empty_module(self.name)))
            _link(whole, self)
            for function in whole.functions:
                if not function.is_declaration and function.linkage == llvm.Linkage.external:
                    function.linkage = "linkonce_odr"
            self._shared_module = whole
        return self._shared_module


def _callers_first(library: Any, found: dict[Any, None]) -> dict[Any, None]:
    """Collect a library and all it calls in reversed order: what calls comes after what is called."""
    if library not in found:
        for called in library._linking_libraries if isinstance(library, PartLibrary) else ():
            _callers_first(called, found)
        found[library] = None
    return found


def _link(whole: Any, library: PartLibrary) -> tuple[set[str], list[Need], set[Any]]:
    """Link a part and all it calls into a module.

    Returns
    -------
    names : set of str
        Functions of parts.
    needs : list of (Function, tuple of types)
        What they call through slots.
    inits : set
        What numba wants to be called whenever the code is loaded.
    """
    names: set[str] = set()
    needs: dict[Need, None] = {}
    inits: set[Any] = set()
    for each in reversed(_callers_first(library, {})):
        inits |= each._reload_init
        if isinstance(each, PartLibrary):
            names |= {function.name for function in each._final_module.functions if not function.is_declaration}
            needs |= dict.fromkeys(each.needs)
            whole.link_in(each._final_module, preserve=True)
        else:
            whole.link_in(each._get_module_for_linking(), preserve=True)
    return names, list(needs), inits


class EntryLibrary(codegen.JITCodeLibrary):
    """An entry with all its parts, optimised and compiled as one whole."""

    part: PartLibrary
    shown: frozenset[str] = frozenset()
    needs: list[Need]

    def finalize(self) -> None:
        """Link, optimise, and turn into machine code."""
        self._raise_if_finalized()
        names, self.needs, inits = _link(self._final_module, self.part)
        self._reload_init |= inits
        for name in names - self.shown:
            self._final_module.get_function(name).linkage = PRIVATE
        self._optimize_final_module()
        self._final_module.verify()
        for function, arguments in self.needs:
            function.open_slot(arguments)
        self._finalize_final_module()
        for variable in self._final_module.global_variables:
            found = environment.lookup_environment(variable.name)
            if found is not None:
                self._codegen.set_env(variable.name, found)

    def _optimize_final_module(self) -> None:
        """Optimise once, all at the same time.

        Numba first inlines with hardly any optimisation, to find references that can be pruned. Of those our code has
        none, and functions as large as that makes them take twice as long to compile and run a fifth slower.
        """
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


class PartCompiler(compiler.Compiler):
    """Numba's compiler, stopped before the machine code."""

    def compile_extra(self, function: Any) -> Any:
        """Compile a function into a part."""
        state = self.state
        state.flags.no_compile = True
        state.flags.no_cpython_wrapper = True
        state.flags.no_cfunc_wrapper = True
        state.library = PartLibrary(state.targetctx.codegen(), function.__qualname__)
        result = super().compile_extra(function)
        result.fndesc.typemap = result.fndesc.calltypes = None  # large, and no longer needed
        key = Key()
        key.result = result._replace(entry_point=key, type_annotation="", metadata=None)
        state.targetctx.insert_user_function(key, result.fndesc, [result.library])
        return key.result
