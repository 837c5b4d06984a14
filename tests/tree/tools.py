#!/usr/bin/env python3
"""tools.py ROOT: do the tools that judge the tree see what is wrong?  TAP."""
import difflib
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import shutil
import signal
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
    ('1..2\nnot ok 1 # SKIP a\nok 2\n', 0, False, (1, 0, 1)),
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


# a line in a function, and what it may become; None: nothing of that kind
FAULTS = [
    ('if (a < b)', 'if (a <= b)'), ('if (a < b)', 'if (!(a < b))'),
    ('a = b + c;', 'a = b - c;'), ('a = b + c;', ';'),
    ('a = b && c;', 'a = b || c;'), ('wait_for(b);', ';'),
    ('TRY(wait_for(b));', ';'), ('a = f(b, c);', 'a = f(c, b);'),
    ('a = 10;', 'a = 11;'), ('a = 10;', 'a = 9;'), ('a = !b;', 'a = b;'),
    ('ok = true;', 'ok = false;'), ('break;', ';;'),
    ('assert(a < b);', None), ('int d = f(b);', ';'),
    ('/* a < b */', None), ('say("a < b");', 'say("a <= b");'),
    ('int *d = &e;', 'int |d = &e;'), ('CLEANUP(x) int d = b;', ';'),
]


def check_mutants():
    made = load('mutants.py')
    for line, wanted in FAULTS:
        text = f'static int\nfn(int b)\n{{\n\t{line}\n\treturn b;\n}}\n'
        results = [made.apply(text, m) for m in made.mutants('x.c', text)]
        bodies = {r.split('\n')[3][1:] for r in results}
        if any(r.count('\n') != text.count('\n') for r in results):
            yield f'{line}: a mutant has other lines'
        if wanted is None and bodies - {line}:
            yield f'{line} became {bodies - {line}}'
        if line in ('int d = f(b);', 'int *d = &e;') or line[0] in 'sC':
            if wanted in bodies:
                yield f'{line} became {wanted}'
        elif wanted and wanted not in bodies:
            yield f'{line} never became {wanted}: {bodies}'


# A tree of one folder, with a test that looks at half of what it does.
SMALL = {
    'meson.build': """project('small', 'c')
subdir('src/cmd')
t = executable('test-x', 'src/x/x.c', 'test.c')
test('x', t, suite: 'unit', protocol: 'tap')
""",
    'src/cmd/meson.build': "executable('dtrace', '../x/x.c', 'cmd.c')\n",
    'src/cmd/cmd.c': 'int main(void) { return 0; }\n',
    'src/x/x.c': """int seen(int a, int b);
int unseen(int a, int b);

int
seen(int a, int b)
{
	return a < b;
}

int
unseen(int a, int b)
{
	volatile int both[2] = { a, b };
	return both[0] < both[1];
}
""",
    'test.c': """#include <stdio.h>
int seen(int a, int b), unseen(int a, int b);
int main(void)
{
	unseen(1, 2);
	printf("1..1\\n%sok 1\\n", seen(1, 2) && !seen(2, 2) && !seen(3, 2) ? "" : "not ");
	return 0;
}
""",
    'tools/mutate.tests': 'x:\nLAST:\n',
}


def check_mutate():
    """Of what the test looks at nothing survives; of the rest all does."""
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        for name, text in SMALL.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        for name in ('mutate', 'mutants.py', 'run-tests'):
            shutil.copy(TOOLS / name, root / 'tools' / name)
        shutil.copy(TOOLS.parent / 'Makefile', root)
        subprocess.run(['git', 'init', '-q', root], check=True)
        before = (root / 'src/x/x.c').read_text()
        done = subprocess.run([root / 'tools/mutate', 'x/*', '50'], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        lines = re.findall(r'^(killed|survived) +src/x/x.c:(\d+): (.*)$',
                           done.stdout, re.M)
        if done.returncode != 1 or len(lines) < 4:
            yield from done.stdout.splitlines()
        for verdict, line, what in lines:
            if (verdict == 'killed') != (int(line) < 9):
                yield f'line {line} {verdict}: {what}'
        if (root / 'src/x/x.c').read_text() != before:
            yield 'the tree was changed'
        kept = list((root / 'build-mutate/survivors').glob('*.diff'))
        again = subprocess.run([root / 'tools/mutate', '--patch', *kept],
                               stdout=subprocess.PIPE, text=True)
        if not kept or f'{len(kept)} survived' not in again.stdout:
            yield f'{len(kept)} patches: {again.stdout.strip()}'
        beyond = root / 'beyond.diff'
        beyond.write_text(''.join(difflib.unified_diff(
            before.splitlines(True), before.replace('both[1]', 'both[2]').splitlines(True),
            'a/src/x/x.c', 'b/src/x/x.c')))
        # Neither a file that is gone nor a line that is: the good one is tried.
        stale = {'gone': beyond.read_text().replace('x.c', 'gone.c'),
                 'changed': beyond.read_text().replace('both[0] <', 'both[7] <')}
        for name, text in stale.items():
            (root / f'{name}.diff').write_text(text)
        done = subprocess.run([root / 'tools/mutate', '--patch', root / 'gone.diff',
                               root / 'changed.diff', beyond],
                              stdout=subprocess.PIPE, text=True)
        for word in ('gone.diff does not apply', 'changed.diff does not apply',
                     '1 mutants: 0 killed, 1 survived', '2 not applied'):
            if word not in done.stdout:
                yield f'patches that do not apply: not {word}: {done.stdout.strip()}'
        done = subprocess.run([root / 'tools/mutate', '--patch', root / 'gone.diff'],
                              stdout=subprocess.PIPE, text=True)
        if done.returncode != 1:
            yield f'no patch applies: {done.returncode}: {done.stdout.strip()}'
        for option, word in ('--limit=600', '1 survived'), ('--sanitize', '1 killed'):
            done = subprocess.run([root / 'tools/mutate', option, '--patch', beyond],
                                  stdout=subprocess.PIPE, text=True)
            if word not in done.stdout:
                yield f'{option}: not {word}: {done.stdout.strip()}'
        # A test that is new is run, and so is no longer one that is not there.
        file = root / 'meson.build'
        file.write_text(file.read_text().replace("test('x'", "test('x-new'"))
        (root / 'test.c').write_text(SMALL['test.c'].replace(
            'unseen(1, 2);', 'if (!unseen(1, 2)) return 1;'))
        done = subprocess.run([root / 'tools/mutate', '--patch', *kept],
                              stdout=subprocess.PIPE, text=True)
        if 'by x-new:' not in done.stdout:
            yield f'a new test is not run: {done.stdout.strip()}'


class Named:
    seconds = 0

    def __init__(self, name):
        self.name = name


def check_choice():
    """The folder's own tests, those of the file, those of the folder, and at
    last the own ones with sanitizers."""
    mutate = load('mutate')
    names = ['asan:prov-a', 'lib-a', 'e2e-pid', 'e2e-usdt', 'prov-a', 'sym']
    rows = {'prov': ['lib-*', 'e2e-usdt'], 'prov/pid*': ['e2e-pid'], 'sym': ['sym']}
    for path, wanted in (
            ('prov/pid_arg.c', ['prov-a', 'e2e-pid', 'lib-a', 'e2e-usdt', 'asan:prov-a']),
            ('prov/usdt.c', ['prov-a', 'lib-a', 'e2e-usdt', 'asan:prov-a'])):
        got = [t.name for t in mutate.choose(path, {n: Named(n) for n in names}, rows)]
        if got != wanted:
            yield f'{path}: {got}, not {wanted}'


def check_signals():
    """Cases have no signal ignored or blocked, whatever the runner has."""
    def ignore():
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
    with tempfile.TemporaryDirectory() as directory:
        case = pathlib.Path(directory) / 'tst.signals.sh'
        # Signals 32 and up are for threads, and no runner's to set.
        case.write_text('while read -r name set; do\n'
                        'printf "%s %x\\n" $name $((0x$set & 0x7fffffff))\n'
                        'done < <(grep -E "Sig(Ign|Blk)" /proc/self/status)\n')
        case.with_suffix('.out').write_text(
            'SigBlk: 0\nSigIgn: 0\n')
        done = subprocess.run([sys.executable, TOOLS.parent / 'tests/e2e/run.py',
                               directory, ''], preexec_fn=ignore, text=True,
                              env={**os.environ, 'DTRACE': ''},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            yield from done.stdout.splitlines()


def check_only():
    """Cases are chosen by name; none of that name is no success."""
    with tempfile.TemporaryDirectory() as directory:
        for name in ('one', 'other'):
            (pathlib.Path(directory) / f'tst.{name}.sh').write_text('')
            (pathlib.Path(directory) / f'tst.{name}.out').write_text('')
        for only, wanted in (('one', '1..1'), ('o.*', '1..2'), ('on', None)):
            done = subprocess.run([sys.executable, TOOLS.parent / 'tests/e2e/run.py',
                                   directory, ''], text=True,
                                  env={**os.environ, 'DTRACE': '', 'E2E_ONLY': only},
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode != (wanted is None) or (wanted or 'Bail') not in done.stdout:
                yield f'{only}: {done.returncode}, {done.stdout}'


def check_lost():
    """A case may lose firings where a clock or locks are traced, and only there."""
    with tempfile.TemporaryDirectory() as directory:
        case = pathlib.Path(directory) / 'tst.lost.sh'
        case.with_suffix('.out').write_text('')
        for traced, wanted in (('profile-97', 0), ('cpc:::x', 0), ('lockstat:::', 0),
                               ('syscall:::entry', 1), ('profiled', 1)):
            case.write_text(f'# {traced}\necho "dtrace: 3 firings lost" >&2\n')
            done = subprocess.run([sys.executable, TOOLS.parent / 'tests/e2e/run.py',
                                   directory, ''], text=True,
                                  env={**os.environ, 'DTRACE': ''},
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode != wanted:
                yield f'{traced}: {done.returncode}, {done.stdout}'


def main():
    checks = [check_tap, check_includes, check_order, check_symbols,
              check_mutants, check_mutate, check_choice, check_signals, check_only,
              check_lost]
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
