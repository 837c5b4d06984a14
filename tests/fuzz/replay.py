#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""replay.py TARGET REPLAY SEEDS ROOT: feed a target what is kept of the inputs
it once failed on, tests/fuzz/kept/TARGET/*, and the seeds made of the D
programs of the other tests; TAP."""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from programs import programs

target, replay, seeds, root = sys.argv[1:]
kept = sorted((pathlib.Path(root) / 'tests/fuzz/kept' / target).glob('*'))
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder) / 'seeds'
    folder.mkdir()
    subprocess.run([seeds, target, folder, *programs(root)], check=True)
    made = [folder] if any(folder.iterdir()) else []
    done = subprocess.run([replay, *kept, *made])
# A signal's number is negative: a crash must not look like success.
sys.exit(done.returncode)
