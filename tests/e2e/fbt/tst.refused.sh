# Where functions cannot be probed, one error says why, and nothing lists them.
if "$DTRACE" -l -n 'fbt::vfs_read:entry' >/dev/null 2>err; then
	echo "functions can be probed here"; exit 77
fi
wc -l <err
sed 's/here: .*/here/' err
"$DTRACE" -l | grep -c ' fbt '
"$DTRACE" -qn 'fbt::vfs_read:entry { @ = count(); }' 2>&1 | sed 's/here: .*/here/'
"$DTRACE" -qn '::vfs_read:entry { @ = count(); }' 2>&1 | head -1
"$DTRACE" -l -n 'lockstat:::spin-acquire' 2>&1 | sed -n '$s/.*(//p'
