# PostgreSQL: each query with its text and time, of backends that come and go; lock waits;
# checkpoints; transactions.
# needs: setpriv
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1)
[ -x "$bin/initdb" ] || { echo "no PostgreSQL server here"; exit 77; }
readelf -n "$bin/postgres" | grep -q query__start ||
	{ echo "this PostgreSQL has no probes"; exit 77; }
id postgres >/dev/null 2>&1 || { echo "no user postgres"; exit 77; }
dir=$(mktemp -d /tmp/pg.XXXXXX)
chown postgres "$dir"
as() { setpriv --reuid=postgres --regid=postgres --clear-groups env -C "$dir" HOME="$dir" "$@"; }
trap 'as "$bin/pg_ctl" -D "$dir/db" -m immediate stop >/dev/null 2>&1; rm -rf "$dir"' EXIT
as "$bin/initdb" -N -A trust -D "$dir/db" --no-locale -E UTF8 >/dev/null 2>said || { cat said; exit 1; }
as "$bin/pg_ctl" -D "$dir/db" -w -l "$dir/log" -o "-k $dir -c listen_addresses= -c fsync=off \
	-c autovacuum=off -c jit=off" start >/dev/null || { cat "$dir/log"; exit 1; }
sql() { as "$bin/psql" -h "$dir" -qAtX postgres "$@"; }
sql -c 'create table t(i int); insert into t select generate_series(1, 1000)'

cat >clients <<END
sql() { setpriv --reuid=postgres --regid=postgres --clear-groups "$bin/psql" -h "$dir" -qAtX postgres "\$@" >/dev/null; }
cd "$dir"
for i in 1 2 3 4 5; do sql -c "select \$i from t limit 1"; done
sql -c "select pg_sleep(0.05)" -c checkpoint
# Two for one row: the second waits.
sql -c begin -c "update t set i = -1 where i = 1" -c "select pg_sleep(0.4)" -c commit &
until setpriv --reuid=postgres --regid=postgres --clear-groups "$bin/psql" -h "$dir" -qAtX postgres \
	-c "select 'found' from pg_stat_activity where query like 'select pg_%(0.4)'" | grep -q found
do :; done
sql -c "update t set i = -2 where i = 1"
wait
END
"$DTRACE" -qn '
	postgresql*:::query-start /progenyof($1)/
	{ self->sql = copyinstr(arg0); self->at = timestamp; }
	postgresql*:::query-done /self->at && timestamp - self->at >= 50000000 &&
	strstr(self->sql, "sleep") != NULL/
	{ printf("slow: %s\n", self->sql); }
	postgresql*:::query-done /self->at && strstr(self->sql, "limit") != NULL/
	{ printf("%s\n", self->sql); }
	postgresql*:::query-done { self->sql = 0; self->at = 0; }
	postgresql*:::checkpoint-start, postgresql*:::checkpoint-done /progenyof($1)/
	{ printf("%s\n", probename); }
	postgresql*:::lock-wait-start /progenyof($1)/ { self->waits = timestamp; }
	postgresql*:::lock-wait-done /self->waits/
	{ printf("waited %s\n", timestamp - self->waits > 1000000 ? "long" : "short"); }
	postgresql*:::transaction-start /progenyof($1)/ { n++; }
	postgresql*:::transaction-commit, postgresql*:::transaction-abort /progenyof($1)/ { done++; }
	END { printf("%s\n", n > 9 && n == done ? "all ended" : "some did not end"); }' -c "sh clients" "$(head -1 "$dir/db/postmaster.pid")" | grep .
