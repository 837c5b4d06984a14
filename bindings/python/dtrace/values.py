# SPDX-License-Identifier: BSD-2-Clause
"""What a trace is made of, as Python has it.  None of these needs the library
any more once it is there, but for the text of a record, which is made when it is
asked for.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Optional, Tuple, Union

if TYPE_CHECKING:
    from .aggregation import Aggregation
    from .session import Session


class Probe(NamedTuple):
    id: int
    provider: str
    module: str
    function: str
    name: str

    def __str__(self) -> str:
        return ':'.join(self[1:])


TYPE_KINDS = ('void', 'int', 'float', 'pointer', 'array', 'function', 'struct', 'union', 'enum',
              'forward', 'string', 'other')


class Member(NamedTuple):
    """Of a struct or union, a function (its parameters), an enum (its enumerators)."""
    name: str
    type: str           # '' of an enumerator
    bit_offset: int
    bit_size: int       # 0: no bit-field
    value: int          # of an enumerator


class TypeInfo(NamedTuple):
    object: str         # whose: 'vmlinux', a module, 'C', 'D'
    name: str
    kind: str           # one of TYPE_KINDS
    size: int           # bytes
    signed: bool
    members: Tuple[Member, ...]


class KernelObject(NamedTuple):
    """The kernel or a module, and where its parts lie: first address and bytes."""
    name: str
    text: Tuple[int, int]
    data: Tuple[int, int]
    bss: Tuple[int, int]


class Thread(NamedTuple):
    """Who fired, where that was recorded: dtrace.open(who=True)."""
    pid: int
    tid: int
    execname: str


class Frame(NamedTuple):
    """An address and what it lies in; None is unknown."""
    address: int
    module: Optional[str]
    function: Optional[str]
    offset: int

    def __str__(self) -> str:
        if not self.module:
            return hex(self.address)
        if not self.function:
            return f'{self.module}`{self.address:#x}'
        return f'{self.module}`{self.function}' + (f'+{self.offset:#x}' if self.offset else '')


class Stack(Tuple[Frame, ...]):
    """Frames, the innermost first; pid 0 is the kernel."""
    pid: int

    @classmethod
    def of(cls, pid: int, frames: list[Frame]) -> Stack:
        self = cls(frames)
        self.pid = pid
        return self

    def __str__(self) -> str:
        return '\n'.join(map(str, self))


@dataclass(frozen=True)
class Symbol:
    """Of sym(), func(), mod(), usym(), umod() and uaddr(): an address, and as much of
    its name as the action shows."""
    pid: int
    frame: Frame
    text: str

    def __str__(self) -> str:
        return self.text


Value = Union[int, float, str, bytes, Stack, Symbol, 'Aggregation']


class Action(NamedTuple):
    """One action that ran, and its values."""
    kind: int
    format: Optional[str]
    values: Tuple[Value, ...]


class Record:
    """A clause has recorded something."""
    __slots__ = ('probe', 'cpu', 'timestamp', 'epid', 'thread', 'actions', '_text', '_session',
                 '_event', '__weakref__')

    def __init__(self, probe: Probe, cpu: int, timestamp: int, epid: int,
                 thread: Optional[Thread], actions: Tuple[Action, ...]):
        self.probe, self.cpu, self.timestamp, self.epid = probe, cpu, timestamp, epid
        self.thread, self.actions = thread, actions
        self._text: Optional[str] = None
        self._session: Optional[Session] = None
        self._event: Optional[int] = None

    @property
    def values(self) -> Tuple[Value, ...]:
        """The values of all actions, one behind the other."""
        return tuple(v for a in self.actions for v in a.values)

    @property
    def text(self) -> str:
        """What the record would print.  Ask before the session is closed."""
        if self._text is None:
            if self._session is None or self._event is None:
                raise ValueError('the session is closed')
            self._text = self._session._event_text(self._event)
        return self._text

    def _release(self) -> None:
        if self._session is not None and self._event is not None:
            self._session._unref(self._event)
        self._session = self._event = None

    def __del__(self) -> None:
        self._release()

    def __repr__(self) -> str:
        return f'Record({self.probe}, cpu={self.cpu}, values={self.values!r})'


@dataclass(frozen=True)
class Fault:
    """A clause has faulted, or an action has failed."""
    probe: Probe
    cpu: int
    timestamp: int
    thread: Optional[Thread]
    fault: int
    name: str           # of the fault: "invalid address"
    address: int
    count: int          # for how many like it this stands
    text: str
    hint: Optional[str]


@dataclass(frozen=True)
class Drop:
    """Something was lost."""
    kind: int
    cpu: int            # -1: not of one
    count: int
    total: int
    text: str


@dataclass(frozen=True)
class ProcessEnd:
    """A process of ours has ended."""
    pid: int
    text: str


@dataclass(frozen=True)
class End:
    """Tracing is over: the last event."""
    status: int


Event = Union[Record, Fault, Drop, ProcessEnd, End]
