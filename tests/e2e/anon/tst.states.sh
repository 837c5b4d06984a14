# needs: fuser
# Whatever stands in the way of a claim is told by one message, and what can be
# claimed afterwards is.
. "$HERE/anon.sh"
{
echo "-- none"
claim
echo status $?
echo "-- refused"
save -q -n 'BEGIN { printf("begin\n"); }'
begin
begin
echo status $?
claim -x bufsize=1m
echo status $?
claim -x nosuch=1
claim -n BEGIN
echo status $?
claim -e
echo "-- twice"
claim -x grabanon
echo status $?
echo "-- while it is claimed"
begin
env --default-signal=INT "$DTRACE" --anon-root "$root" -a >out 2>err &
pid=$!
until_text out begin
claim
begin
kill -INT $pid
wait $pid
echo "-- killed"
begin
held=$(holder)
kill -KILL $held
gone $held
claim
echo "-- it no longer compiles"
sed -i 's/BEGIN/nosuch:::probe/' "$root/etc/dtrace/anonymous"
begin
echo status $?
claim
echo "-- the claimer loses the other"
save -q -n 'BEGIN { printf("begin\n"); }'
begin
held=$(holder)
rm -f out
claim >out &
pid=$!
until_text out begin
kill -KILL $held
wait $pid
echo status $?
} 2>&1 | plain
over
