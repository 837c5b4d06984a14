#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""run.py ROOT LIBRARY: the tests of the Python binding, whether its types are right, and whether
pip installs it; TAP."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT, LIBRARY = pathlib.Path(sys.argv[1]), sys.argv[2]
SOURCE = ROOT / 'bindings/python'
os.environ['DTRACE_LIBRARY'] = LIBRARY
sys.dont_write_bytecode = True


class Tap(unittest.TestResult):
    number = 0

    def line(self, test, good=True, skip='', why=''):
        self.number += 1
        name = test if isinstance(test, str) else test.id()
        print(f"{'' if good else 'not '}ok {self.number} - {name}" + (skip and f' # SKIP {skip}'))
        for line in why.splitlines():
            print('# ', line)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.line(test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.line(test, skip=reason)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.line(test, False, why=self.failures[-1][1])

    def addError(self, test, err):
        super().addError(test, err)
        self.line(test, False, why=self.errors[-1][1])


def install(tap):
    """As a user does, but to a folder of its own and without a network."""
    if subprocess.run([sys.executable, '-m', 'pip', '--version'],
                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
        tap.line('pip installs it', skip='there is no pip')
        return True
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / 'site'
        env = {**os.environ, 'PYTHONDONTWRITEBYTECODE': '1', 'PYTHONPATH': str(target)}
        pip = subprocess.run([sys.executable, '-m', 'pip', 'install', '--no-index', '--no-compile',
                              '--disable-pip-version-check', '--root-user-action=ignore',
                              '--target', target, SOURCE], env=env, cwd=folder, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        used = subprocess.run([sys.executable, '-c', 'import dtrace; print(dtrace.__file__); '
                               'dtrace.open(trace=False).compile("BEGIN { }")'], env=env,
                              cwd=folder, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        good = not pip.returncode and not used.returncode and \
            used.stdout.strip() == str(target / 'dtrace/__init__.py') and \
            (target / 'dtrace/py.typed').exists()
    tap.line('pip installs it', good, why='' if good else pip.stdout + used.stdout)
    return good


def types(tap):
    if subprocess.run([sys.executable, '-m', 'mypy', '--version'], stdout=subprocess.DEVNULL,
                      stderr=subprocess.DEVNULL).returncode:
        tap.line('its types are right', skip='there is no mypy')
        return True
    done = subprocess.run([sys.executable, '-m', 'mypy', '--strict', '--cache-dir', os.devnull,
                           SOURCE / 'dtrace'], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    tap.line('its types are right', not done.returncode, why=done.stdout)
    return not done.returncode


def main():
    sys.path.insert(0, str(SOURCE))
    tests = unittest.defaultTestLoader.discover(str(SOURCE / 'tests'), top_level_dir=str(SOURCE))
    tap = Tap()
    tests.run(tap)
    good = types(tap)
    good = install(tap) and good
    print(f'1..{tap.number}')
    return not (tap.wasSuccessful() and good)


if __name__ == '__main__':
    sys.exit(main())
