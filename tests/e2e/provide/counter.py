#!/usr/bin/env python3
"""counter.py PROGRAM: trace the probe query__done while the program says whether
somebody does."""
import subprocess
import sys

import notes

PROGRAM = sys.argv[1]
with subprocess.Popen([PROGRAM, 'argument'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                      text=True, bufsize=1) as child:
    def say(text):
        child.stdin.write(text)
        child.stdin.flush()
        return child.stdout.readline().strip()

    print(say('?\n'))
    probe, = [p for p in notes.probes(PROGRAM) if p.name == 'query__done']
    one = notes.Uprobe(PROGRAM, probe)
    print(say('aaa?\n'), one.hits())
    two = notes.Uprobe(PROGRAM, probe)
    print(say('bb?\n'), one.hits(), two.hits())
    one.close()
    print(say('c?\n'), two.hits())
    two.close()
    print(say('d?\n'))
