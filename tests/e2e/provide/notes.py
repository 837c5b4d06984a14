#!/usr/bin/env python3
"""notes.py: the probes of a file by its notes, and uprobes on them: what any tool
does, without ours.

    notes.py FILE           name and arguments of each"""
import collections
import ctypes
import errno
import os
import struct
import sys

Probe = collections.namedtuple('Probe', 'provider name offset counter args')
SYS_perf_event_open = {'x86_64': 298, 'aarch64': 241}


def sections(data):
    """(name, header) of each section."""
    shoff, = struct.unpack_from('<Q', data, 40)
    size, count, names = struct.unpack_from('<HHH', data, 58)
    heads = [struct.unpack_from('<IIQQQQIIQQ', data, shoff + i * size) for i in range(count)]
    for head in heads:
        at = heads[names][4] + head[0]
        yield data[at:data.index(b'\0', at)].decode(), head


def to_offset(data, address):
    phoff, = struct.unpack_from('<Q', data, 32)
    size, count = struct.unpack_from('<HH', data, 54)
    for i in range(count):
        kind, _, offset, start, _, length = struct.unpack_from('<IIQQQQ', data, phoff + i * size)
        if kind == 1 and start <= address < start + length:
            return address - start + offset
    raise ValueError(f'nothing is at {address:#x}')


def probes(path):
    with open(path, 'rb') as file:
        data = file.read()
    base, notes = 0, None
    for name, head in sections(data):
        if name == '.stapsdt.base':
            base = head[3]
        if name == '.note.stapsdt':
            notes = data[head[4]:head[4] + head[5]]
    at = 0
    while notes and at < len(notes):
        nsize, size, kind = struct.unpack_from('<III', notes, at)
        at += 12
        assert notes[at:at + nsize] == b'stapsdt\0' and kind == 3
        at += (nsize + 3) // 4 * 4
        pc, was, counter = struct.unpack_from('<QQQ', notes, at)
        texts = notes[at + 24:at + size].split(b'\0')
        at += (size + 3) // 4 * 4
        moved = base - was if base else 0
        yield Probe(texts[0].decode(), texts[1].decode(), to_offset(data, pc + moved),
                    to_offset(data, counter + moved) if counter else 0, texts[2].decode())


class Uprobe:
    """Counts the hits of one place of a file, in whichever process; and the counter is
    more by one for each CPU."""
    def __init__(self, path, probe):
        with open('/sys/bus/event_source/devices/uprobe/type') as file:
            kind = int(file.read())
        self.path = ctypes.create_string_buffer(os.fsencode(path))
        attr = ctypes.create_string_buffer(128)
        struct.pack_into('<IIQ', attr, 0, kind, 128, probe.counter << 32)
        struct.pack_into('<QQ', attr, 56, ctypes.addressof(self.path), probe.offset)
        libc = ctypes.CDLL(None, use_errno=True)
        self.fds = []
        for cpu in range(os.cpu_count()):
            fd = libc.syscall(SYS_perf_event_open[os.uname().machine], attr, -1, cpu, -1, 8)
            if fd < 0 and ctypes.get_errno() != errno.ENODEV:
                raise OSError(ctypes.get_errno(), f'{path}: {os.strerror(ctypes.get_errno())}')
            if fd >= 0:
                self.fds.append(fd)

    def hits(self):
        return sum(struct.unpack('<Q', os.read(fd, 8))[0] for fd in self.fds)

    def close(self):
        for fd in self.fds:
            os.close(fd)


if __name__ == '__main__':
    for found in probes(sys.argv[1]):
        print(found.provider, found.name, found.args)
