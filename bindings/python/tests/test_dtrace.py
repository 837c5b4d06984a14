# SPDX-License-Identifier: BSD-2-Clause
"""The binding, from outside.  What traces needs root and is skipped without."""
import asyncio
import ctypes
import gc
import os
import pathlib
import re
import select
import threading
import unittest

import dtrace
from dtrace import _lib


def why_not():
    """Why nothing can be traced here; None: it can."""
    try:
        dtrace.open().close()
    except dtrace.DTraceError as error:
        return error.message
    return None


WHY_NOT = why_not()
needs_tracing = unittest.skipIf(WHY_NOT, WHY_NOT or '')
HEADERS = pathlib.Path(__file__).resolve().parents[3] / 'include/dtrace'


def records(program, **more):
    """All records of a program that ends by itself."""
    options = more.pop('options', {})
    with dtrace.open(**options) as d:
        return [e for e in d.run(program, **more) if isinstance(e, dtrace.Record)]


def events(program, **more):
    options = more.pop('options', {})
    with dtrace.open(**options) as d:
        return list(d.run(program, **more))


def aggregate(program):
    with dtrace.open() as d:
        for _ in d.run(program):
            pass
        return d.aggregations


class Library(unittest.TestCase):
    @unittest.skipUnless(HEADERS.exists(), 'the headers are not here')
    def test_prototypes_are_those_of_the_headers(self):
        text = re.sub(r'/\*.*?\*/', '', '\n'.join(p.read_text() for p in HEADERS.glob('*.h')),
                      flags=re.S)
        for name, (_, arguments) in _lib.PROTOTYPES.items():
            found = re.search(rf'\b{name}\(([^;]*)\);', text)
            self.assertIsNotNone(found, name)
            self.assertEqual(len(found[1].split(',')), len(arguments), name)

    @unittest.skipUnless(HEADERS.exists(), 'the headers are not here')
    def test_layouts_are_those_of_the_headers(self):
        self.assertEqual(ctypes.sizeof(_lib.ProbeName), 40)
        self.assertEqual(ctypes.sizeof(_lib.ProgInfo), 8 + 5 * 4)
        self.assertEqual(ctypes.sizeof(_lib.Frame), 32)
        self.assertEqual(ctypes.sizeof(_lib.Action), 24)

    def test_no_such_library(self):
        with self.assertRaises(OSError):
            dtrace.open(library='/nonexistent/libdtrace.so')

    def test_typed(self):
        self.assertTrue((pathlib.Path(dtrace.__file__).parent / 'py.typed').exists())
        for name in dtrace.__all__:
            self.assertTrue(hasattr(dtrace, name), name)


class WithoutPrivilege(unittest.TestCase):
    def setUp(self):
        self.d = dtrace.open(trace=False)
        self.addCleanup(self.d.close)

    def test_options(self):
        self.d.set('bufsize', '64k')
        self.d.set('quiet')
        self.assertEqual(self.d.get('bufsize'), 65536)
        self.assertEqual(self.d.get('quiet'), 1)
        self.d.set('quiet', False)
        self.assertEqual(self.d.get('quiet'), 0)
        self.assertIsNone(self.d.get('cpu'))

    def test_wrong_option(self):
        with self.assertRaisesRegex(dtrace.DTraceError, 'Invalid option name') as caught:
            self.d.set('nosuch', 1)
        self.assertEqual(caught.exception.code, _lib.INVALID)

    def test_wrong_option_at_once(self):
        with self.assertRaisesRegex(dtrace.DTraceError, 'Invalid option name'):
            dtrace.open(trace=False, nosuch=1)

    def test_probes(self):
        found = self.d.probes('dtrace:::')
        self.assertEqual([p.name for p in found], ['BEGIN', 'END', 'ERROR'])
        self.assertEqual(str(found[0]), 'dtrace:::BEGIN')

    def test_compile(self):
        p = self.d.compile('BEGIN { trace(1); @ = count(); } END { trace($1); }', args=['7'])
        self.assertEqual((p.matches, p.clauses, p.aggregates), (2, 2, 1))

    def test_compile_error_shows_where(self):
        with self.assertRaises(dtrace.CompileError) as caught:
            self.d.compile('BEGIN { trace(nosuch); }')
        self.assertIn('nosuch', caught.exception.message)
        self.assertIn('^~~~~~', str(caught.exception))

    def test_words(self):
        self.d.compile('BEGIN { trace($1); }', args=[7])
        for wrong in ('7', b'7'):
            with self.assertRaisesRegex(TypeError, 'a list of words'):
                self.d.compile('BEGIN { trace($1); }', args=wrong)
        for wrong in ('', []):
            with self.assertRaisesRegex(ValueError, 'empty'):
                self.d.command(wrong)
        with self.assertRaisesRegex(TypeError, 'no program: None'):
            self.d.enable(None)

    def test_state(self):
        with self.assertRaises(dtrace.StateError):
            self.d.poll()

    def test_closed(self):
        self.d.close()
        self.d.close()
        with self.assertRaisesRegex(dtrace.StateError, 'closed'):
            self.d.compile('BEGIN { }')


@needs_tracing
class Values(unittest.TestCase):
    def test_numbers(self):
        [r] = records('BEGIN { trace((char)-1); trace((unsigned char)255); trace(-1L);'
                      ' trace(-1UL); exit(0); }')
        self.assertEqual(r.values[:4], (-1, 255, -1, 2**64 - 1))

    def test_text(self):
        [r] = records('BEGIN { trace("a b"); trace(probename); trace("\\377"); exit(0); }')
        self.assertEqual(r.values[:3], ('a b', 'BEGIN', '\udcff'))
        self.assertEqual(_lib.raw(r.values[2]), b'\xff')

    def test_bytes(self):
        [r] = records('struct two { char a[4]; } v; BEGIN { v.a[1] = 7; trace(v); exit(0); }')
        self.assertEqual(r.values[0], b'\0\7\0\0')

    def test_stack(self):
        with dtrace.open() as d:
            d.start(f'syscall::getppid:entry /pid == {os.getpid()}/'
                    ' { stack(); ustack(); sym(16); exit(0); }')
            os.getppid()
            kernel, user, sym = next(e for e in d if isinstance(e, dtrace.Record)).values[:3]
        self.assertEqual((kernel.pid, user.pid), (0, os.getpid()))
        self.assertTrue(len(kernel) and all(isinstance(f, dtrace.Frame) for f in kernel))
        self.assertEqual(len(str(user).splitlines()), len(user))
        self.assertEqual(str(sym), '0x10')

    def test_actions(self):
        [r] = records('BEGIN { printf("%d %s\\n", 3, "x"); trace(4); exit(0); }')
        self.assertEqual([(a.format, a.values) for a in r.actions],
                         [('%d %s\n', (3, 'x')), (None, (4,)), (None, (0,))])

    def test_record(self):
        [r] = records('BEGIN { trace(1); exit(0); }', options={'who': True})
        self.assertEqual((r.probe.provider, r.probe.name, r.thread.pid),
                         ('dtrace', 'BEGIN', os.getpid()))
        self.assertGreater(r.timestamp, 0)
        self.assertIn('BEGIN', repr(r))

    def test_no_thread_unless_asked_for(self):
        [r] = records('BEGIN { exit(0); }')
        self.assertIsNone(r.thread)


@needs_tracing
class Events(unittest.TestCase):
    def test_text(self):
        with dtrace.open() as d:
            texts = [e.text for e in d.run('BEGIN { printf("%5d|", 7); trace("x"); }'
                                           'BEGIN { exit(0); }') if isinstance(e, dtrace.Record)]
        self.assertEqual(texts, ['    7|x', ''])

    def test_text_after_the_end(self):
        [r] = records('BEGIN { trace(1); exit(0); }')
        with self.assertRaisesRegex(ValueError, 'closed'):
            r.text

    def test_records_come_and_go(self):
        with dtrace.open() as d:
            for e in d.run('tick-1ms /n++ < 50/ { trace(n); } tick-1ms /n > 50/ { exit(0); }'):
                pass
            del e
            gc.collect()
            self.assertEqual(len(d._records), 0)

    def test_faults(self):
        fault, end = events('BEGIN { trace(*(int *)16); } BEGIN { exit(3); }')[0::2]
        self.assertIsInstance(fault, dtrace.Fault)
        self.assertEqual((fault.name, fault.address, fault.count), ('invalid address', 16, 1))
        self.assertEqual(end, dtrace.End(3))

    def test_drops(self):
        drops = [e for e in events('BEGIN { speculation(); speculation(); exit(0); }')
                 if isinstance(e, dtrace.Drop)]
        self.assertEqual([(e.count, e.total) for e in drops], [(1, 1)])

    def test_command(self):
        with dtrace.open() as d:
            pid = d.command(['sh', '-c', 'exit 3'])
            d.enable('BEGIN { trace($target); } END { trace($$1); }', args=['word'])
            d.go()
            got = list(d)
            self.assertEqual((d.status, d.exit_status), ('exited', 0))
        self.assertEqual([e.values for e in got if isinstance(e, dtrace.Record)],
                         [(pid,), ('word',)])
        self.assertIn(dtrace.ProcessEnd(pid, f'pid {pid} exited with status 3'), got)

    def test_command_as_text(self):
        got = events('BEGIN { trace($1); }', command='sh -c "exit 3"', args=[5])
        self.assertEqual([e.values for e in got if isinstance(e, dtrace.Record)], [(5,)])
        self.assertEqual([e.text[-20:] for e in got if isinstance(e, dtrace.ProcessEnd)],
                         ['exited with status 3'])

    def test_types(self):
        with dtrace.open(trace=False) as d:
            t = d.type('struct pair { short a; unsigned b : 3; }')
            self.assertEqual(t, dtrace.TypeInfo('D', 'struct pair', 'struct', 4, False, (
                dtrace.Member('a', 'short', 0, 0, 0), dtrace.Member('b', 'unsigned int', 16, 3, 0))))
            self.assertEqual(d.type('enum { X = -4 }').members, (dtrace.Member('X', '', 0, 0, -4),))
            self.assertEqual(d.type('unsigned char', 'C')[2:5], ('int', 1, False))
            self.assertTrue(d.type('pid_t').signed)
            with self.assertRaises(dtrace.NotFound):
                d.type('nosuch_t', 'vmlinux')
            with self.assertRaises(dtrace.CompileError):
                d.type('int; BEGIN { }')

    def test_objects(self):
        with dtrace.open(trace=False) as d:
            try:
                kernel = d.objects()[0]
            except dtrace.Unsupported as e:
                self.skipTest(str(e))
        self.assertEqual(kernel.name, 'vmlinux')
        self.assertGreater(kernel.text[1], 1 << 20)

    def test_held(self):
        with dtrace.open() as d:
            pid = d.command(['sh', '-c', 'exit 3'], held=True)
            d.start('tick-5ms /i++ == 3/ { trace(1); }')
            seen = []
            for e in d:
                if isinstance(e, dtrace.Record):
                    d.proceed(pid)
                seen.append(type(e))
        self.assertEqual(seen, [dtrace.Record, dtrace.ProcessEnd, dtrace.End])

    def test_release(self):
        with dtrace.open() as d:
            pid = d.command(['sh', '-c', 'sleep 0.1; exit 5'], held=True)
            d.release(pid)
            d.start('BEGIN { exit(4); }')
            self.assertFalse([e for e in d if isinstance(e, dtrace.ProcessEnd)])
            with self.assertRaises(dtrace.NotFound):
                d.release(1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 5)

    def test_stop(self):
        with dtrace.open() as d:
            seen = []
            for e in d.run('tick-1ms { trace(1); } END { trace(2); }'):
                if not seen:
                    d.stop()
                seen.append(e)
        self.assertEqual((seen[-2].values, seen[-1]), ((2,), dtrace.End(0)))

    def test_waiting(self):
        with dtrace.open() as d:
            d.start('tick-5ms { exit(4); }')
            waits, got = select.poll(), []
            waits.register(d.fileno(), select.POLLIN)
            while not got or not isinstance(got[-1], dtrace.End):
                self.assertTrue(waits.poll(30000), 'nobody woke us')
                while (e := d.poll()) is not None:
                    got.append(e)
        self.assertEqual(got[-1], dtrace.End(4))

    def test_filled(self):
        with dtrace.open(bufpolicy='fill', bufsize='4k') as d:
            got = list(d.run('tick-1ms { tracemem(alloca(128), 128); }'))
            self.assertEqual((got[-1], d.status), (dtrace.End(0), 'filled'))
            self.assertGreater(len(got), 1)

    def test_asyncio(self):
        async def trace(n):
            with dtrace.open() as d:
                d.start(f'tick-2ms {{ trace({n}); }} tick-20ms {{ exit({n}); }}')
                return [e async for e in d]

        async def both():
            return await asyncio.gather(trace(1), trace(2))
        for n, got in enumerate(asyncio.run(both()), 1):
            self.assertEqual(got[-1], dtrace.End(n))
            self.assertEqual({e.values[0] for e in got[:-1]}, {n})

    def test_a_session_for_each_thread(self):
        ends = []
        threads = [threading.Thread(target=lambda i=i: ends.append(
            events(f'BEGIN {{ exit({i}); }}')[-1])) for i in range(2)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(sorted(e.status for e in ends), [0, 1])

    def test_what_go_refuses(self):
        with dtrace.open() as d:
            with self.assertRaisesRegex(dtrace.DTraceError, 'Destructive'):
                d.enable('BEGIN { system("true"); }')


@needs_tracing
class Aggregations(unittest.TestCase):
    def test_dicts(self):
        found = aggregate('BEGIN { @a["x"] = sum(10); @a["y"] = sum(30); @b[1, "k"] = count();'
                          ' exit(0); }')
        self.assertEqual(found, {'a': {'x': 10, 'y': 30}, 'b': {(1, 'k'): 1}})
        a = found['a']
        self.assertEqual((a.function, list(a), a.key_names), ('sum', ['x', 'y'], ('"x"',)))

    def test_without_keys(self):
        found = aggregate('BEGIN { @ = min(-3); @n = max(4); exit(0); }')
        self.assertEqual((found[''].value, found['n'].value), (-3, 4))

    def test_rows(self):
        found = aggregate('BEGIN { @a = avg(3); @a = avg(6); @s = stddev(5); exit(0); }')
        self.assertEqual(found['a'].rows, [dtrace.Row((), 4, 2, 9)])
        self.assertEqual(found['s'].rows, [dtrace.Row((), 0, 1, 5)])

    def test_histograms(self):
        found = aggregate('BEGIN { @q = quantize(5); @l = lquantize(-4, 0, 10, 5);'
                          ' @l = lquantize(7, 0, 10, 5); exit(0); }')
        self.assertEqual(found['q'].value, [(4, 7, 1)])
        self.assertEqual(found['l'].value, [(None, -1, 1), (5, 9, 1)])
        self.assertEqual(found['l'].value.count, 2)

    def test_printa(self):
        first, second = records('BEGIN { @a["x"] = sum(10); }'
                                'BEGIN { printa(@a); clear(@a); printa(@a); }'
                                'BEGIN { exit(0); }')
        shown = first.values
        self.assertEqual([dict(a) for a in shown], [{'x': 10}, {'x': 0}])

    def test_one_by_name(self):
        with dtrace.open() as d:
            for _ in d.run('BEGIN { @n = count(); normalize(@n, 2); @n = count(); exit(0); }'):
                pass
            self.assertEqual(d.aggregation('n').normal, 2)
            self.assertEqual(d.aggregation(1).value, 1)
            with self.assertRaises(dtrace.NotFound):
                d.aggregation('nosuch')
            with self.assertRaises(LookupError):
                d.aggregation(7)


if __name__ == '__main__':
    unittest.main()
