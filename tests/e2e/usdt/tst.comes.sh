# A pattern names all processes, also those that come; each waits for its counter.  Others
# may run the same programs, but not here.
noted=${WORKLOAD%/*}/noted
# executes PID: it is no longer the shell that was to start it
executes() {
	for ((i = 0; i < tries; i++)); do
		[ "/proc/$1/exe" -ef "$noted" ] && return
		sleep 0.05
	done
	echo "$1 does not begin"
}
"$DTRACE" -Zqwn 'BEGIN { system("%s wait 1000 & %s load 2000 & %s exec 500 &", $1, $1, $1); }
	noted*:::loop /cwd == $2/ { n++; @[probeprov == strjoin("noted", lltostr(pid)), probemod] = count(); }
	late*:::fire /cwd == $2/ { n++; @[probeprov == strjoin("late", lltostr(pid)), probemod] = count(); }
	tick-10ms /n == 3500/ { exit(0); }' "\"$noted\"" "\"$(pwd -P)\"" | awk 'NF { $1 = $1; print }'
# a child that never executes anything
"$noted" fork 400 & there=$!
executes $there
"$DTRACE" -qn 'noted*:::loop /ppid == $1/
	{ printf("%d\n", probeprov == strjoin("noted", lltostr(pid))); exit(0); }' $there
kill $there; wait $there || true
# where the file is known nothing is missed of who comes and does not wait
"$noted" fork 1 >/dev/null & there=$!
executes $there
cat >many.sh <<EOF
for i in 1 2 3 4 5; do $noted \$((i * 100)) & done >/dev/null
wait
EOF
"$DTRACE" -qn 'noted*:::loop /progenyof($target)/ { @[probename] = count(); @p[probeprov] = count(); }
	noted*:::same /progenyof($target) && probefunc == "both_places"/ { @[probename] = count(); }
	END { printa(@); normalize(@p, 1); printa("%@d\n", @p); }' -c "sh many.sh" |
	awk 'NF { $1 = $1; print }' | sort
kill $there; wait $there || true
# of each process in lists, together for who traces; beside one that is named
"$noted" wait 10 & there=$!
executes $there
"$DTRACE" -l -n 'noted*:::loop' | sed "s/noted$there/notedN/" |
	awk '$2 ~ /noted/ && $2 !~ /noted[0-9]/ { print $2, $3, $4, $5 }'
kill $there; wait $there || true
"$DTRACE" -qn 'noted*:::loop /progenyof($target)/ { @a = count(); } noted$target:::loop { @b = count(); }
	n*$target:::l??p { @c = count(); }
	END { printa("%@d %@d %@d\n", @a, @b, @c); }' -c "$noted 100" | grep .
# several files of one name
mkdir one two
printf '\n' | cat "$noted" - >one/noted
cp "$noted" two/noted
chmod +x one/noted
cat >several.sh <<EOF
one/noted wait 1000 &
wait
two/noted wait 2000 &
one/noted wait 4000 &
wait
EOF
"$DTRACE" -Zqn 'noted*:::loop /progenyof($target)/ { @[probemod] = count(); @n = count(); n++; }
	tick-10ms /n == 7000/ { exit(0); }' -c "sh several.sh" | awk 'NF { $1 = $1; print }'
