# What is told of a process, its threads and their CPU is what /proc and the process say.
python3 "$HERE/process.py" "$DTRACE"
