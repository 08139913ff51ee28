"""Compiled functions as Python sees them, and what is kept of them on the disk; see `nfsim.compiled.parts`."""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import caching, cgutils, compiler, dispatcher, imputils, registry, sigutils, typing
from numba.core.compiler_lock import global_compiler_lock
from numba.core.runtime import rtsys

from nfsim.compiled.parts import EntryLibrary, Key, PartCompiler

_BLAS = "scipy.linalg.cython_blas"

Home = Callable[[Any, tuple[Any, ...]], Path | None]


def _import_arrays() -> None:
    """Import numba's array functions, without the library for matrices that they look for.

    No rule multiplies matrices, and importing it takes as long as numba itself. (Numba asks for it once, here.)
    """
    if _BLAS in sys.modules:
        return
    modules: dict[str, Any] = sys.modules
    modules[_BLAS] = None  # an import of it fails
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        del modules[_BLAS]


class _EntryFiles(caching.CompileResultCacheImpl):
    """What of an entry is kept on the disk: machine code, and what must be there before it is loaded."""

    def reduce(self, result: Any) -> Any:
        library = result.library
        symbols = [
            each.name
            for each in (*library._final_module.functions, *library._final_module.global_variables)
            if not each.is_declaration
        ]
        needs = [(each.py_func.__module__, each.py_func.__qualname__, arguments) for each, arguments in library.needs]
        return (
            needs,
            (library.name, library._get_compiled_object(), symbols),
            result.fndesc,
            result.environment,
            result.signature,
            tuple(library._reload_init),
            tuple(result._find_referenced_environments()),
        )

    def rebuild(self, target: Any, data: Any) -> Any:
        needs, (name, machine_code, symbols), fndesc, env, signature, inits, referenced = data
        rtsys.initialize(target)
        for init in inits:
            init()
        for module, function, arguments in needs:
            getattr(importlib.import_module(module), function).open_slot(arguments)
        library = EntryLibrary(target.codegen(), name)
        library.enable_object_caching()
        library._set_compiled_object(machine_code)
        library._finalize_final_module()
        library._codegen._engine._defined_symbols |= set(symbols)
        entry_point = target.get_executable(library, fndesc, env)
        for each in referenced:
            library.codegen.set_env(each.env_name, each)
        return compiler.compile_result(
            typing_context=target.typing_context,
            target_context=target,
            entry_point=entry_point,
            signature=signature,
            objectmode=False,
            lifted=(),
            fndesc=fndesc,
            library=library,
            environment=env,
            type_annotation="",
            reload_init=list(inits),
        )


class _Locator(caching.UserProvidedCacheLocator):
    """Where the entries of a function are: in the folder given, not in one that a setting names."""

    folder: Path

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)
        self._cache_path = str(self.folder / self.get_suitable_cache_subpath(py_file))

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        """Return the locator of a function."""
        return cls(py_func, py_file)


class _Entries(caching.Cache):
    """Numba's cache of a function's entries."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load an entry; not before registering all that numba can compile, which takes a fifth of a second."""
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


def _files_in(folder: Path, py_func: Any) -> Any:
    """Return the cache of a function's entries in a folder."""
    located = type("Located", (_Locator,), {"folder": folder})
    files = type("Files", (_EntryFiles,), {"_locator_classes": [located]})
    return type("Entries", (_Entries,), {"_impl_class": files})(py_func)


class Function(registry.CPUDispatcher):
    """A compiled function: a part for compiled callers, an entry for Python; see the head of this module.

    Parameters
    ----------
    py_func : callable
    home : callable
        ``(py_func, types) -> folder`` where the entry for such types is kept; None: nowhere.
    apart : bool
        Compiled callers jump to the entry instead of taking the function in as a part.
    late : type of numba, optional
        What it returns; it is then compiled only when `load` asks for it.
    """

    apart: bool = False
    late: Any = None

    def __init__(self, py_func: Any, locals: Any = None, targetoptions: Any = None, **options: Any) -> None:  # noqa: A002 - numba's name
        self._home: Home = options.pop("home", lambda func, args: None)
        self._disks: dict[Path | None, Any] = {}
        options.setdefault("pipeline_class", PartCompiler)
        super().__init__(py_func, locals or {}, targetoptions or {}, **options)
        self.entries: dict[tuple[Any, ...], Any] = {}
        self._slots: dict[tuple[Any, ...], tuple[Any, str, Key]] = {}

    def _disk(self, args: tuple[Any, ...]) -> Any:
        """Return what keeps the entry for such types on the disk."""
        folder = self._home(self.py_func, args)
        if folder not in self._disks:
            self._disks[folder] = caching.NullCache() if folder is None else _files_in(folder, self.py_func)
        return self._disks[folder]

    # --- parts, for compiled callers

    def compile(self, sig: Any) -> Any:
        """Compile a part."""
        _import_arrays()
        return super().compile(sig)

    def add_overload(self, result: Any) -> None:
        """Note a part; Python shall not find it, for it cannot be run."""
        self.overloads[tuple(result.signature.args)] = result

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Tell numba what a call with such types returns."""
        if not self.apart:
            return super().get_call_template(args, kws)
        pysig, folded = self._compiler.fold_argument_types(args, kws)
        name = self.py_func.__name__
        result = self.late or self._typed(tuple(folded)).signature.return_type
        template = typing.make_concrete_template(f"Apart({name})", name, [typing.signature(result, *folded)])
        return template, pysig, folded, {}

    def get_overload(self, sig: Any) -> Any:
        """Return what numba looks the function up by when it writes a call."""
        args, _ = sigutils.normalize_signature(sig)
        return self._slot(tuple(args))[2] if self.apart else super().get_overload(sig)

    def _typed(self, args: tuple[Any, ...]) -> Any:
        """Return the entry or the part, whichever is there."""
        found = self.entries.get(args) or self.overloads.get(args) or self._from_disk(args)
        if found is None:
            self.compile(args)
            found = self.overloads[args]
        return found

    # --- slots, for compiled callers of what is compiled apart

    def _slot(self, args: tuple[Any, ...]) -> tuple[Any, str, Key]:
        """Return the place that holds the address of the entry, its name among LLVM's symbols, and numba's key."""
        if args not in self._slots:
            what = f"{self.py_func.__module__}.{self.py_func.__qualname__}{args}"
            name = "nfsim.slot." + hashlib.sha256(what.encode()).hexdigest()[:32]
            place = ctypes.c_void_p(0)
            llvm.add_symbol(name, ctypes.addressof(place))
            key = Key()
            self.targetctx.insert_func_defn([(self._jump(name, args), key, args)])
            self._slots[args] = place, name, key
        return self._slots[args]

    def open_slot(self, args: tuple[Any, ...]) -> None:
        """Make sure, before code that jumps through it is loaded, that the slot is there and filled."""
        place, _, _ = self._slot(args)
        if self.late is None and not place.value:
            self.entry(args)

    def _jump(self, slot: str, args: tuple[Any, ...]) -> Callable[..., Any]:
        """Return what writes a call through a slot."""

        def write(context: Any, builder: Any, sig: Any, values: Any) -> Any:
            context.active_code_library.needs.append((self, args))
            pointer = context.call_conv.get_function_type(sig.return_type, args).as_pointer()
            known = builder.module.globals
            place = known[slot] if slot in known else ir.GlobalVariable(builder.module, pointer, slot)
            address = builder.load(place)
            if self.late is not None:
                with cgutils.if_unlikely(builder, cgutils.is_null(builder, address)):
                    words = f"{self.py_func.__name__} has not been loaded"
                    context.call_conv.return_user_exc(builder, RuntimeError, (words,))
            status, result = context.call_conv.call_function(builder, address, sig.return_type, args, values)
            with cgutils.if_unlikely(builder, status.is_error):
                context.call_conv.return_status_propagate(builder, status)
            return imputils.impl_ret_new_ref(context, builder, sig.return_type, result)

        return write

    # --- entries, for Python

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """Return the entry for arguments that Python calls with and that no entry fits yet."""
        kinds = tuple(a._numba_type_ if isinstance(a, dispatcher.OmittedArg) else self.typeof_pyval(a) for a in args)
        if kinds not in self.entries and self._from_disk(kinds) is None:
            key = super()._compile_for_args(*args, **kws)  # with numba's messages when types do not fit
            kinds = tuple(key.result.signature.args)
        return self.entry(kinds)

    def entry(self, args: tuple[Any, ...]) -> Any:
        """Return the function that Python calls for arguments of such types; compile or load it if need be."""
        with global_compiler_lock:
            if args not in self.entries and self._from_disk(args) is None:
                self.compile(args)
                result = self._linked(self.overloads[args])
                self._note(args, result)
                self._disk(args).save_overload(args, result)
            return self.entries[args].entry_point

    def _from_disk(self, args: tuple[Any, ...]) -> Any:
        with global_compiler_lock:
            found = self._disk(args).load_overload(args, self.targetctx)
            if found is not None:
                self._cache_hits[args] += 1
                self._note(args, found)
            return found

    def _linked(self, part: Any) -> Any:
        """Make the entry of a part."""
        self._cache_misses[tuple(part.signature.args)] += 1
        fndesc, target = part.fndesc, part.target_context
        library = EntryLibrary(target.codegen(), fndesc.qualname)
        library.enable_object_caching()
        library.part = part.library
        target.create_cpython_wrapper(
            library, fndesc, part.environment, part.call_helper, release_gil=bool(self.targetoptions.get("nogil"))
        )
        library.shown = frozenset({fndesc.llvm_func_name} if self.apart else ())
        entry_point = target.get_executable(library, fndesc, part.environment)
        return part._replace(entry_point=entry_point, library=library)

    def _note(self, args: tuple[Any, ...], result: Any) -> None:
        """Let Python find an entry, and compiled callers too if it is compiled apart."""
        self.entries[args] = result
        self._insert([a._code for a in args], result.entry_point, False)
        if self.apart:
            address = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
            self._slot(args)[0].value = address

    @property
    def signatures(self) -> list[Any]:
        """Types that it has been compiled for, as part or as entry."""
        return list(self.overloads | self.entries)
