write 3 HERE/a
a HERE 0
\S+ /\S*
2 0
write 3 HERE/a
a HERE 5
\S+ /\S*
2 0
write 4 HERE/b
b HERE 0
\S+ /\S*
1 1
read 5 /proc/version
version /proc 0
proc /proc
0 0
write 7 <unknown>
<unknown> <unknown> 0
pipefs <unknown>
1 0
read 8 /
/ / 0
\S+ /
0 0
read 99 <none>
<none> <none> 0
<none> <none>
0 0
read (-1|4294967295) <none>
<none> <none> 0
<none> <none>
0 0
read 1000000000 <none>
<none> <none> 0
<none> <none>
0 0

