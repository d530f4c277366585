package columns

import (
	"fmt"
	"slices"
	"testing"
)

// TestListsAreBounded holds that what a stranger can make long is cut, that this is
// known, and that a block does not grow with it.
func TestListsAreBounded(t *testing.T) {
	long := slices.Repeat([]uint64{1}, MostInList+1)
	for name, lists := range map[string]func(g *Gatherer) [][]uint64{
		"list": func(*Gatherer) [][]uint64 { return [][]uint64{long} },
		"text": func(g *Gatherer) [][]uint64 { return [][]uint64{{g.Text(make([]byte, mostText+1))}} },
	} {
		g := NewGatherer(1)
		if g.Add(&Row{Lists: lists(g)}); !g.Cut() {
			t.Errorf("a %s is too long, and nobody knows", name)
		}
	}
	g := NewGatherer(1)
	blocks := 0
	for i := range 20_000 {
		g.Text(fmt.Appendf(make([]byte, mostText-10), "%d", i))
		full := g.Add(&Row{Lists: [][]uint64{long[:MostInList]}})
		if g.block.values > valuesInBlock || g.block.textBytes > textsInBlock+mostText {
			t.Fatalf("a block has %d values and %d bytes of texts", g.block.values, g.block.textBytes)
		}
		if len(g.texts.known) > maxTexts || g.texts.bytes > maxTextBytes {
			t.Fatalf("%d texts with %d bytes are remembered", len(g.texts.known), g.texts.bytes)
		}
		if full {
			b, _ := g.Take()
			g.Release(b)
			blocks++
		}
	}
	if blocks < 2 || g.Next() != 20_000 {
		t.Errorf("%d blocks were full, and the next row is %d", blocks, g.Next())
	}
}
