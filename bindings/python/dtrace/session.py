# SPDX-License-Identifier: BSD-2-Clause
"""A trace from program to end.

Everything that the library hands out is turned into Python's own here, and given
back.  The one exception are records, whose text is made when it is asked for:
they hold their event, and _records knows them, so that close() can have it back.
"""
from __future__ import annotations

import asyncio
import ctypes
import shlex
import weakref
from types import TracebackType
from typing import (Any, AsyncIterator, Callable, Dict, Iterator, List, NamedTuple, Optional,
                    Sequence, Tuple, Type, Union)

from . import _lib, errors
from .aggregation import FUNCTIONS, INT64_MAX, INT64_MIN, Aggregation, Bucket, Histogram, Row
from .values import (TYPE_KINDS, Action, Drop, End, Event, Fault, Frame, KernelObject, Member,
                     Probe, ProcessEnd, Record, Stack, Symbol, Thread, TypeInfo, Value)

Option = Union[str, int, bool, None]
Words = Sequence[Union[str, int]]
STATUS = ('none', 'okay', 'exited', 'filled', 'stopped')


def _words(words: Words) -> List[str]:
    """Those of a text are its letters, which nobody wants."""
    if isinstance(words, (str, bytes)):
        raise TypeError(f'a list of words, not {words!r}')
    return [str(w) for w in words]


class Program(NamedTuple):
    """A program that was compiled; good for enable() as long as the session is
    open."""
    handle: int
    matches: int
    clauses: int
    records: int
    aggregates: int
    speculations: int
    warnings: str


class Session:
    """A handle of the library.  One thread at a time may use it."""

    def __init__(self, *, trace: bool = True, library: Optional[str] = None,
                 **options: Option) -> None:
        """trace=False: only to list and to compile, for which no privilege is
        needed.  Options are those of -x: quiet=True, bufsize='8m', nspec=4."""
        self._h: Optional[int] = None
        self._lib = _lib.load(library)
        self._records: weakref.WeakSet[Record] = weakref.WeakSet()
        self._probes: Dict[int, Probe] = {}     # by EPID
        self._procs: Dict[int, int] = {}        # by pid
        self._over = False
        code = ctypes.c_int()
        self._h = self._lib.dtrace_open(_lib.VERSION, 0 if trace else _lib.O_NODEV,
                                        ctypes.byref(code))
        if not self._h:
            raise errors.make(code.value, _lib.text(self._lib.dtrace_errmsg(None, code)))
        try:
            for name, value in options.items():
                self.set(name, value)
        except BaseException:
            self.close()
            raise

    # --- Errors, end ---------------------------------------------------------

    @property
    def _handle(self) -> int:
        if not self._h:
            raise errors.StateError('the session is closed')
        return self._h

    def _error(self) -> errors.DTraceError:
        h, lib = self._handle, self._lib
        errno = ctypes.get_errno()
        code = lib.dtrace_errno(h)
        return errors.make(code, _lib.text(lib.dtrace_errmsg(h, code)), errno,
                           _lib.text(lib.dtrace_errdetail(h)))

    def _check(self, result: int) -> int:
        if result < 0:
            raise self._error()
        return result

    def _pointer(self, result: Optional[int]) -> int:
        if not result:
            raise self._error()
        return result

    def close(self) -> None:
        """End the tracing and the processes that were started.  What was handed out
        stays, but for texts of records that nobody has asked for."""
        if not self._h:
            return
        for record in list(self._records):
            record._release()
        self._lib.dtrace_close(self._h)
        self._h = None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    # --- Options, probes ---------------------------------------------------------

    def set(self, name: str, value: Option = None) -> None:
        """None and True: set without a value; False: "off"."""
        plain = None if value is None or value is True else \
            b'off' if value is False else _lib.raw(str(value))
        self._check(self._lib.dtrace_setopt(self._handle, _lib.raw(name), plain))

    def get(self, name: str) -> Optional[int]:
        """Bytes, nanoseconds, a number, or 0 and 1; None: not set."""
        value = ctypes.c_int64()
        self._check(self._lib.dtrace_getopt(self._handle, _lib.raw(name), ctypes.byref(value)))
        return None if value.value == -2 else value.value

    def probes(self, description: Optional[str] = None) -> List[Probe]:
        """Those that a description matches; None: all."""
        found: List[Probe] = []

        def one(_h: int, probe: Any, _arg: int) -> int:
            p = probe.contents
            found.append(Probe(p.id, _lib.text(p.provider), _lib.text(p.module),
                               _lib.text(p.function), _lib.text(p.name)))
            return 0
        self._check(self._lib.dtrace_probe_walk(
            self._handle, None if description is None else _lib.raw(description),
            _lib.SPEC_NAME, _lib.PROBE_FN(one), None))
        return found

    def type(self, name: str, object: Optional[str] = None) -> TypeInfo:
        """What a cast could say, "struct file *"; with an object ("vmlinux", a module, "C",
        "D") a type of its own."""
        info, h = _lib.TypeInfo(), self._handle
        if object is None:
            self._check(self._lib.dtrace_type_strcompile(h, _lib.raw(name), ctypes.byref(info)))
        else:
            self._check(self._lib.dtrace_lookup_by_type(h, _lib.raw(object), _lib.raw(name),
                                                        ctypes.byref(info)))
        members: List[Member] = []

        def one(_h: int, member: Any, _arg: int) -> int:
            m = member.contents
            members.append(Member(_lib.text(m.name), _lib.text(m.type.name), m.bit_offset,
                                  m.bit_size, m.value))
            return 0
        self._check(self._lib.dtrace_type_members(h, ctypes.byref(info), _lib.MEMBER_FN(one),
                                                  None))
        return TypeInfo(_lib.text(info.object), _lib.text(info.name), TYPE_KINDS[info.kind],
                        info.size, bool(info.flags & _lib.TYPE_SIGNED), tuple(members))

    def objects(self) -> List[KernelObject]:
        """The kernel, then its modules."""
        found: List[KernelObject] = []

        def one(_h: int, object: Any, _arg: int) -> int:
            o = object.contents
            found.append(KernelObject(_lib.text(o.name), (o.text_va, o.text_size),
                                      (o.data_va, o.data_size), (o.bss_va, o.bss_size)))
            return 0
        self._check(self._lib.dtrace_object_iter(self._handle, _lib.OBJECT_FN(one), None))
        return found

    # --- Programs, processes -------------------------------------------------------

    def compile(self, text: str, *, args: Words = (), name: str = 'dtrace') -> Program:
        """args are $1 and so on, name is $0."""
        if not isinstance(text, str):
            raise TypeError(f'no program: {text!r}')
        words = _lib.strings([name, *_words(args)])
        p = self._pointer(self._lib.dtrace_program_strcompile(
            self._handle, _lib.raw(text), _lib.SPEC_NAME, 0, 1 + len(args), words))
        warnings = _lib.text(self._lib.dtrace_errdetail(self._handle))
        info = _lib.ProgInfo()
        self._lib.dtrace_program_info(self._handle, p, ctypes.byref(info))
        return Program(p, info.matches, info.clauses, info.recgens, info.aggregates,
                       info.speculations, warnings)

    def enable(self, program: Union[Program, str], *, args: Words = ()) -> Program:
        """Have go() run it."""
        if not isinstance(program, Program):
            program = self.compile(program, args=args)
        self._check(self._lib.dtrace_program_exec(self._handle, program.handle, None))
        return program

    def command(self, argv: Union[Words, str], *, held: bool = False) -> int:
        """Start a command, a list of words or a text with blanks between them, which runs
        from go() on, or held until proceed(); its pid.  The first process is $target of
        what is compiled later."""
        words = shlex.split(argv) if isinstance(argv, str) else _words(argv)
        if not words:
            raise ValueError('the command is empty')
        p = self._pointer(self._lib.dtrace_proc_create(
            self._handle, _lib.raw(words[0]), _lib.strings(words)))
        pid = int(self._lib.dtrace_proc_pid(self._handle, p))
        self._procs[pid] = p
        if not held:
            self.proceed(pid)
        return pid

    def grab(self, pid: int) -> int:
        """Take a process that runs: when all have ended, so has the tracing."""
        self._procs[pid] = self._pointer(self._lib.dtrace_proc_grab(self._handle, pid, 0))
        return pid

    def proceed(self, pid: int) -> None:
        """Let a command that is held run, once go() has begun the tracing."""
        self._lib.dtrace_proc_continue(self._handle, self._proc(pid))
        self._check_last()

    def release(self, pid: int) -> None:
        """It goes on without the session, which does not wait for its end."""
        self._lib.dtrace_proc_release(self._handle, self._proc(pid))
        self._check_last()

    def _proc(self, pid: int) -> int:
        if pid not in self._procs:
            raise errors.NotFound(f'pid {pid} is no process of this session')
        return self._procs[pid]

    def _check_last(self) -> None:
        """Of calls without a result."""
        if self._lib.dtrace_errno(self._handle):
            raise self._error()

    # --- Tracing -------------------------------------------------------------------

    def go(self) -> None:
        self._check(self._lib.dtrace_go(self._handle))

    def stop(self) -> None:
        """END fires; what is left comes as events, and then End."""
        self._check(self._lib.dtrace_stop(self._handle))

    @property
    def status(self) -> str:
        return STATUS[self._lib.dtrace_status(self._handle)]

    @property
    def exit_status(self) -> int:
        return int(self._lib.dtrace_exit_status(self._handle))

    def fileno(self) -> int:
        """Readable when there is something for poll()."""
        return self._check(self._lib.dtrace_fd(self._handle))

    def poll(self) -> Optional[Event]:
        """The next event, without waiting; None: there is none yet, or no more."""
        event = ctypes.c_void_p()
        result = self._check(self._lib.dtrace_next(self._handle, ctypes.byref(event)))
        self._over = result == _lib.NEXT_END
        return self._take(event.value) if result == _lib.NEXT_EVENT and event.value else None

    def __iter__(self) -> Iterator[Event]:
        """All events, waiting for them, up to End."""
        while not self._over:
            event = self.poll()
            if event is not None:
                yield event
            elif not self._over:
                self._lib.dtrace_sleep(self._handle)

    async def __aiter__(self) -> AsyncIterator[Event]:
        while not self._over:
            event = self.poll()
            if event is not None:
                yield event
            elif not self._over:
                await self._readable()

    async def _readable(self) -> None:
        loop, fd, ready = asyncio.get_running_loop(), self.fileno(), asyncio.Event()
        loop.add_reader(fd, ready.set)
        try:
            await ready.wait()
        finally:
            loop.remove_reader(fd)

    def start(self, program: Optional[str] = None, *, command: Union[Words, str, None] = None,
              pid: Optional[int] = None, args: Words = ()) -> Session:
        """Processes, program, go: then iterate, with for or with async for."""
        if command is not None:
            self.command(command)
        if pid is not None:
            self.grab(pid)
        if program is not None:
            self.enable(program, args=args)
        self.go()
        return self

    def run(self, program: Optional[str] = None, *, command: Union[Words, str, None] = None,
            pid: Optional[int] = None, args: Words = ()) -> Iterator[Event]:
        """The same, and the events."""
        return iter(self.start(program, command=command, pid=pid, args=args))

    # --- Aggregations, names ---------------------------------------------------------

    @property
    def aggregations(self) -> Dict[str, Aggregation]:
        """Snapshots of all, by name; "" is @."""
        all_of_them = (self.aggregation(i + 1)
                       for i in range(self._lib.dtrace_naggs(self._handle)))
        return {a.name: a for a in all_of_them}

    def aggregation(self, which: Union[int, str]) -> Aggregation:
        """A snapshot, by name or number (from 1)."""
        if isinstance(which, str):
            found = self.aggregations
            if which not in found:
                raise errors.NotFound(f'there is no aggregation @{which}')
            return found[which]
        handle = self._pointer(self._lib.dtrace_agg_snap(self._handle, which))
        try:
            return self._aggregation(handle)
        finally:
            self._lib.dtrace_agg_unref(handle)

    def lookup(self, address: int, pid: int = 0) -> Frame:
        """What an address of a process, or of the kernel, lies in."""
        frame = _lib.Frame()
        self._lib.dtrace_lookup_frame(self._handle, pid, address, ctypes.byref(frame))
        return _frame(frame)

    # --- From the library's values to ours ---------------------------------------------

    def _aggregation(self, handle: int) -> Aggregation:
        lib = self._lib
        a = Aggregation()
        nkeys = lib.dtrace_agg_nkeys(handle)
        names = [lib.dtrace_agg_keyname(handle, i) for i in range(nkeys)]
        a.name, a.id = _lib.text(lib.dtrace_agg_name(handle)), lib.dtrace_agg_id(handle)
        a.function = FUNCTIONS[lib.dtrace_agg_func(handle)]
        a.normal, a.rows = lib.dtrace_agg_normal(handle), []
        a.key_names = tuple(None if n is None else _lib.text(n) for n in names)
        for i in range(lib.dtrace_agg_nrows(handle)):
            row = lib.dtrace_agg_row(handle, i)
            key = tuple(self._value(lib.dtrace_row_key(row, k)) for k in range(nkeys))
            a.add(Row(key, self._histogram(row) if lib.dtrace_row_nbuckets(row)
                      else lib.dtrace_row_value(row), lib.dtrace_row_count(row),
                      lib.dtrace_row_sum(row)))
        return a

    def _histogram(self, row: int) -> Histogram:
        h, b = Histogram(), _lib.Bucket()
        for i in range(self._lib.dtrace_row_nbuckets(row)):
            self._lib.dtrace_row_bucket(row, i, ctypes.byref(b))
            if b.count:
                h.append(Bucket(None if b.low == INT64_MIN else b.low,
                                None if b.high == INT64_MAX else b.high, b.count))
        return h

    def _bytes(self, function: Callable[..., Any], thing: int) -> bytes:
        size = ctypes.c_size_t()
        p = self._pointer(function(thing, ctypes.byref(size)))
        return ctypes.string_at(p, size.value)

    def _field_text(self, field: int) -> str:
        p = self._pointer(self._lib.dtrace_field_text(field))
        try:
            return _lib.text(ctypes.string_at(p))
        finally:
            _lib.free(p)

    def _frames(self, field: int) -> List[Frame]:
        frames, frame = [], _lib.Frame()
        for i in range(self._lib.dtrace_field_nframes(field)):
            self._lib.dtrace_field_frame(field, i, ctypes.byref(frame))
            frames.append(_frame(frame))
        return frames

    def _value(self, field: int) -> Value:
        lib = self._lib
        kind = lib.dtrace_field_kind(field)
        if kind == _lib.FIELD_INT:
            return int(lib.dtrace_field_int(field) if lib.dtrace_field_signed(field)
                       else lib.dtrace_field_uint(field))
        if kind == _lib.FIELD_FLOAT:
            return float(lib.dtrace_field_float(field))
        if kind == _lib.FIELD_STRING:
            return _lib.text(self._bytes(lib.dtrace_field_bytes, field))
        if kind == _lib.FIELD_BYTES:
            return self._bytes(lib.dtrace_field_bytes, field)
        if kind in (_lib.FIELD_STACK, _lib.FIELD_USTACK):
            return Stack.of(lib.dtrace_field_pid(field), self._frames(field))
        if kind == _lib.FIELD_AGG:
            return self._aggregation(lib.dtrace_field_agg(field))
        return Symbol(lib.dtrace_field_pid(field), self._frames(field)[0],
                      self._field_text(field))

    def _probe(self, e: int) -> Probe:
        """The same for all events of an enabling."""
        lib = self._lib
        epid = lib.dtrace_event_epid(e)
        if epid not in self._probes:
            self._probes[epid] = Probe(
                lib.dtrace_event_probeid(e), _lib.text(lib.dtrace_event_provider(e)),
                _lib.text(lib.dtrace_event_module(e)), _lib.text(lib.dtrace_event_function(e)),
                _lib.text(lib.dtrace_event_name(e)))
        return self._probes[epid]

    def _thread(self, e: int) -> Optional[Thread]:
        name = self._lib.dtrace_event_execname(e)
        return None if name is None else Thread(
            self._lib.dtrace_event_pid(e), self._lib.dtrace_event_tid(e), _lib.text(name))

    def _actions(self, e: int) -> Tuple[Action, ...]:
        lib, actions = self._lib, []
        for i in range(lib.dtrace_event_nactions(e)):
            a = lib.dtrace_event_action(e, i).contents
            values = tuple(self._value(lib.dtrace_event_field(e, a.first + k))
                           for k in range(a.nfields))
            actions.append(Action(a.kind, None if a.format is None else _lib.text(a.format),
                                  values))
        return tuple(actions)

    def _take(self, e: int) -> Event:
        """The reference is ours: a record keeps it, others are done with."""
        lib = self._lib
        if lib.dtrace_event_kind(e) != _lib.EVENT_RECORD:
            try:
                return self._plain(e)
            finally:
                lib.dtrace_event_unref(e)
        try:
            record = Record(self._probe(e), lib.dtrace_event_cpu(e),
                            lib.dtrace_event_timestamp(e), lib.dtrace_event_epid(e),
                            self._thread(e), self._actions(e))
        except BaseException:
            lib.dtrace_event_unref(e)
            raise
        record._session, record._event = self, e
        self._records.add(record)
        return record

    def _plain(self, e: int) -> Event:
        lib = self._lib
        kind, line = lib.dtrace_event_kind(e), self._event_text(e)
        if kind == _lib.EVENT_ERROR:
            fault, hint = lib.dtrace_event_fault(e), lib.dtrace_event_hint(e)
            return Fault(self._probe(e), lib.dtrace_event_cpu(e), lib.dtrace_event_timestamp(e),
                         self._thread(e), fault,
                         _lib.text(lib.dtrace_faultstr(self._handle, fault)),
                         lib.dtrace_event_address(e), lib.dtrace_event_count(e), line,
                         None if hint is None else _lib.text(hint))
        if kind == _lib.EVENT_DROP:
            return Drop(lib.dtrace_event_dropkind(e), lib.dtrace_event_cpu(e),
                        lib.dtrace_event_count(e), lib.dtrace_event_total(e), line)
        if kind == _lib.EVENT_PROC:
            return ProcessEnd(lib.dtrace_event_pid(e), line)
        return End(lib.dtrace_event_status(e))

    def _event_text(self, e: int) -> str:
        return _lib.text(self._bytes(self._lib.dtrace_event_text, e))

    def _unref(self, e: int) -> None:
        if self._h:
            self._lib.dtrace_event_unref(e)


def _frame(f: _lib.Frame) -> Frame:
    return Frame(f.address, None if f.module is None else _lib.text(f.module),
                 None if f.function is None else _lib.text(f.function), f.offset)
