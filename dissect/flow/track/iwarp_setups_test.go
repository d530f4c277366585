package track_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
)

var iwarpSetups = []struct {
	name  string
	setup build.IWARPSetup
}{
	{"siw's default", build.IWARPSetup{}},
	{"revision 1", build.IWARPSetup{Revision: 1}},
	{"plain", build.IWARPSetup{Plain: true}},
	{"no private data", build.IWARPSetup{Client: build.Host{Private: []byte{}}, Server: build.Host{Private: []byte{}}}},
	{"no bytes behind the key", build.IWARPSetup{Plain: true, Client: build.Host{Private: []byte{}}, Server: build.Host{Private: []byte{}}}},
	{"markers to the server", build.IWARPSetup{MarkersToServer: true}},
	{"markers to the client", build.IWARPSetup{MarkersToClient: true}},
	{"markers", build.IWARPSetup{MarkersToServer: true, MarkersToClient: true}},
	{"CRC", build.IWARPSetup{CRC: true}},
	{"CRC, as the client wants", build.IWARPSetup{ClientCRC: true}},
	{"CRC, as the server wants", build.IWARPSetup{ServerCRC: true}},
	{"markers and CRC", build.IWARPSetup{MarkersToServer: true, MarkersToClient: true, CRC: true}},
	{"revision 1 with markers and CRC", build.IWARPSetup{Revision: 1, MarkersToServer: true, MarkersToClient: true, CRC: true}},
	{"IPv6", build.IWARPSetup{Client: build.Host{Addr: build.ClientIPv6}, Server: build.Host{Addr: build.ServerIPv6}}},
	{"VLANs", build.IWARPSetup{VLANs: []build.VLAN{{ID: 7}, {ID: 8}}}},
	{"TSO", build.IWARPSetup{TSO: 65160}},
	{"TSO, markers and CRC", build.IWARPSetup{TSO: 65160, MarkersToServer: true, MarkersToClient: true, CRC: true}},
	{"TSO of 3000 bytes", build.IWARPSetup{TSO: 3000}},
	{"small segments", build.IWARPSetup{MSS: 200}},
	{"FPDUs larger than segments", build.IWARPSetup{MSS: 400, MULPDU: 3000, MarkersToServer: true}},
	{"the largest FPDUs", build.IWARPSetup{MULPDU: 65535, CRC: true}},
	{"sequence numbers wrap", build.IWARPSetup{ClientISN: 1<<32 - 3000, ServerISN: 1<<32 - 5000}},
	{"sequence numbers wrap with the SYN", build.IWARPSetup{ClientISN: 1<<32 - 1, ServerISN: 1<<32 - 2}},
	{"RTR of a Send", build.IWARPSetup{RTR: build.RTRSend}},
	{"RTR of a Write", build.IWARPSetup{RTR: build.RTRWrite}},
	{"RTR of a Read", build.IWARPSetup{RTR: build.RTRRead, MarkersToServer: true}},
	{"peer to peer without RTR", build.IWARPSetup{PeerToPeer: true}},
	{"another port", build.IWARPSetup{Service: 40000}},
	{"the server has the higher port", build.IWARPSetup{Service: 60000, Client: build.Host{Port: 999}}},
	{"both have one port", build.IWARPSetup{Client: build.Host{Port: 20049}}},
}

// The same conversation in every setup: everything is told to the byte, with the
// frames that brought it, and nothing is wrong.
func TestIWARP(t *testing.T) {
	for _, test := range iwarpSetups {
		t.Run(test.name, func(t *testing.T) {
			s := newConversation(test.setup, nil)
			s.Disconnect()
			d := record(t, s.Frames)
			c := d.only()
			s.check(d, true)
			s.clean(d)
			if c.Closing != flow.Disconnected || c.Setup != flow.SetupMPA || !c.Established || !c.RolesKnown || c.ClientEnd != 0 || !c.IWARP() || c.Transport != link.IWARP {
				t.Errorf("%+v", c)
			}
			for e, host := range []build.Host{s.Client, s.Server} {
				if got := c.Ends[e]; got.Addr.String() != host.Addr.String() || got.PrivateData == nil || !bytes.Equal(got.PrivateData, host.Private) {
					t.Errorf("end %d: %+v", e, got)
				}
			}
			if c.Ends[0].Port != s.Client.Port || c.Ends[1].Port != s.IWARP.Service || c.OneWay() {
				t.Errorf("ports %d, %d", c.Ends[0].Port, c.Ends[1].Port)
			}
			if c.First.Number != 1 || c.Last.Number != int64(len(s.Frames)) || c.Before != 3 {
				t.Errorf("frames %d to %d, %d before", c.First.Number, c.Last.Number, c.Before)
			}
		})
	}
}

// clean demands that nothing is noticed of any frame.
func (s *conversation) clean(d *recorder) {
	d.t.Helper()
	c := d.conns[0]
	size := int64(0)
	for i, v := range d.verdicts {
		size += int64(s.Frames[i].Length)
		if i >= 3 && (v.Conn != c || v.From != flow.End(s.Frames[i].Dir)) || v.Faulty || v.Waiting {
			d.t.Errorf("frame %d: %+v", i+1, v)
		}
	}
	if d.notes() != "" {
		d.t.Errorf("notes: %s", d.notes())
	}
	if want := (flow.Counters{Frames: int64(len(s.Frames)), Bytes: size}); c.Counters != want {
		d.t.Errorf("%+v, want %+v", c.Counters, want)
	}
}

// However bytes go into segments, the same is told.
func TestIWARPCuts(t *testing.T) {
	for _, setup := range []build.IWARPSetup{{}, {MarkersToServer: true, MarkersToClient: true, CRC: true}, {MULPDU: 9000}} {
		for name, sizes := range map[string][]int{
			"one byte a segment":        slices.Repeat([]int{1}, 2500),
			"two, then all":             {2},
			"three bytes, then one":     slices.Repeat([]int{3, 1}, 100),
			"17 bytes a segment":        slices.Repeat([]int{17}, 300),
			"several FPDUs, and a half": {4000, 10, 2000, 1},
		} {
			t.Run(name, func(t *testing.T) {
				s := newConversation(setup, func(c *build.IWARP) {
					c.Flush(build.ToServer)
					c.Flush(build.ToClient)
					c.Cut(build.ToServer, sizes...)
					c.Cut(build.ToClient, sizes...)
				})
				s.Disconnect()
				d := record(t, s.Frames)
				s.check(d, false)
				s.clean(d)
			})
		}
	}
}
