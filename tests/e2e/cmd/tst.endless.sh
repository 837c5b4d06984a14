# A script without an end.
timeout 10 "$DTRACE" -s /dev/zero 2>&1
echo "status ${PIPESTATUS[0]}"
