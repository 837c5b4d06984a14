"""truth.py NAME COMMAND...: the stacks of tests/e2e/stack/truth.cc, a command that stops
itself, beside those that eu-stack finds in the stopped process."""
import os
import re
import subprocess
import sys
import time

SCRIPT = '''syscall::tgkill:entry /arg2 == 19 && (pid == $target || progenyof($target))/ {
	printf("stack %d %d", pid, tid); ustack(100); printf("end\\n"); }'''


def await_stop(pid):
    while open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()[0] != 'T':
        time.sleep(0.01)


def judge(pid, tid):
    """What eu-stack finds, as addresses."""
    text = subprocess.run(['eu-stack', '-n', '0', '-p', pid], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True).stdout
    of = re.split(r'^TID (\d+):\n', text, flags=re.M)
    text = dict(zip(of[1::2], of[2::2])).get(tid, '')
    return [int(a, 16) for a in re.findall(r'^#\d+ +0x([0-9a-f]+)', text, re.M)]


def traced(n):
    """The first n stacks, when they are there: whose, as addresses, and whether each is marked
    as followed by frame pointers since a table was not there yet."""
    while True:
        try:
            stacks = re.findall(r'stack (.*?)\n *end\n', open('traced').read(), re.S)
        except FileNotFoundError:
            stacks = []
        if len(stacks) >= n:
            break
        time.sleep(0.01)
    return [(who, [int(a, 16) for a in re.findall(r'0x([0-9a-f]+)', ' '.join(frames))],
             'by frame pointer' in frames[-1])
            for who, *frames in (text.splitlines() for text in stacks)]


def main():
    name, *command = sys.argv[1:]
    want, whole, bad = [], [], False
    with subprocess.Popen([os.environ['DTRACE'], '-qn', SCRIPT, '-x', 'noresolve', '-x',
                           'switchrate=50hz', '-o', 'traced', '-c', ' '.join(command)],
                          stderr=subprocess.PIPE, text=True) as p:
        for line in p.stderr:
            told = line.split()
            if len(told) != 3 or not told[1].isdigit():
                print(f'{name}: {line.rstrip()}')
                continue
            what, pid, tid = told
            await_stop(pid)
            want.append(what)
            theirs = judge(pid, tid)
            whose, ours, marked = traced(len(want))[-1]
            if whose != f'{pid} {tid}' or (theirs != ours and not marked):
                bad = True
                print(f'{name}: {what} {pid} {tid}, {whose}:', *map(hex, ours), 'not',
                      *map(hex, theirs))
            if not marked:
                whole.append(what)
            if what == 'dlopen' and (not marked or bad):
                open('enough', 'w').close()
            os.kill(int(pid), 18)   # SIGCONT
    print(f'{name}:', *whole)
    sys.exit(bad)


main()
