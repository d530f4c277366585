package blocks

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Read takes the page apart that is in a file.
func Read(t *testing.T, path string) *Page {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Evidence is what tests look at of an item: an RPC or a message with its ladder and bytes.
type Evidence struct {
	Row int
	// Finding is the number in the page of the finding that it is of, 0 if there is none.
	Finding int
	Title   string
	Ops     []struct{ Op, Status, Detail string }
	Phases  [][]any // word, name, nanoseconds, 1 if of the latency
	Ladder  *struct {
		Steps  []Step
		Chunks []struct {
			Kind, Label string
			Step        int
		}
		LeftOut int `json:"left_out"`
	}
	Exhibits []struct {
		Title  string
		F      int
		File   int
		Part   int
		Bytes  string `json:"octets"`
		Length int
		Nodes  [][]any
		Bad    [][2]int
	}
}

// A Step is one of a ladder.
type Step struct {
	T, F, N, D, C, Lasted, Hidden int
	K, X, M, O, Bad               string
	Of                            *uint32
}

// UnmarshalJSON fills in what is left out of most steps.
func (s *Step) UnmarshalJSON(b []byte) error {
	type plain Step
	x := plain{N: 1, C: -1}
	if err := json.Unmarshal(b, &x); err != nil {
		return err
	}
	*s = Step(x)
	return nil
}

// Evidence are the items of the page.
func (p *Page) Evidence(t *testing.T) (all []Evidence) {
	t.Helper()
	for _, b := range p.Of("evidence") {
		var list []Evidence
		if err := b.Decode(&list); err != nil {
			t.Fatal(err)
		}
		if b.First != len(all) || b.Count != len(list) {
			t.Fatalf("a block has %d items from %d on, and says %d from %d on", len(list), len(all), b.Count, b.First)
		}
		all = append(all, list...)
	}
	numbers := make(map[int]int)
	for pair := range slices.Chunk(p.Meta(t).Findings, 2) {
		numbers[pair[0]] = pair[1]
	}
	for i := range all {
		all[i].Finding = numbers[all[i].Finding] // it was a key
	}
	return all
}

// ShownBy are the ids of the findings that show items of evidence, by the numbers of these.
func (p *Page) ShownBy(t *testing.T) map[int]string {
	t.Helper()
	by := make(map[int]string)
	for _, a := range p.Find("article", "finding") {
		for item := range strings.SplitSeq(Attr(a, "data-evidence"), ",") {
			if item == "" {
				continue
			}
			n, err := strconv.Atoi(item)
			if err != nil {
				t.Fatal(err)
			}
			by[n] = Attr(a, "id")
		}
	}
	return by
}

// Meta is what the page says of all of it.
type Meta struct {
	Title, Start, Command string
	Names, Files          []string
	Totals                struct{ RPCs, Rows, Evidence int }
	Fields                []struct{ Name, Kind, Column, Cell string }
	Connections           []struct{ ID int }
	// Findings are the keys by which evidence names them, and their numbers, by turns.
	Findings []int
}

// Meta is that of the page.
func (p *Page) Meta(t *testing.T) (m Meta) {
	t.Helper()
	if err := p.Of("meta")[0].Decode(&m); err != nil {
		t.Fatal(err)
	}
	return m
}
