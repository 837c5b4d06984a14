counts

Syscall Counts

         SYSCALL              COUNT
            read                  3
         getppid                  5

counts and totals

Syscall Counts

         SYSCALL              COUNT
            read                  3
         getppid                  5
          TOTAL:                  8

all
Elapsed Times \(ns\)

         SYSCALL          TIME \(ns\)
 *\w+ {6,}[1-9]\d{2,11}
 *\w+ {6,}[1-9]\d{2,11}
       nanosleep {6,}[1-9]\d{6,11}
          TOTAL: {6,}[1-9]\d{6,11}

CPU Times \(ns\)

         SYSCALL          TIME \(ns\)
 *\w+ +[1-9]\d*
 *\w+ +[1-9]\d*
 *\w+ +[1-9]\d*
          TOTAL: +[1-9]\d*

Syscall Counts

         SYSCALL              COUNT
       nanosleep                  1
            read                  3
         getppid                  5
          TOTAL:                  9

