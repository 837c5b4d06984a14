#!/usr/bin/env python3
"""tree.py ROOT BUILD SANITIZERS: checks on the tree itself, as TAP.

Each check is a generator of complaints; none means it holds."""
import pathlib
import re
import subprocess
import sys

ROOT, BUILD, SANITIZE = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
CHECKS = []
LONG, LONG_SHARE = 100, 0.05    # lines; the share of all lines allowed
LONG_HEADER = 150
MOST_MEMBERS = {                # of a struct that everything has a reason to grow
    ('src/session/session_priv.h', 'session'): 30,
}
FOLDERS = tuple(f'{p.name}_' for p in (ROOT / 'src').iterdir() if p.is_dir())
LONG_HEADERS = {                # as patterns, and why
    'src/bpfrt/*': 'clang -target bpf compiles them as one file: they are code',
}
OWN_CALLS = {                   # as (what a test wraps, what calls it in its own file): why
    ('kern_bpf', 'kern_prog_load'): 'not of an object: tests that load one wrap it, too',
    ('kern_prog_attr', 'kern_prog_load'): 'not of an object: the test counts those of objects',
    ('kern_map_mmap', 'kern_map_add_inner'): 'not reached by the test',
    ('kern_unmap', 'kern_map_add_inner'): 'not reached by the test',
}


class Skip(Exception):
    pass


def check(function):
    CHECKS.append(function)
    return function


def rows(path, macro):
    """The argument lists of every MACRO(...) row of a .def file."""
    text = (ROOT / path).read_text()
    text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
    for row in re.findall(rf'^{macro}\((.*?)\)\s*$', text, re.M | re.S):
        yield [field.strip() for field in row.split(',')]


def tracked(*patterns):
    """Files of the tree: what git knows, or, in an unpacked archive, all."""
    git = subprocess.run(['git', '-C', ROOT, 'ls-files', '-z', *patterns],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if git.returncode == 0:
        paths = [ROOT / p.decode() for p in git.stdout.split(b'\0') if p]
    else:
        paths = [p for p in ROOT.rglob('*')
                 if not p.relative_to(ROOT).parts[0].startswith('build')
                 and (not patterns or any(p.match(q) for q in patterns))]
    return [p for p in paths if p.is_file()]


def tool(*command):
    out = subprocess.run([str(c) for c in command], text=True, cwd=ROOT,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    yield from out.stdout.splitlines()
    if out.returncode and not out.stdout:
        yield f'{command[0]}: exit status {out.returncode}'


@check
def includes_keep_to_LAYERS():
    yield from tool(ROOT / 'tools/check-layers', ROOT)


@check
def symbols_keep_to_LAYERS():
    if SANITIZE != 'none':
        raise Skip('sanitizers add symbols of their own')
    yield from tool(ROOT / 'tools/check-links', BUILD, ROOT)


@check
def every_diagnostic_in_use_has_a_test():
    used = '\n'.join(p.read_text() for p in (ROOT / 'src').rglob('*.c'))
    # unit tests, and the expected text of golden and end-to-end cases
    units = '\n'.join(p.read_text(errors='replace') for p in
                      (ROOT / 'tests').rglob('*')
                      if p.is_file() and p.suffix not in ('.py', '.pyc'))
    scripts = {p.name.split('.')[1] for p in ROOT.glob('tests/**/err.*.d')}
    for tag, *_ in rows('src/lang/diag.def', 'DIAG'):
        word = rf'\b{tag}\b'
        if re.search(word, used) and tag not in scripts \
                and not re.search(word, units):
            yield f'{tag} is reported, and no test has it'


@check
def every_diagnostic_is_reported():
    used = '\n'.join(p.read_text() for p in (ROOT / 'src').rglob('*')
                     if p.suffix in ('.c', '.def') and p.name != 'diag.def')
    for tag, *_ in rows('src/lang/diag.def', 'DIAG'):
        if not re.search(rf'\b{tag}\b', used):
            yield f'{tag} is never reported'
    for tag, *_ in rows('src/lang/diag.def', 'DIAG_NEVER'):
        if re.search(rf'\b{tag}\b', used):
            yield f'{tag} is reported'


@check
def tests_of_diagnostics_name_real_ones():
    known = {tag for tag, *_ in rows('src/lang/diag.def', 'DIAG')}
    for path in ROOT.glob('tests/**/err.*.d'):
        if path.name.split('.')[1] not in known:
            yield f'{path.relative_to(ROOT)}: no such diagnostic'


@check
def opcodes_are_those_of_the_specification():
    spec = (ROOT / 'doc/spec/dif.md').read_text()
    spec = spec[spec.index('\n## 4 '):spec.index('\n## 5 ')]
    written = set(re.findall(r'^\| (\d+) \| (\w+) \| (\w+) \|', spec, re.M))
    coded = {(number, name, form) for _, name, number, form
             in rows('src/dif/ops.def', 'OP')}
    for number, name, form in sorted(written ^ coded):
        where = 'doc/spec/dif.md' if (number, name, form) in written \
            else 'src/dif/ops.def'
        yield f'{number} {name} {form}: only in {where}'


@check
def faults_by_name_are_those_of_the_table():
    library = (ROOT / 'src/lib/dtrace/fault.d').read_text()
    named = set(re.findall(r'^inline int DTRACEFLT_(\w+) = (\d+);', library, re.M))
    coded = {(row[0], row[1]) for row in rows('src/abi/fault.def', 'FAULT')}
    for name, number in sorted(named ^ coded):
        where = 'src/lib/dtrace/fault.d' if (name, number) in named \
            else 'src/abi/fault.def'
        yield f'{name} {number}: only in {where}'


@check
def registers_by_index_are_those_of_the_table():
    """Of every machine; those that have another name in D."""
    renamed = {'EFLAGS': 'RFL', 'ORIG_RAX': 'ERR'}
    table = (ROOT / 'src/abi/regs.def').read_text()
    for arch in 'x86_64', 'aarch64':
        part = re.search(rf'#\w+ defined\(__{arch}__\).*?\n(.*?)\n#e', table, re.S)[1]
        texts = re.findall(r'^REG\(\w+,\s*"(\w+)"', part, re.M)
        wanted = {renamed.get(t.upper(), t.upper()): str(i) for i, t in enumerate(texts)}
        library = (ROOT / f'src/lib/dtrace/arch-{arch}.d').read_text()
        named = dict(re.findall(r'^inline int R_(\w+) = (\d+);', library, re.M))
        for name, number in wanted.items():
            if named.get(name) != number:
                yield f'arch-{arch}.d: R_{name} is {named.get(name)}, not {number}'


@check
def the_manual_page_has_every_option():
    page = (ROOT / 'doc/man/dtrace.8').read_text()
    listed = set(re.findall(r'^\.It Cm (\w+)', page, re.M))
    known = {row[1].strip('"') for row in rows('src/opt/opt.def', 'OPT')}
    for name in sorted(known - listed):
        yield f'option {name} is not in doc/man/dtrace.8'
    for name in sorted(listed - known):
        yield f'doc/man/dtrace.8 has option {name}, which does not exist'


@check
def the_manual_page_has_every_flag():
    if not (ROOT / 'src/cmd/flags.def').exists():
        raise Skip('src/cmd/flags.def is not there')
    page = (ROOT / 'doc/man/dtrace.8').read_text()
    listed = set(re.findall(r'^\.It Fl (\w+)', page, re.M))
    for row in rows('src/cmd/flags.def', 'FLAG'):
        if row[0].strip("'") not in listed:
            yield f'flag -{row[0]} is not in doc/man/dtrace.8'


@check
def the_manual_page_has_every_name_that_d_knows():
    page = (ROOT / 'doc/man/dtrace.8').read_text()
    listed = set()
    for line in re.findall(r'^\.It .*\b(?:Fn|Va) .*', page, re.M):
        listed.update(re.findall(r'\w+', line))
    for kind, name, *_, flags, _ in rows('src/sema/builtins.def', 'BUILTIN'):
        name = name.strip('"')
        hidden = kind == 'ENUM' or name.startswith('__')
        if not hidden and not re.search('LATER|NEVER', flags) and \
                name not in listed:
            yield f'{name} is not in doc/man/dtrace.8'


@check
def manual_pages_are_well_formed():
    for path in tracked('doc/man/*.[38]'):
        out = subprocess.run(['groff', '-mdoc', '-Tutf8', '-ww', '-Wbreak', '-z', path], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        yield from out.stdout.splitlines()


def public_text():
    """The public headers without comments and directives."""
    text = '\n'.join(p.read_text() for p in sorted((ROOT / 'include/dtrace').glob('*.h')))
    return re.sub(r'^\s*#.*$', '', re.sub(r'/\*.*?\*/', '', text, flags=re.S), flags=re.M)


def public_functions():
    return set(re.findall(r'^(?!typedef)\w[\w *]*?[ *](dtrace_\w+)\(', public_text(), re.M))


@check
def every_public_symbol_has_a_manual_page():
    pages = {p.name: p.read_text() for p in tracked('doc/man/*.3')}
    build = (ROOT / 'meson.build').read_text()
    named, shown = {}, {}
    for page, text in pages.items():
        named.update(dict.fromkeys(re.findall(r'^\.Nm (dtrace_\w+)', text, re.M), page))
        shown.update(dict.fromkeys(re.findall(r'^\.Fo (dtrace_\w+)', text, re.M), page))
        if f"'{page[:-2]}'" not in build:
            yield f'{page} is not installed'
    for where, what in (named, 'a name'), (shown, 'a prototype'):
        for name in sorted(public_functions() ^ set(where)):
            yield (f'{where[name]} has {name}, which does not exist' if name in where
                   else f'{name} has no manual page with {what}')


@check
def every_public_constant_is_in_a_manual_page():
    pages = '\n'.join(p.read_text() for p in tracked('doc/man/*.3'))
    families = r'DTRACE_(?:O|OBJ|TYPE|C|CONSUME|HANDLE|AGGWALK|NEXT|EVENT|FIELD|STATUS|WORKSTATUS|' \
        r'PROBESPEC)_\w+|EDT_\w+|DTT_\w+'
    for name in sorted(set(re.findall(rf'\b(?:{families})\b', public_text()))):
        if not re.search(rf'\b{name}\b', pages):
            yield f'{name} is in no manual page'


@check
def the_library_exports_what_its_headers_declare():
    if SANITIZE != 'none':
        raise Skip('sanitizers add symbols of their own')
    exported = set()
    for library in 'src/lib/libdtrace.so', 'src/usdt/libusdt-dtrace.so':
        out = subprocess.run(['nm', '-D', '--defined-only', '-P', pathlib.Path(BUILD) / library],
                             text=True, stdout=subprocess.PIPE, check=True).stdout
        exported |= {line.split()[0].split('@')[0] for line in out.splitlines()}
    for name in sorted(exported ^ public_functions()):
        yield f'{name} is ' + ('exported and not declared' if name in exported
                               else 'declared and not exported')


@check
def the_command_uses_what_others_can():
    """By symbol; check-layers sees what it includes."""
    command = pathlib.Path(BUILD) / 'src/cmd/dtrace'
    out = subprocess.run(['readelf', '-d', command], text=True, stdout=subprocess.PIPE,
                         check=True).stdout
    for name in re.findall(r'\(NEEDED\).*\[(.*?)\]', out):
        if not re.match(r'lib(dtrace|c|asan|ubsan)\.so', name):
            yield f'dtrace is linked with {name}'
    ours = {p.stem for p in (ROOT / 'src').iterdir() if p.is_dir()} - {'cmd'}
    out = subprocess.run(['nm', '-P', command], text=True, stdout=subprocess.PIPE,
                         check=True).stdout
    for line in out.splitlines():
        if len(line.split()) > 1 and line.split()[0].split('_')[0] in ours:
            yield f'dtrace has {line.split()[0]}'


@check
def the_tree_speaks_of_the_project_alone():
    words = '|'.join([r'(?<![\w.-])/wo' + r'rk/', '/tmp/br' + 'ief',
                      r'/fa' + 'rm/', r'\bC' + r'EO\b', 'helper ag' + 'ent'])
    for path in tracked():
        for number, line in enumerate(
                path.read_text(errors='replace').splitlines(), 1):
            if re.search(words, line):
                yield f'{path.relative_to(ROOT)}:{number}: {line.strip()}'


@check
def every_source_file_names_its_licence():
    for path in tracked('src/**/*.c', 'src/**/*.h', 'include/**/*.h'):
        if 'SPDX-License-Identifier: BSD-2-Clause' not in \
                path.read_text().split('\n', 1)[0]:
            yield f'{path.relative_to(ROOT)}: no SPDX line at the top'


def lead(text):
    """The words of the comment that a file opens with, but for its licence."""
    comment = re.match(r'/\*(.*?)\*/', text, re.S)
    lines = comment[1].splitlines() if comment else []
    return ' '.join(line.strip(' *\t') for line in lines
                    if 'SPDX-License-Identifier' not in line).strip()


@check
def files_open_with_their_theory():
    for path in tracked('*.c'):
        text = path.read_text()
        if len(text.splitlines()) > 60 and not lead(text):
            yield f'{path.relative_to(ROOT)}: no comment at the top says what' \
                  ' the file is about'


def lengths():
    """Functions of src/ as (lines between the braces, file, line)."""
    for path in tracked('src/**/*.c'):
        start = None
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line == '{':
                start = number
            elif line == '}' and start:
                yield number - start - 1, path.relative_to(ROOT), start
                start = None


@check
def functions_are_short():
    functions = list(lengths())
    long = sorted((f for f in functions if f[0] > LONG), reverse=True)
    share = sum(f[0] for f in long) / (sum(f[0] for f in functions) or 1)
    print(f'# {len(functions)} functions; {len(long)} over {LONG} lines hold'
          f' {share:.1%} of the lines')
    if share > LONG_SHARE:
        yield from (f'{path}:{start}: {lines} lines'
                    for lines, path, start in long)


@check
def headers_are_for_their_readers():
    """One that is long has several jobs, and makes everybody read all."""
    for path in tracked('src/**/*.h'):
        name, lines = path.relative_to(ROOT), len(path.read_text().splitlines())
        if lines > LONG_HEADER and not any(name.match(p) for p in LONG_HEADERS):
            yield f'{name}: {lines} lines'
    for pattern in LONG_HEADERS:
        if not any(len(p.read_text().splitlines()) > LONG_HEADER
                   for p in ROOT.glob(pattern)):
            yield f'{pattern}: no exception is needed'


@check
def large_structs_have_parts():
    for (path, name), most in MOST_MEMBERS.items():
        text = re.sub(r'/\*.*?\*/', '', (ROOT / path).read_text(), flags=re.S)
        body = re.search(rf'^struct {name} \{{\n(.*?)^\}};', text, re.M | re.S)[1]
        while re.search(r'\{[^{}]*\}', body):         # the parts' own members
            body = re.sub(r'\{[^{}]*\}', '', body)
        members = len(re.findall(r'[;,]', body))
        if members > most:
            yield f'{path}: struct {name} has {members} members, {most} at most'


def calls_in_its_own_file(name):
    """Who calls the function of src/, as (file, function); None: no file defines it."""
    is_there = False
    for path in tracked('src/**/*.c'):
        text = re.sub(r'/\*.*?\*/', '', path.read_text(), flags=re.S)
        if not re.search(rf'^{name}\(', text, re.M):
            continue
        is_there = True
        caller = None
        for line in text.splitlines():
            head = re.match(r'(\w+)\(', line)
            caller = head[1] if head else caller
            if re.search(rf'(?<!\w){name}\b', line[1:]):
                yield path.relative_to(ROOT), caller
    if not is_there:
        yield None, None


@check
def what_tests_wrap_is_called_from_other_files():
    """The linker's --wrap changes no call in the file that defines the function: there a
    test would quietly run what it means to replace."""
    allowed, seen = set(OWN_CALLS), set()
    names = {name: build.relative_to(ROOT) for build in tracked('tests/**/meson.build')
             for name in re.findall(r'--wrap=(\w+)', build.read_text())}
    for name, build in names.items():
        for path, caller in calls_in_its_own_file(name):
            seen.add((name, caller))
            if path and (name, caller) not in allowed:
                yield f'{path}: {caller}() calls {name}() of its own file, so' \
                      f' --wrap={name} of {build} is not for it'
            elif not path and name.startswith(FOLDERS):
                yield f'{build}: --wrap={name}: no file of src/ defines it'
    yield from (f'{caller}() and {name}(): no exception is needed'
                for name, caller in allowed - seen)


def main():
    print(f'1..{len(CHECKS)}')
    bad = 0
    for number, function in enumerate(CHECKS, 1):
        name = function.__name__.replace('_', ' ')
        try:
            complaints = list(function())
        except Skip as why:
            print(f'ok {number} - {name} # SKIP {why}')
            continue
        except OSError as error:
            complaints = [str(error)]
        print(f"{'not ' if complaints else ''}ok {number} - {name}")
        for line in complaints:
            print(f'# {line}')
        bad += bool(complaints)
    return bool(bad)


if __name__ == '__main__':
    sys.exit(main())
