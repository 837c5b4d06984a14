# SPDX-License-Identifier: BSD-2-Clause
"""Which D programs of the tree the fuzzers start from."""
import pathlib


def programs(root):
    tests = pathlib.Path(root) / 'tests'
    return sorted(p for folder in ('golden', 'lang', 'e2e')
                  for p in (tests / folder).rglob('*.d'))
