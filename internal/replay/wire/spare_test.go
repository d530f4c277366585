package wire_test

import (
	"errors"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// registers counts how often memory is registered on a connection.
type registers struct {
	transport.Connection
	count int
}

func (r *registers) Register(length int, o transport.Registration) (transport.Region, error) {
	r.count++
	return r.Connection.Register(length, o)
}

// TestAhead registers memory ahead: it is what is advertised then, unless another length is asked for, it
// counts against the limit, and makes room where there is none beside it.
func TestAhead(t *testing.T) {
	for _, d := range []transport.Device{fabric.SoftRoCE(), fabric.SoftIWARP()} {
		t.Run(d.Name, func(t *testing.T) {
			client, _ := connect(t, d, 0)
			c := &registers{Connection: client}
			m := wire.NewMemory(c, wire.InvalidationOf(d, true), 5000)
			segments := make([]script.Segment, 6)
			for i := range segments {
				segments[i] = script.Segment{Segment: rpcrdma.Segment{Length: 1000, Offset: uint64(i) << 12}, Purpose: rpcrdma.ForWrite}
			}
			for i := range segments {
				if ahead := m.Ahead(&segments[i]); ahead != (i < 5) {
					t.Fatalf("segment %d is registered ahead: %t", i, ahead)
				}
			}
			if c.count != 5 || m.Used() != 0 {
				t.Errorf("%d registered, %d bytes advertised", c.count, m.Used())
			}
			for _, x := range []struct {
				segment, length, count int
			}{
				{0, 1000, 5}, {1, 1000, 5}, // what was registered
				{2, 1500, 6}, // which does not fit beside the others
				{5, 1000, 7},
			} {
				if _, err := m.Advertise(&segments[x.segment], uint32(x.length), nil); err != nil || c.count != x.count {
					t.Errorf("segment %d with %d bytes: %d were registered, want %d; %v", x.segment, x.length, c.count, x.count, err)
				}
			}
			if _, err := m.Advertise(&segments[3], 1000, nil); !errors.As(err, new(*wire.LimitReached)) || m.Used() != 4500 {
				t.Errorf("beyond the limit: %v, %d used", err, m.Used())
			}
			drain(t, client, m)
		})
	}
}
