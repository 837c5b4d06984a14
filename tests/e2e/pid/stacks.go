package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
)

//go:noinline
func grow(n int, pad [64]int) int {
	if n == 0 {
		return pad[3]
	}
	pad[3]++
	return grow(n-1, pad) + 1
}

//go:noinline
func add(a, b int) int {
	if a > 1000000 {
		panic("no")
	}
	return a + b
}

func thrower(n int) (r int) {
	defer func() {
		if e := recover(); e != nil {
			r = -1
		}
	}()
	return deep(n)
}

//go:noinline
func deep(n int) int {
	if n == 0 {
		panic("deep")
	}
	return deep(n-1) + 1
}

type point struct{ x, y int8 }

//go:noinline
func pass(a int8, b uint64, s string, c bool, f float64, bytes []byte, p *point) int {
	return len(s) + len(bytes)
}

func main() {
	pass(-1, 1<<40, "a text", true, 1.5, []byte{65, 66}, &point{1, 2})
	n, _ := strconv.Atoi(os.Args[1])
	var wg sync.WaitGroup
	sum := 0
	var mu sync.Mutex
	for i := 0; i < n; i++ {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			var pad [64]int
			v := grow(100+i, pad)
			v += add(i, 1)
			v += thrower(5)
			if i%10 == 0 {
				runtime.GC()
			}
			mu.Lock()
			sum += v
			mu.Unlock()
		}(i)
	}
	wg.Wait()
	os.WriteFile("sum", []byte(fmt.Sprintln(sum)), 0666)
}
