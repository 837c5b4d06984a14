dtrace: .*nothing\.d.*No such file or directory
