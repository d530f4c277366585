package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/blocks"
	"github.com/rdmacap/rdmacap/report/page/columns"
	"github.com/rdmacap/rdmacap/report/page/evidence"
)

// spoolFile is an empty file that goes when the test does.
func spoolFile(t testing.TB) *os.File {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "spool")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// written writes a page and takes it apart.
func written(t testing.TB, w *Writer, d *Document, m *Meta) ([]byte, *blocks.Page) {
	t.Helper()
	w.Close()
	var out bytes.Buffer
	if err := w.Write(&out, d, m); err != nil {
		t.Fatal(err)
	}
	p, err := blocks.Parse(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), p
}

// rowAt is a row whose values tell its index.
func rowAt(i int) *columns.Row {
	return &columns.Row{
		Connection: 1 + i%3, XID: uint32(i) << 8, Start: int64(i) * 1000, Latency: int64(i%7) - 1,
		CallFrame: flow.Ref{Number: int64(i*i%1000 + 1)}, ReplyFrame: flow.Ref{Number: int64(i % 5 * i)},
		Name: fmt.Sprintf("NFS3 %d", i%20), Status: "NFS3_OK", Detail: fmt.Appendf(nil, "0x%08x \"a\\b\" %d", i, i),
		Program: 100003, Version: 3, Procedure: int64(i % 20), Auth: "AUTH_SYS",
		CallLength: 100, ReplyLength: -1, CallTransfer: columns.Inline, ReplyTransfer: columns.Long, ReadBytes: 1 << 40, Complete: i%2 == 0,
		Sets: [][]uint64{{uint64(i % 5)}, slices.Repeat([]uint64{7}, i%3)},
	}
}

type rowBlock struct {
	Columns map[string]any
}

// values are a column of a block, one for each row.
func (b *rowBlock) values(t *testing.T, name string, count int) []string {
	t.Helper()
	switch c := b.Columns[name].(type) {
	case []any:
		if len(c) != count {
			t.Fatalf("column %s has %d values, want %d", name, len(c), count)
		}
		list := make([]string, count)
		for i, v := range c {
			list[i] = fmt.Sprint(v)
		}
		return list
	case nil:
		t.Fatalf("there is no column %s", name)
	default:
		return slices.Repeat([]string{fmt.Sprint(c)}, count)
	}
	return nil
}

// TestRows holds that rows come back as they were, over several blocks.
func TestRows(t *testing.T) {
	w := NewWriter(spoolFile(t), Options{MaxSize: 20e6, Files: 1, Sets: []string{"small", "many"}})
	const n = 2*columns.RowsInBlock + 100
	for i := range n {
		if w.NextRow() != i {
			t.Fatalf("row %d would be %d", i, w.NextRow())
		}
		w.Row(rowAt(i))
	}
	_, p := written(t, w, &Document{Title: "rows"}, &Meta{RPCs: n})
	var meta struct {
		Names  []string
		Sets   [][]json.Number
		Totals struct{ RPCs, Rows, Evidence int }
	}
	if err := p.Of("meta")[0].Decode(&meta); err != nil {
		t.Fatal(err)
	}
	if meta.Totals.RPCs != n || meta.Totals.Rows != n {
		t.Errorf("totals are %+v, want %d rows", meta.Totals, n)
	}
	at, start, frame := 0, int64(0), int64(0)
	for _, b := range p.Of("rows") {
		var r rowBlock
		if err := b.Decode(&r); err != nil {
			t.Fatal(err)
		}
		if b.First != at {
			t.Fatalf("a block begins at %d, want %d", b.First, at)
		}
		if _, one := r.Columns["program"].(json.Number); !one {
			t.Errorf("column program is %v, want one value for all", r.Columns["program"])
		}
		get := func(name string) []string { return r.values(t, name, b.Count) }
		xid, starts, names, details, small, many := get("xid"), get("start"), get("name"), get("detail"), get("small"), get("many")
		frames, replies := get("frame"), get("reply_frame")
		for i := range b.Count {
			want := rowAt(at + i)
			var delta, call, reply int64
			fmt.Sscan(starts[i], &delta)
			fmt.Sscan(frames[i], &call)
			fmt.Sscan(replies[i], &reply)
			start += delta
			frame += call
			if frame != want.CallFrame.Number || frame+reply != want.ReplyFrame.Number {
				t.Fatalf("row %d is of frames %d and %d, want %+v and %+v", at+i, frame, frame+reply, want.CallFrame, want.ReplyFrame)
			}
			var name, s, m int
			fmt.Sscan(names[i], &name)
			fmt.Sscan(small[i], &s)
			fmt.Sscan(many[i], &m)
			if xid[i] != fmt.Sprint(want.XID) || start != want.Start || meta.Names[name] != want.Name || details[i] != string(want.Detail) {
				t.Fatalf("row %d is xid %s, start %d, name %s, detail %q, want %+v", at+i, xid[i], start, meta.Names[name], details[i], want)
			}
			if fmt.Sprint(meta.Sets[s]) != fmt.Sprint(want.Sets[0]) || fmt.Sprint(meta.Sets[m]) != fmt.Sprint(want.Sets[1]) {
				t.Fatalf("row %d has the sets %v and %v, want %v", at+i, meta.Sets[s], meta.Sets[m], want.Sets)
			}
		}
		at += b.Count
	}
	if at != n {
		t.Errorf("%d rows came back, want %d", at, n)
	}
}

// itemOf is evidence of some size.
func itemOf(i int) evidence.Item {
	data := bytes.Repeat([]byte{byte(i), byte(i >> 8), 3, 5}, 40)
	return evidence.Item{
		Row: i, Title: fmt.Sprint("item ", i), Ops: []evidence.Op{{Name: "READ", Status: "NFS3_OK", Detail: "offset 0"}},
		Ladder: &evidence.Ladder{
			Client: "192.0.2.2", Server: "192.0.2.1", Steps: []evidence.Step{{Frame: flow.Ref{Number: int64(i)}, Kind: evidence.StepSend, Text: "Send", Chunk: -1, Message: "call"}},
			Chunks: []evidence.Chunk{{Kind: "read", Label: "Read chunk", Segments: []evidence.Segment{{Handle: 1<<32 - 1, Offset: 1<<64 - 1, Length: 7, Moved: 7}}}},
		},
		Exhibits: []evidence.Exhibit{{Title: "Frame", Frame: flow.Ref{Number: 4}, Bytes: data, Length: 400, Bad: [][2]int{{3, 7}},
			Nodes: []evidence.Node{{Name: "header", End: 8, Children: []evidence.Node{{Name: "field", Value: fmt.Sprint(i), Start: 4, End: 8, Key: "h.f", Fault: "wrong"}}}}}},
	}
}

// TestItems holds that evidence comes back by its number.
func TestItems(t *testing.T) {
	w := NewWriter(spoolFile(t), Options{MaxSize: 20e6, Files: 2})
	const n = 500
	for i := range n {
		if got := w.Item(itemOf(i)); got != i {
			t.Fatalf("item %d has number %d", i, got)
		}
	}
	_, p := written(t, w, &Document{}, &Meta{})
	at := 0
	for _, b := range p.Of("evidence") {
		var list []struct {
			Row    int
			Title  string
			Ladder struct {
				Steps  []blocks.Step
				Chunks []struct {
					Segments []struct{ Handle, Offset json.RawMessage }
				}
			}
			Exhibits []struct {
				Octets string
				Length int
				Nodes  [][]any
				Bad    [][2]int
			}
		}
		if err := b.Decode(&list); err != nil {
			t.Fatal(err)
		}
		if b.First != at || len(list) != b.Count {
			t.Fatalf("a block has %d items from %d on, and says %d from %d on", len(list), at, b.Count, b.First)
		}
		for i := range list {
			x, want := &list[i], itemOf(at+i)
			e := &x.Exhibits[0]
			if x.Row != want.Row || x.Title != want.Title || x.Ladder.Steps[0].F != at+i || x.Ladder.Steps[0].N != 1 || x.Ladder.Steps[0].C != -1 ||
				e.Octets != fmt.Sprintf("%x", want.Exhibits[0].Bytes) || e.Length != 400 || e.Bad[0] != [2]int{3, 7} {
				t.Fatalf("item %d is %+v", at+i, x)
			}
			if s := x.Ladder.Chunks[0].Segments[0]; string(s.Handle) != "4294967295" || string(s.Offset) != `"18446744073709551615"` {
				t.Fatalf("a segment is %s, %s", s.Handle, s.Offset)
			}
			if got := fmt.Sprint(e.Nodes); got != fmt.Sprintf("[[header  0 8   [[field %d 4 8 h.f wrong 0]]]]", at+i) {
				t.Fatalf("the nodes are %s", got)
			}
		}
		at += b.Count
	}
	if at != n || len(p.Of("evidence")) < 2 {
		t.Errorf("%d items came back in %d blocks, want %d in several", at, len(p.Of("evidence")), n)
	}
}
