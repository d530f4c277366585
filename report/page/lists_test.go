package page

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/rdmacap/rdmacap/report/page/columns"
	"github.com/rdmacap/rdmacap/report/page/visible"
)

// A listBlock is what a block of rows has of lists.
type listBlock struct {
	Lists map[string]struct {
		N    any
		V, D []any
	}
	Texts []any
}

// numbers are a list of whole numbers or strings of them, modulo 2^64.
func numbers(t *testing.T, list []any) (all []uint64) {
	t.Helper()
	for _, v := range list {
		s := fmt.Sprint(v)
		n, err := strconv.ParseInt(s, 10, 64)
		u := uint64(n)
		if err != nil {
			u, err = strconv.ParseUint(s, 10, 64)
		}
		if _, number := v.(json.Number); err != nil || number && (n > visible.Exact || n < -visible.Exact) {
			t.Fatalf("%v is no whole number of a double", v)
		}
		all = append(all, u)
	}
	return all
}

// TestLists holds that lists and their texts come back as they were, however many
// different ones there are.
func TestLists(t *testing.T) {
	w := NewWriter(spoolFile(t), Options{MaxSize: 20e6, Files: 1, Lists: []columns.List{{Name: "plain"}, {Name: "near", Differences: true}, {Name: "text"}}})
	text := func(i, k int) string {
		switch k {
		case 0:
			return fmt.Sprintf("name %d \"\\", i/3)
		case 1:
			return fmt.Sprintf("\x00\xff\u202e%d", i%1000)
		}
		return "</script>"
	}
	row := func(i int) (lists [2][]uint64) {
		lists[0] = slices.Repeat([]uint64{math.MaxUint64 - uint64(i%2)}, i%3)
		lists[1] = []uint64{uint64(i) << 12, uint64(i%7) << 61}
		return lists
	}
	const n = 30_000
	for i := range n {
		r, lists := rowAt(i), row(i)
		r.Sets = nil
		var texts []uint64
		for k := range i % 4 {
			texts = append(texts, w.Text([]byte(text(i, k))))
		}
		r.Lists = [][]uint64{lists[0], lists[1], texts}
		w.Row(r)
	}
	_, p := written(t, w, &Document{}, &Meta{})
	var texts []string
	at := 0
	for _, b := range p.Of("rows") {
		var block listBlock
		if err := b.Decode(&block); err != nil {
			t.Fatal(err)
		}
		for _, x := range block.Texts {
			s, ok := x.(string)
			if !ok {
				data, err := hex.DecodeString(x.([]any)[0].(string))
				if err != nil {
					t.Fatal(err)
				}
				s = string(data)
			}
			texts = append(texts, s)
		}
		columns := make(map[string][][]uint64)
		for name, l := range block.Lists {
			counts := rowBlock{Columns: map[string]any{"n": l.N}}
			values := numbers(t, append(l.V, l.D...))
			for i := range values {
				if l.D != nil && i > 0 {
					values[i] += values[i-1]
				}
			}
			for _, c := range counts.values(t, "n", b.Count) {
				k, _ := strconv.Atoi(c)
				columns[name] = append(columns[name], values[:k])
				values = values[k:]
			}
		}
		for i := range b.Count {
			want := row(at + i)
			if !slices.Equal(columns["plain"][i], want[0]) || !slices.Equal(columns["near"][i], want[1]) || len(columns["text"][i]) != (at+i)%4 {
				t.Fatalf("row %d has %v, %v and %d texts, want %v", at+i, columns["plain"][i], columns["near"][i], len(columns["text"][i]), want)
			}
			for k, number := range columns["text"][i] {
				if got, want := texts[number], text(at+i, k); got != want {
					t.Fatalf("row %d has the text %q, want %q", at+i, got, want)
				}
			}
		}
		at += b.Count
	}
	if at != n || w.ListsCut() {
		t.Errorf("%d rows came back, want %d; cut: %v", at, n, w.ListsCut())
	}
}
