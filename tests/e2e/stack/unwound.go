// Go: calls getppid() after it has told which return addresses the runtime finds, one
// line of them, the innermost first.
package main

import (
	"fmt"
	"runtime"
	"sort"
	"strings"
	"sync"
	"syscall"
)

var mu sync.Mutex

//go:noinline
func here(name string) {
	var pcs [200]uintptr
	mu.Lock()
	defer mu.Unlock()
	n := runtime.Callers(2, pcs[:])
	text := make([]string, 0, n)
	for _, pc := range pcs[:n] {
		text = append(text, fmt.Sprintf("%x", pc))
	}
	fmt.Println(name, strings.Join(text, " "))
	syscall.RawSyscall(syscall.SYS_GETPPID, 0, 0, 0)
}

//go:noinline
func deep(n int, pad [40]int, name string) int {
	if n == 0 {
		here(name)
		return pad[7]
	}
	pad[7]++
	return deep(n-1, pad, name) + 1
}

type shape interface{ area() float64 }
type square struct{ side float64 }

//go:noinline
func (s *square) area() float64 { here("interface"); return s.side * s.side }


func main() {
	deep(60, [40]int{}, "deep")
	v := []int{5, 2, 8, 1}
	once := false
	sort.Slice(v, func(a, b int) bool {
		if !once {
			once = true
			here("sort")
		}
		return v[a] < v[b]
	})
	var s shape = &square{3}
	s.area()
	f := s.area
	f()
	var wg sync.WaitGroup
	for i := 0; i < 20; i++ {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			deep(i*3, [40]int{}, "goroutine")
		}(i)
	}
	wg.Wait()
	func() {
		defer here("defer")
	}()
}
