# SPDX-License-Identifier: BSD-2-Clause
"""What goes wrong."""
from __future__ import annotations

from . import _lib


class DTraceError(Exception):
    """message is one line; detail shows where and what may help; code is one of
    dtrace.errors.CODES, errno the system's reason or 0."""

    def __init__(self, message: str, code: int = 0, errno: int = 0, detail: str = ''):
        super().__init__(message)
        self.message, self.code, self.errno, self.detail = message, code, errno, detail

    def __str__(self) -> str:
        return f'{self.message}\n{self.detail}'.rstrip('\n')


class CompileError(DTraceError):
    """The program is wrong."""


class StateError(DTraceError):
    """Called at the wrong time."""


class NotFound(DTraceError, LookupError):
    """There is no such thing."""


class Unsupported(DTraceError):
    """This library, or this kernel, cannot do it."""


CODES = {_lib.COMPILER: CompileError, _lib.STATE: StateError, _lib.NOTFOUND: NotFound,
         _lib.UNSUPPORTED: Unsupported}


def make(code: int, message: str, errno: int = 0, detail: str = '') -> DTraceError:
    return CODES.get(code, DTraceError)(message, code, errno, detail)
