# SPDX-License-Identifier: BSD-2-Clause
"""Ask a running system questions, in the D language.

    import dtrace

    with dtrace.open(who=True) as d:
        for event in d.run('syscall::openat:entry /pid == $target/'
                           '{ trace(copyinstr(arg1)); }', command=['ls']):
            if isinstance(event, dtrace.Record):
                print(event.thread.execname, event.values[0])

Tracing needs root, and libdtrace; see the README.
"""
from __future__ import annotations

from typing import Optional

from .aggregation import Aggregation, Bucket, Histogram, Row
from .errors import CompileError, DTraceError, NotFound, StateError, Unsupported
from .session import Option, Program, Session
from .values import (Action, Drop, End, Event, Fault, Frame, KernelObject, Member, Probe, ProcessEnd,
                     Record, Stack, Symbol, Thread, TypeInfo, Value)

__all__ = ['Action', 'Aggregation', 'Bucket', 'CompileError', 'DTraceError', 'Drop', 'End', 'Event',
           'Fault', 'Frame', 'Histogram', 'KernelObject', 'Member', 'NotFound', 'Probe', 'ProcessEnd',
           'Program', 'Record', 'Row', 'Session', 'Stack', 'StateError', 'Symbol', 'Thread', 'TypeInfo',
           'Unsupported', 'Value', 'open']


def open(*, trace: bool = True, library: Optional[str] = None, **options: Option) -> Session:
    """A session: see Session."""
    return Session(trace=trace, library=library, **options)
