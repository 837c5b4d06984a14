# Killed in the middle of attaching to all functions of a process, or of leaving them,
# dtrace leaves the process as it was.
# needs: python3
"$DTRACE" -vV | grep -q 'uprobe.multi' || { echo "places are left one by one here"; exit 77; }
python3 "$HERE/middle.py"
