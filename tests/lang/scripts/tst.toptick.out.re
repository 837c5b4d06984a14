every 1 s, 2 times
20\d\d [A-Z][a-z][a-z] [ 123]\d \d\d:\d\d:\d\d
getppid +20
read +50
20\d\d [A-Z][a-z][a-z] [ 123]\d \d\d:\d\d:\d\d
getppid +0
read +0
2 reports

