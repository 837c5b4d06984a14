#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""probes.py: probes that a Python program makes as it runs, by libusdt-dtrace.

Run it, and trace it by another terminal:

    dtrace -n 'pyjobs*:::done { printf("%s took %d us", copyinstr(arg0), arg1); }'
"""
import ctypes
import sys
import time

LIBRARY = ctypes.CDLL('libusdt-dtrace.so.1', use_errno=True)
for function, result, arguments in (
        ('new', ctypes.c_void_p, [ctypes.c_char_p]),
        ('add', ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]),
        ('show', ctypes.c_int, [ctypes.c_void_p]),
        ('hide', ctypes.c_int, [ctypes.c_void_p]),
        ('free', None, [ctypes.c_void_p]),
        ('enabled', ctypes.c_int, [ctypes.c_void_p]),
        ('firev', None, [ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint64)])):
    f = getattr(LIBRARY, 'dtrace_usdt_' + function)
    f.restype, f.argtypes = result, arguments


def check(result):
    if result in (None, -1):
        raise OSError(ctypes.get_errno(), 'probes')
    return result


class Probe:
    """Called as a function of its arguments: numbers, and texts for char *."""
    def __init__(self, provider, name, types):
        self.probe = check(LIBRARY.dtrace_usdt_add(provider, name.encode(), types.encode()))

    def enabled(self):
        return LIBRARY.dtrace_usdt_enabled(self.probe) != 0

    def __call__(self, *args):
        if not self.enabled():
            return
        texts = [a.encode() + b'\0' if isinstance(a, str) else a for a in args]
        values = [ctypes.cast(t, ctypes.c_void_p).value if isinstance(t, bytes)
                  else t & (1 << 64) - 1 for t in texts]
        LIBRARY.dtrace_usdt_firev(self.probe, (ctypes.c_uint64 * 12)(*values))


class Provider:
    def __init__(self, name):
        self.provider = check(LIBRARY.dtrace_usdt_new(name.encode()))

    def probe(self, name, types=''):
        return Probe(self.provider, name, types)

    def show(self):
        check(LIBRARY.dtrace_usdt_show(self.provider))

    def hide(self):
        check(LIBRARY.dtrace_usdt_hide(self.provider))


def main():
    provider = Provider('pyjobs')
    done = provider.probe('done', 'char *, unsigned int')
    provider.show()
    for i in range(int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 62):
        start = time.monotonic()
        time.sleep(0.01)
        done(f'job {i}', int((time.monotonic() - start) * 1e6))
    provider.hide()


if __name__ == '__main__':
    main()
