package rpcrow

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/page/columns"
	"github.com/rdmacap/rdmacap/report/words"
)

// comparer is a sink that makes rows, and keeps what the table of fields says of the same RPCs.
type comparer struct {
	maker *Maker
	store Store
	words words.Words
	block *columns.Gatherer
	table map[string]func(r *dissect.RPC, to *filter.Numbers) // by column
	none  map[string]int64
	want  map[string][]int64
}

func (*comparer) Connection(*dissect.Connection, bool) {}
func (*comparer) Frame(*dissect.FrameView)             {}
func (*comparer) Message(*dissect.Message)             {}

func (x *comparer) RPC(r *dissect.RPC) {
	var row columns.Row
	x.words.Take(r)
	x.maker.Make(&row, r, "", &x.words, &x.store)
	row.Connection = r.Connection.ID
	x.block.Add(&row)
	for name, values := range x.table {
		n := filter.Numbers{Most: 1}
		values(r, &n)
		v := x.none[name]
		if len(n.List) > 0 {
			v = int64(n.List[0])
		}
		x.want[name] = append(x.want[name], v)
	}
}

// TestColumnsAreThoseOfTheTable holds that what every row has anyway, and a field says is in that
// column, is what the table of fields says of the RPC.
func TestColumnsAreThoseOfTheTable(t *testing.T) {
	sets, err := query.NewSets()
	if err != nil {
		t.Fatal(err)
	}
	c := NewColumns(sets, 1)
	x := &comparer{
		maker: c.Maker(), block: columns.NewGatherer(1), table: make(map[string]func(*dissect.RPC, *filter.Numbers)),
		none: make(map[string]int64), want: make(map[string][]int64),
	}
	for _, f := range c.of {
		values := sets.Numbers(f.Name)
		ofConnection := strings.HasPrefix(f.Cell.Column, "connection.") // which the page has elsewhere
		if f.Cell.Form == query.Number && values != nil && f.Cell.Column != "file" && !ofConnection {
			x.table[f.Cell.Column], x.none[f.Cell.Column] = values, f.Cell.None
		}
	}
	if len(x.table) < 8 { // XID, program, version, lengths, …
		t.Fatalf("only %d columns are compared", len(x.table))
	}
	f, err := capture.Open(filepath.Join("..", "..", "..", "samples", "rxe-basic.pcap.zst"), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := dissect.New(x, dissect.Options{})
	for {
		var frame capture.Frame
		if err := f.Next(&frame); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		d.Frame(&frame)
	}
	d.Flush()
	b, _ := x.block.Take()
	var got struct{ Columns map[string]any }
	if err := json.Unmarshal(columns.NewCoder(c.Sets(), c.Lists(), false).Encode(nil, b), &got); err != nil {
		t.Fatal(err)
	}
	for name, want := range x.want {
		for i, v := range want {
			have := got.Columns[name]
			if list, several := have.([]any); several {
				have = list[i]
			}
			if fmt.Sprintf("%.0f", have) != fmt.Sprint(v) {
				t.Errorf("column %s of RPC %d is %v, and the table says %d", name, i, have, v)
				break
			}
		}
	}
}
