# No member of a translator is without a test.
python3 "$HERE/complete.py" "$HERE/../../../src/lib/dtrace" "$HERE/.."
