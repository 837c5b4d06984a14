# No member of the kernel's that a library reads has got another name.
python3 "$HERE/either.py" "$DTRACE" "$HERE/../../../src/lib/dtrace"
