package main

import "fmt"

type Kind int

const (
	Book Kind = iota
	Toy
)

type Price interface{ Cents() int64 }
type Fixed struct{ cents int64 }

func (f Fixed) Cents() int64 { return f.cents }

type Item struct {
	ID    uint32
	Name  string
	Tags  []uint16
	Kind  Kind
	Price Price
	Next  *Item
	Index map[string]int
	Pos   struct {
		X int8
		Y float64
	}
	Ok bool
}

type Pair[A, B any] struct {
	First  A
	Second B
}

//go:noinline
func Both(p *Pair[int32, string]) int { return int(p.First) + len(p.Second) }

//go:noinline
func Show(i *Item, n int, name string) int { return int(i.ID) + n + len(name) }

//go:noinline
func (i *Item) Cost(n int) int { return int(i.ID) * n }

var Shelf *Item

func main() {
	a := &Item{ID: 1, Name: "first", Tags: []uint16{1, 2}, Kind: Toy, Price: Fixed{9}, Ok: true}
	b := &Item{ID: 2, Name: "second", Next: a, Index: map[string]int{"x": 1}}
	b.Pos.X = -3
	b.Pos.Y = 2.5
	Shelf = b
	Both(&Pair[int32, string]{5, "fifth"})
	if Show(b, 3, "abc") == 0 {
		fmt.Println(b.Cost(4))
	}
}
