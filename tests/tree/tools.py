#!/usr/bin/env python3
"""tools.py ROOT: do the tools that judge the tree see what is wrong?  TAP."""
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import tempfile

TOOLS = pathlib.Path(sys.argv[1]) / 'tools'


def load(name):
    loader = importlib.machinery.SourceFileLoader(
        name.replace('-', '_'), str(TOOLS / name))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


# what a test program prints, its exit status, whether it hung;
# and what that amounts to: passed, failed, skipped
TAP = [
    ('1..2\nok 1 - a\nok 2 - b\n', 0, False, (2, 0, 0)),
    ('ok 1 - a\n1..1\n', 0, False, (1, 0, 0)),
    ('1..2\nok 1 - a\nnot ok 2 - b\n# why\n', 1, False, (1, 1, 0)),
    ('1..2\nok 1 - a\n', 0, False, (1, 1, 0)),
    ('1..1\nok 1 - a\nok 2 - b\n', 0, False, (2, 1, 0)),
    ('1..1\nok 1 - a\n', 3, False, (1, 1, 0)),
    ('1..2\nok 1 - a\n', -11, False, (1, 1, 0)),
    ('1..2\nok 1 - a\n', -9, True, (1, 1, 0)),
    ('', 0, False, (0, 1, 0)),
    ('1..0 # SKIP no root\n', 0, False, (0, 0, 1)),
    ('1..2\nok 1 - a # SKIP no gcc\nok 2 - b\n', 0, False, (1, 0, 1)),
    ('1..2\nok 1 # skip\nok 2\n', 0, False, (1, 0, 1)),
    ('1..1\nok 1 - a\n1..1\nok 1 - b\n', 0, False, (2, 0, 0)),
    ('1..1\nok 1 - okay\nokay then\nnot okay\n', 0, False, (1, 0, 0)),
    ('Bail out! no\n1..0\n', 1, False, (0, 1, 1)),
]


def check_tap():
    runner = load('run-tests')
    for output, status, hung, wanted in TAP:
        result = runner.Result('x')
        for line in output.splitlines():
            result.line(line)
        result.end(status, hung)
        got = result.passed, len(result.failed), len(result.skipped)
        if got != wanted:
            yield f'{output!r}, status {status}: {got}, not {wanted}'


# LAYERS, path and text of one file, and a word of the complaint, or None
LAYERS = 'base:\nutil: base\nkern: base util\ncmd:\n'
INCLUDES = [
    ('util/a.c', '#include "base/base.h"\n', None),
    ('util/a.c', '#include "util/a_priv.h"\n', None),
    ('base/a.h', '#include "util/vec.h"\n', 'util/vec.h'),
    ('util/a.c', '# include "kern/kern.h"\n', 'kern/kern.h'),
    ('kern/a.c', '#include "util/vec_priv.h"\n', 'never leaves'),
    ('base/a.c', '#include <stdlib.h>\n', 'freestanding'),
    ('base/a.c', '#include <stdint.h>\n', None),
    ('util/a.c', '#include <bpf/bpf.h>\n', 'is for'),
    ('kern/a.c', '#include <bpf/bpf.h>\n', None),
    ('cmd/a.c', '#include "util/vec.h"\n', 'util/vec.h'),
    ('cmd/a.c', '#include "dtrace/dtrace.h"\n', None),
    ('kern/a.c', '#include "dtrace/dtrace.h"\n', 'is for'),
    ('new/a.c', '', 'no line'),
]


def check_includes():
    for path, text, word in INCLUDES:
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            (root / 'LAYERS').write_text(LAYERS)
            (root / 'src' / path).parent.mkdir(parents=True)
            (root / 'src' / path).write_text(text)
            done = subprocess.run([TOOLS / 'check-layers', root], text=True,
                                  stdout=subprocess.PIPE)
        if bool(done.returncode) != bool(word) or (word or '') not in done.stdout:
            yield f'{path}: {text.strip()}: {done.stdout.strip() or "accepted"}'


def check_order():
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        (root / 'LAYERS').write_text('a: b\nb: a\n')
        done = subprocess.run([TOOLS / 'check-layers', root],
                              stdout=subprocess.PIPE)
    if not done.returncode:
        yield 'a cycle was accepted'


# texts of base, util and kern, and a word of the complaint, or None
LINKS = [
    ('int base(void) { return 1; }',
     'int base(void); int util(void) { return base(); }', None),
    ('int util(void); int base(void) { return util(); }',
     'int util(void) { return 1; }', 'util'),
    ('#include <stdlib.h>\nvoid *base(void) { return malloc(9); }', '', 'malloc'),
    ('', '#include <stdlib.h>\nvoid *util(void) { return malloc(9); }', None),
    ('', 'int nobody(void); int util(void) { return nobody(); }', 'nobody'),
]


def check_symbols():
    for base, util, word in LINKS:
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            (root / 'LAYERS').write_text('base:\nutil: base\n')
            for folder, text in (('base', base), ('util', util)):
                where = root / 'src' / folder
                where.mkdir(parents=True)
                (where / 'a.c').write_text(text + '\nint x_%s;\n' % folder)
                subprocess.run(['gcc', '-c', '-o', where / 'a.o', where / 'a.c'],
                               check=True)
                subprocess.run(['ar', 'rcs', where / f'lib{folder}.a',
                                where / 'a.o'], check=True)
            done = subprocess.run([TOOLS / 'check-links', root, root], text=True,
                                  stdout=subprocess.PIPE)
        if bool(done.returncode) != bool(word) or (word or '') not in done.stdout:
            yield f'{base} {util}: {done.stdout.strip() or "accepted"}'


def main():
    checks = [check_tap, check_includes, check_order, check_symbols]
    bad = 0
    print(f'1..{len(checks)}')
    for number, check in enumerate(checks, 1):
        complaints = list(check())
        print(f"{'not ' if complaints else ''}ok {number} - {check.__name__}")
        for line in complaints:
            print('#', line)
        bad += bool(complaints)
    return bool(bad)


if __name__ == '__main__':
    sys.exit(main())
