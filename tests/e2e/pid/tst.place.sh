# A function's entry is where it begins, for ustack() and uregs[] too, wherever in its first
# instructions the probe was put; other places are where they are.
cat >script <<'END'
pid$target:libc.so.6:[mw_]*:entry { @["stack", ustack(1)] = count(); }
pid$target:libc.so.6:[mw_]*:entry { @pc["pc", uaddr(uregs[R_PC])] = count(); }
syscall::write:entry /pid == $target/ { @["other", ustack(1)] = count(); }
END
"$DTRACE" -qs script -c "sh -c 'echo; echo >/dev/null; pwd >/dev/null'" | tr -s ' \n' ' ' |
	sed 's/ \([a-z][a-z]*\) \(libc[^ ]*`\)/\n\1 \2/g' |
	awk '{ n[$1 " " ($2 ~ /\+0x/)]++ }
	END { print n["stack 1"] + 0, n["pc 1"] + 0, (n["stack 0"] > 5 ? "many" : "few"),
		n["pc 0"] - n["stack 0"], (n["other 1"] > 0 ? "inside" : "not") }'
