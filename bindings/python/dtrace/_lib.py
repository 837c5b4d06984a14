# SPDX-License-Identifier: BSD-2-Clause
"""libdtrace as ctypes sees it: every function that is used, with its types.

`include/dtrace/` is where these come from; a test compares the two.
"""
from __future__ import annotations

import ctypes
import ctypes.util
import os
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_int, c_int64, c_size_t,
                    c_uint, c_uint8, c_uint32, c_uint64, c_void_p)

VERSION = 3
O_NODEV = 1
SPEC_NONE, SPEC_NAME = -1, 3
TYPE_SIGNED = 2
NEXT_NONE, NEXT_EVENT, NEXT_END = 0, 1, 2

NOMEM, OS, FORMAT, NOTFOUND, INVALID, LIMIT, UNSUPPORTED, COMPILER, VERIFY, STATE, \
    BAD_VERSION = range(1000, 1011)
EVENT_RECORD, EVENT_ERROR, EVENT_DROP, EVENT_PROC, EVENT_END = range(1, 6)
FIELD_NONE, FIELD_INT, FIELD_FLOAT, FIELD_STRING, FIELD_BYTES, FIELD_STACK, FIELD_USTACK, \
    FIELD_SYM, FIELD_MOD, FIELD_USYM, FIELD_UMOD, FIELD_UADDR, FIELD_AGG = range(13)


class Attribute(Structure):
    _fields_ = [('name', c_uint8), ('data', c_uint8), ('cls', c_uint8)]


class ProgInfo(Structure):
    _fields_ = [('descattr', Attribute), ('stmtattr', Attribute), ('aggregates', c_uint),
                ('recgens', c_uint), ('matches', c_uint), ('speculations', c_uint),
                ('clauses', c_uint)]


class ProbeName(Structure):
    _fields_ = [('id', c_uint32), ('provider', c_char_p), ('module', c_char_p),
                ('function', c_char_p), ('name', c_char_p)]


class Frame(Structure):
    _fields_ = [('address', c_uint64), ('module', c_char_p), ('function', c_char_p),
                ('offset', c_uint64)]


class Action(Structure):
    _fields_ = [('kind', c_uint32), ('first', c_uint), ('nfields', c_uint), ('format', c_char_p)]


class Bucket(Structure):
    _fields_ = [('low', c_int64), ('high', c_int64), ('count', c_int64)]


class TypeInfo(Structure):
    _fields_ = [('object', c_char_p), ('type', c_void_p), ('flags', c_uint), ('kind', c_int),
                ('name', c_char_p), ('size', c_uint64), ('count', c_uint64)]


class Member(Structure):
    _fields_ = [('name', c_char_p), ('bit_offset', c_uint64), ('bit_size', c_uint),
                ('value', c_int64), ('type', TypeInfo)]


class ObjInfo(Structure):
    _fields_ = [('name', c_char_p), ('file', c_char_p), ('id', c_int), ('flags', c_uint),
                ('text_va', c_uint64), ('text_size', c_uint64), ('data_va', c_uint64),
                ('data_size', c_uint64), ('bss_va', c_uint64), ('bss_size', c_uint64)]


MEMBER_FN = CFUNCTYPE(c_int, c_void_p, POINTER(Member), c_void_p)
OBJECT_FN = CFUNCTYPE(c_int, c_void_p, POINTER(ObjInfo), c_void_p)
PROBE_FN = CFUNCTYPE(c_int, c_void_p, POINTER(ProbeName), c_void_p)
ARGV = POINTER(c_char_p)

# name: result, arguments.  A handle, program, event ... is a pointer to nothing known.
PROTOTYPES: dict[str, tuple[object, list[object]]] = {
    'dtrace_open': (c_void_p, [c_int, c_int, POINTER(c_int)]),
    'dtrace_close': (None, [c_void_p]),
    'dtrace_errno': (c_int, [c_void_p]),
    'dtrace_errmsg': (c_char_p, [c_void_p, c_int]),
    'dtrace_errdetail': (c_char_p, [c_void_p]),
    'dtrace_faultstr': (c_char_p, [c_void_p, c_int]),
    'dtrace_setopt': (c_int, [c_void_p, c_char_p, c_char_p]),
    'dtrace_getopt': (c_int, [c_void_p, c_char_p, POINTER(c_int64)]),
    'dtrace_probe_walk': (c_int, [c_void_p, c_char_p, c_int, PROBE_FN, c_void_p]),
    'dtrace_program_strcompile': (c_void_p, [c_void_p, c_char_p, c_int, c_uint, c_int, ARGV]),
    'dtrace_program_exec': (c_int, [c_void_p, c_void_p, POINTER(ProgInfo)]),
    'dtrace_program_info': (None, [c_void_p, c_void_p, POINTER(ProgInfo)]),
    'dtrace_proc_create': (c_void_p, [c_void_p, c_char_p, ARGV]),
    'dtrace_proc_grab': (c_void_p, [c_void_p, c_int, c_int]),
    'dtrace_proc_continue': (None, [c_void_p, c_void_p]),
    'dtrace_proc_release': (None, [c_void_p, c_void_p]),
    'dtrace_proc_pid': (c_int, [c_void_p, c_void_p]),
    'dtrace_go': (c_int, [c_void_p]),
    'dtrace_stop': (c_int, [c_void_p]),
    'dtrace_sleep': (None, [c_void_p]),
    'dtrace_status': (c_int, [c_void_p]),
    'dtrace_exit_status': (c_int, [c_void_p]),
    'dtrace_lookup_frame': (None, [c_void_p, c_int, c_uint64, POINTER(Frame)]),
    'dtrace_object_iter': (c_int, [c_void_p, OBJECT_FN, c_void_p]),
    'dtrace_lookup_by_type': (c_int, [c_void_p, c_char_p, c_char_p, POINTER(TypeInfo)]),
    'dtrace_type_strcompile': (c_int, [c_void_p, c_char_p, POINTER(TypeInfo)]),
    'dtrace_type_members': (c_int, [c_void_p, POINTER(TypeInfo), MEMBER_FN, c_void_p]),
    'dtrace_next': (c_int, [c_void_p, POINTER(c_void_p)]),
    'dtrace_fd': (c_int, [c_void_p]),
    'dtrace_event_unref': (None, [c_void_p]),
    'dtrace_event_kind': (c_int, [c_void_p]),
    'dtrace_event_cpu': (c_int, [c_void_p]),
    'dtrace_event_timestamp': (c_uint64, [c_void_p]),
    'dtrace_event_epid': (c_uint32, [c_void_p]),
    'dtrace_event_probeid': (c_uint32, [c_void_p]),
    'dtrace_event_provider': (c_char_p, [c_void_p]),
    'dtrace_event_module': (c_char_p, [c_void_p]),
    'dtrace_event_function': (c_char_p, [c_void_p]),
    'dtrace_event_name': (c_char_p, [c_void_p]),
    'dtrace_event_pid': (c_int, [c_void_p]),
    'dtrace_event_tid': (c_int, [c_void_p]),
    'dtrace_event_execname': (c_char_p, [c_void_p]),
    'dtrace_event_text': (c_void_p, [c_void_p, POINTER(c_size_t)]),
    'dtrace_event_fault': (c_int, [c_void_p]),
    'dtrace_event_address': (c_uint64, [c_void_p]),
    'dtrace_event_hint': (c_char_p, [c_void_p]),
    'dtrace_event_dropkind': (c_int, [c_void_p]),
    'dtrace_event_count': (c_uint64, [c_void_p]),
    'dtrace_event_total': (c_uint64, [c_void_p]),
    'dtrace_event_status': (c_int, [c_void_p]),
    'dtrace_event_nactions': (c_uint, [c_void_p]),
    'dtrace_event_action': (POINTER(Action), [c_void_p, c_uint]),
    'dtrace_event_nfields': (c_uint, [c_void_p]),
    'dtrace_event_field': (c_void_p, [c_void_p, c_uint]),
    'dtrace_field_kind': (c_int, [c_void_p]),
    'dtrace_field_int': (c_int64, [c_void_p]),
    'dtrace_field_uint': (c_uint64, [c_void_p]),
    'dtrace_field_signed': (c_int, [c_void_p]),
    'dtrace_field_float': (c_double, [c_void_p]),
    'dtrace_field_bytes': (c_void_p, [c_void_p, POINTER(c_size_t)]),
    'dtrace_field_pid': (c_int, [c_void_p]),
    'dtrace_field_nframes': (c_uint, [c_void_p]),
    'dtrace_field_frame': (c_int, [c_void_p, c_uint, POINTER(Frame)]),
    'dtrace_field_agg': (c_void_p, [c_void_p]),
    'dtrace_field_text': (c_void_p, [c_void_p]),
    'dtrace_naggs': (c_uint, [c_void_p]),
    'dtrace_agg_snap': (c_void_p, [c_void_p, c_uint32]),
    'dtrace_agg_unref': (None, [c_void_p]),
    'dtrace_agg_id': (c_uint32, [c_void_p]),
    'dtrace_agg_name': (c_char_p, [c_void_p]),
    'dtrace_agg_func': (c_int, [c_void_p]),
    'dtrace_agg_normal': (c_int64, [c_void_p]),
    'dtrace_agg_nkeys': (c_uint, [c_void_p]),
    'dtrace_agg_keyname': (c_char_p, [c_void_p, c_uint]),
    'dtrace_agg_nrows': (c_size_t, [c_void_p]),
    'dtrace_agg_row': (c_void_p, [c_void_p, c_size_t]),
    'dtrace_row_key': (c_void_p, [c_void_p, c_uint]),
    'dtrace_row_value': (c_int64, [c_void_p]),
    'dtrace_row_count': (c_int64, [c_void_p]),
    'dtrace_row_sum': (c_int64, [c_void_p]),
    'dtrace_row_nbuckets': (c_uint, [c_void_p]),
    'dtrace_row_bucket': (c_int, [c_void_p, c_uint, POINTER(Bucket)]),
}


def _find() -> str:
    """DTRACE_LIBRARY, or where the system has it."""
    return os.environ.get('DTRACE_LIBRARY') or ctypes.util.find_library('dtrace') \
        or 'libdtrace.so.3'


def load(path: str | None = None) -> ctypes.CDLL:
    lib = ctypes.CDLL(path or _find(), use_errno=True)
    for name, (result, arguments) in PROTOTYPES.items():
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


free = ctypes.CDLL(None).free
free.argtypes, free.restype = [c_void_p], None


def text(value: bytes | None) -> str:
    """What may be bytes of anybody, so that they can be had back."""
    return (value or b'').decode('utf-8', 'surrogateescape')


def raw(value: str) -> bytes:
    return value.encode('utf-8', 'surrogateescape')


def strings(words: list[str]) -> ctypes.Array[c_char_p]:
    """An array of strings as in argv."""
    return (c_char_p * (len(words) + 1))(*[raw(w) for w in words], None)
