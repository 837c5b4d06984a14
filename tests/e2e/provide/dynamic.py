#!/usr/bin/env python3
"""dynamic.py PROGRAM: look at the probes that a process (tests/support/dynamic.c) makes
as it runs, as any tool could that knows the notes."""
import os
import subprocess
import sys

import notes


def find(pid):
    """The probes of files that the process maps, and of which."""
    folder = f'/proc/{pid}/map_files'
    for name in sorted(os.listdir(folder)):
        path = f'{folder}/{name}'
        if 'dtrace-usdt-dyn' in os.readlink(path):
            with open(f'/proc/{pid}/maps') as maps:
                if any(line.startswith(name + ' r-xp ')
                       for line in maps):
                    for probe in notes.probes(path):
                        yield path, probe


with subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                      bufsize=1) as child:
    def say(letter):
        child.stdin.write(letter)
        child.stdin.flush()
        return child.stdout.readline().strip()

    def show():
        for _, probe in find(child.pid):
            print(probe.provider, probe.name, probe.args)

    print(say('e'))
    show()
    print(say('a'))
    show()
    probes = {p.name: notes.Uprobe(path, p) for path, p in find(child.pid)}
    print(say('e'), say('b'), probes['first'].hits(), probes['second'].hits())
    probes['second'].close()
    print(say('e'), say('b'), probes['first'].hits())
    print(say('x'), say('h'), say('e'), say('f'))
    show()
    child.stdin.close()
    print(child.wait())
