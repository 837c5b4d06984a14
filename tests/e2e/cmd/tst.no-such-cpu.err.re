dtrace: could not enable tracing: option cpu: CPU 9999 is not there; there are [0-9]+([-,] ?[0-9]+)*
