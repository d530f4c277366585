package stats_test

import (
	"errors"
	"io"
	"path/filepath"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/stats"
)

// A gathering is what was counted of a capture.
type gathering struct {
	*stats.Gatherer
	list  []*ended
	order map[int][]string // by connection: the names of its RPCs, as they were told
}

// An ended connection, and what was counted of it.
type ended struct {
	*stats.Connection
	id                 int
	up, down           *stats.Calls // to the server, to the client
	toServer, toClient *stats.Sends
	rows               map[string]*stats.Operation
}

func newGathering(t testing.TB) *gathering {
	g := &gathering{order: make(map[int][]string)}
	g.Gatherer = stats.New(func(c *dissect.Connection, of *stats.Connection) {
		e := &ended{
			Connection: of, id: c.ID,
			up: of.CallsOf(c, true), down: of.CallsOf(c, false),
			toServer: of.SendsOf(c, true), toClient: of.SendsOf(c, false),
			rows: byName(t, of.Table.Rows()),
		}
		g.list = append(g.list, e)
	})
	return g
}

// byName are rows by their names, each of which stands once.
func byName(t testing.TB, rows []*stats.Operation) map[string]*stats.Operation {
	t.Helper()
	all := make(map[string]*stats.Operation)
	for _, o := range rows {
		if all[o.Name] != nil {
			t.Errorf("%s has two rows: %+v, %+v", o.Name, all[o.Name].Subject, o.Subject)
		}
		all[o.Name] = o
	}
	return all
}

// RPC also notes the order.
func (g *gathering) RPC(r *dissect.RPC) {
	g.Gatherer.RPC(r)
	g.order[r.Connection.ID] = append(g.order[r.Connection.ID], string(r.AppendName(nil, r.Ops(nil))))
}

// sample counts a capture that ships.
func sample(t testing.TB, name string) *gathering {
	t.Helper()
	g := newGathering(t)
	feed(t, name, g)
	return g
}

// feed dissects a capture that ships.
func feed(t testing.TB, name string, sink dissect.Sink) {
	t.Helper()
	file, err := capture.Open(filepath.Join("..", "..", "samples", name+".pcap.zst"), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	d := dissect.New(sink, dissect.Options{})
	var f capture.Frame
	for {
		err := file.Next(&f)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		d.Frame(&f)
	}
	d.Flush()
}

// tell counts a built conversation of one connection.
func tell(t testing.TB, list build.Frames) (*gathering, *ended) {
	t.Helper()
	g := newGathering(t)
	tellAll(g, []build.Frames{list})
	if len(g.list) != 1 {
		t.Fatalf("%d connections, want 1", len(g.list))
	}
	return g, g.list[0]
}

// tellAll dissects built conversations, one after the other.
func tellAll(sink dissect.Sink, list []build.Frames) {
	d := dissect.New(sink, dissect.Options{})
	number := int64(0)
	for _, frames := range list {
		for _, f := range frames {
			number++
			d.Frame(&capture.Frame{
				Number: number, Time: f.Time.UnixNano(), Link: link.TypeEthernet, Data: f.Data, Length: int32(len(f.Data)),
			})
		}
	}
	d.Flush()
}
