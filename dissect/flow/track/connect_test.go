package track_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/rocev2"
)

// greet is a call and its reply, each acknowledged.
func greet(c *build.Conversation, id uint32) {
	c.Send(build.ToServer, call(id))
	c.Ack(build.ToClient)
	c.Send(build.ToClient, reply(id))
	c.Ack(build.ToServer)
}

// Of three mounts one after the other, only one end's frames: the DREQ names the
// peer's queue pair, and so says which frames were the connection's. What it
// acknowledges of the other direction is missing from the capture.
func TestOneWayMounts(t *testing.T) {
	var frames build.Frames
	for i := range uint32(3) {
		s := build.NewConversation(build.Setup{
			Client: build.Host{QPN: 0x11 + i, CommID: 100 + i}, Server: build.Host{QPN: 0x21 + i, CommID: 200 + i}})
		s.Connect()
		for id := range uint32(100) {
			greet(s, i*100+id)
		}
		s.Disconnect()
		frames = frames.And(s.Frames.Only(build.ToServer))
	}
	d := record(t, frames)
	if len(d.conns) != 3 || len(d.sends) != 300 {
		t.Fatalf("%d connections, %d Sends; want 3 and 300", len(d.conns), len(d.sends))
	}
	for i, c := range d.conns {
		if c.Setup != flow.SetupCM || c.Closing != flow.Disconnected || c.Frames != 203 || disorder(c) != (flow.Counters{LostInCapture: 100}) {
			t.Errorf("connection %d: set up %v, %v, %+v", i+1, c.Setup, c.Closing, c.Counters)
		}
	}
	for i, m := range d.sends {
		if m.conn != i/100+1 {
			t.Fatalf("Send %d is of connection %d", i, m.conn)
		}
	}
}

// A whole connection, on each of the networks and services that carry one.
func TestConnectTalkDisconnect(t *testing.T) {
	v6 := build.Setup{Client: build.Host{Addr: build.ClientIPv6}, Server: build.Host{Addr: build.ServerIPv6}}
	v1 := v6
	v1.RoCEv1 = true
	for name, test := range map[string]struct {
		setup          build.Setup
		transport      link.Transport
		client, server string
	}{
		"RoCEv2 over IPv4": {build.Setup{}, link.RoCEv2, "192.0.2.2", "192.0.2.1"},
		"RoCEv2 over IPv6": {v6, link.RoCEv2, "2001:db8::2", "2001:db8::1"},
		"RoCEv1":           {v1, link.RoCEv1, "2001:db8::2", "2001:db8::1"},
		"RoCEv1, IPv4":     {build.Setup{RoCEv1: true}, link.RoCEv1, "192.0.2.2", "192.0.2.1"},
		"a VLAN":           {build.Setup{VLANs: []build.VLAN{{ID: 7}}}, link.RoCEv2, "192.0.2.2", "192.0.2.1"},
		"XRC":              {build.Setup{Transport: build.ExtendedReliableConnection}, link.RoCEv2, "192.0.2.2", "192.0.2.1"},
		"PMTU 4096":        {build.Setup{PMTU: 4096}, link.RoCEv2, "192.0.2.2", "192.0.2.1"},
	} {
		t.Run(name, func(t *testing.T) {
			s := build.NewConversation(test.setup)
			s.Connect()
			greet(s, 1)
			s.Disconnect()
			d := record(t, s.Frames)
			c := d.only()
			client, server := c.Client(), c.Server()
			if client.Addr.String() != test.client || server.Addr.String() != test.server || c.Transport != test.transport {
				t.Errorf("%v from %v to %v", c.Transport, client.Addr, server.Addr)
			}
			if client.QPN != 0x11 || server.QPN != 0x12 || !client.HasQPN || !server.HasQPN {
				t.Errorf("queue pairs 0x%x and 0x%x", client.QPN, server.QPN)
			}
			if client.Port != 0x81b0 || server.Port != build.PortNFS || c.Service != "NFS/RDMA" || c.ServiceID != build.IPServiceID(build.PortNFS) {
				t.Errorf("ports %d and %d, service %q (0x%x)", client.Port, server.Port, c.Service, c.ServiceID)
			}
			if !bytes.HasPrefix(client.PrivateData, s.Client.Private) || !bytes.HasPrefix(server.PrivateData, s.Server.Private) {
				t.Errorf("private data %x and %x", client.PrivateData, server.PrivateData)
			}
			if c.Setup != flow.SetupCM || !c.Established || !c.RolesKnown || c.Closing != flow.Disconnected || c.PathMTU != s.PMTU {
				t.Errorf("setup %v, established %v, closing %v, MTU %d", c.Setup, c.Established, c.Closing, c.PathMTU)
			}
			size := int64(0)
			for _, f := range s.Frames {
				size += int64(f.Length)
			}
			if want := (flow.Counters{Frames: int64(len(s.Frames)), Bytes: size}); c.Counters != want {
				t.Errorf("counters %+v, want %+v", c.Counters, want)
			}
			if c.First.Number != 1 || c.Last.Number != int64(len(s.Frames)) || c.LastTime != s.Frames[len(s.Frames)-1].Time.UnixNano() {
				t.Errorf("it spans frames %d to %d", c.First.Number, c.Last.Number)
			}
			if !slices.Equal(d.texts(0), []string{string(call(1))}) || !slices.Equal(d.texts(1), []string{string(reply(1))}) {
				t.Errorf("said %q and %q", d.texts(0), d.texts(1))
			}
			if got := d.notes(); got != "" {
				t.Errorf("notes: %s", got)
			}
		})
	}
}

// Setups of which something is missing, twice there, or out of order. Frames
// 0, 1 and 2 are REQ, REP and RTU; the greeting is 3 to 6; DREQ and DREP 7 and 8.
func TestSetupsAsCaptured(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	greet(s, 1)
	s.Disconnect()
	whole := s.Frames
	both := []string{string(call(1)), string(reply(1))}
	for _, test := range []struct {
		name        string
		frames      build.Frames
		setup       flow.Setup
		established bool
		closing     flow.Closing
		service     string
		notes       string
		said        []string
	}{
		{"as it was", whole, flow.SetupCM, true, flow.Disconnected, "NFS/RDMA", "", both},
		{"the REQ twice", whole.Duplicate(0), flow.SetupCM, true, flow.Disconnected, "NFS/RDMA", "1 twice", both},
		{"the REP twice", whole.Duplicate(1), flow.SetupCM, true, flow.Disconnected, "NFS/RDMA", "2 twice", both},
		{"the REP before the REQ", whole.Swap(0, 1), flow.SetupCM, true, flow.Disconnected, "NFS/RDMA", "", both},
		{"the first Send before the RTU", whole.Swap(2, 3), flow.SetupCM, true, flow.Disconnected, "NFS/RDMA", "", both},
		{"the REP after the first Send", build.Frames{whole[0], whole[3], whole[1], whole[2]}.And(whole[4:]), flow.SetupCM, true, flow.Disconnected, "NFS/RDMA", "", both},
		{"no REQ", whole.Drop(0), flow.SetupCM, true, flow.Disconnected, "", "", both},
		{"no REP", whole.Drop(1), flow.SetupCM, true, flow.Disconnected, "NFS/RDMA", "", both},
		{"no REP and no RTU", whole.Drop(1, 2), flow.SetupCM, false, flow.Disconnected, "NFS/RDMA", "", both},
		{"only the client's frames", whole.Only(build.ToServer), flow.SetupCM, true, flow.Disconnected, "NFS/RDMA", "", both[:1]},
		{"only the server's frames", whole.Only(build.ToClient), flow.SetupCM, true, flow.Disconnected, "", "", both[1:]},
		{"no DREP", whole[:8], flow.SetupCM, true, flow.Disconnected, "NFS/RDMA", "", both},
		{"no DREQ", whole.Drop(7), flow.SetupCM, true, flow.Disconnected, "NFS/RDMA", "", both},
		{"no disconnect", whole[:7], flow.SetupCM, true, flow.Open, "NFS/RDMA", "", both},
		{"the setup alone", whole[:3], flow.SetupCM, true, flow.Open, "NFS/RDMA", "", nil},
		{"the REQ alone", whole[:1], flow.SetupCM, false, flow.Open, "NFS/RDMA", "", nil},
		{"frames of 144 bytes", whole.Cut(144), flow.SetupCM, true, flow.Disconnected, "NFS/RDMA", "", both},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := record(t, test.frames)
			c := d.only()
			if c.Setup != test.setup || c.Established != test.established || c.Closing != test.closing || c.Service != test.service {
				t.Errorf("setup %v, established %v, closing %v, service %q", c.Setup, c.Established, c.Closing, c.Service)
			}
			if got := d.notes(); got != test.notes {
				t.Errorf("notes: %s; want: %s", got, test.notes)
			}
			var said []string
			for _, m := range d.sends {
				said = append(said, m.bytes)
			}
			if !slices.Equal(said, test.said) {
				t.Errorf("said %q, want %q", said, test.said)
			}
			lost := int64(0)
			if len(test.said) == 1 {
				lost = 1 // the Send that was acknowledged to the other direction
			}
			if c.LostInCapture != lost || c.LostOnWire != 0 {
				t.Errorf("%d frames lost in the capture, %d on the wire", c.LostInCapture, c.LostOnWire)
			}
			if n := int64(len(test.frames)); c.Frames != n || c.First.Number != 1 || c.Last.Number != n {
				t.Errorf("%d frames of %d, from %d to %d", c.Frames, n, c.First.Number, c.Last.Number)
			}
			// The same when the capture goes on for long after its end.
			if d := record(t, test.frames.And(pass(300))); len(d.conns) != 1 || len(d.sends) != len(test.said) {
				t.Errorf("with other frames behind it, %d connections and %d Sends", len(d.conns), len(d.sends))
			}
		})
	}
}

// A snap length that cuts the private data leaves nobody to say what it was.
func TestPrivateDataCut(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	for _, n := range []int{144, 200, 256, 300} {
		c := record(t, s.Frames.Cut(n)).only()
		if c.Ends[0].PrivateData != nil || c.Ends[1].PrivateData != nil {
			t.Errorf("cut to %d bytes: private data %x and %x", n, c.Ends[0].PrivateData, c.Ends[1].PrivateData)
		}
		if c.Ends[0].QPN != 0x11 || c.Ends[1].QPN != 0x12 || c.PathMTU != 1024 {
			t.Errorf("cut to %d bytes: queue pairs 0x%x and 0x%x, MTU %d", n, c.Ends[0].QPN, c.Ends[1].QPN, c.PathMTU)
		}
	}
}

func TestRejected(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Request()
	s.Reject(8, nil)
	c := record(t, s.Frames).only()
	if c.Closing != flow.Rejected || c.Established || c.RejectReason != rocev2.RejectReason(8) || c.Frames != 2 {
		t.Errorf("closing %v, established %v, reason %v, %d frames", c.Closing, c.Established, c.RejectReason, c.Frames)
	}
	// The client tries again with the same numbers.
	again := build.NewConversation(build.Setup{Server: build.Host{PSN: 0x777}, Start: s.Start.Add(1e9)})
	again.Connect()
	greet(again, 1)
	d := record(t, s.Frames.And(again.Frames))
	if len(d.conns) != 2 || d.conns[0].Closing != flow.Rejected || !d.conns[1].Established || len(d.sends) != 2 {
		t.Errorf("%d connections, %d Sends", len(d.conns), len(d.sends))
	}
}

// A time-out of the client's or server's connection manager: the message goes
// out again a second later.
func TestSetupSentAgain(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Request()
	s.Wait(1e9)
	s.Connect()
	greet(s, 1)
	d := record(t, s.Frames)
	if c := d.only(); c.Retransmissions != 1 || d.notes() != "1 again" || len(d.sends) != 2 {
		t.Errorf("%d retransmissions, notes %s, %d Sends", c.Retransmissions, d.notes(), len(d.sends))
	}
}

// Queue pair numbers come back: after a disconnect, and where the capture
// lacks the disconnect.
func TestQueuePairsUsedAgain(t *testing.T) {
	first := build.NewConversation(build.Setup{})
	first.Connect()
	greet(first, 1)
	open := first.Frames
	first.Disconnect()
	second := build.NewConversation(build.Setup{Start: first.Start.Add(1e9),
		Client: build.Host{PSN: 0x101010, CommID: 5}, Server: build.Host{PSN: 0x202020, CommID: 6}})
	second.Connect()
	greet(second, 2)
	near := build.NewConversation(build.Setup{Start: first.Start.Add(1e9),
		Client: build.Host{PSN: first.Client.PSN + 1, CommID: 5}, Server: build.Host{PSN: first.Server.PSN, CommID: 6}})
	near.Connect()
	greet(near, 2)
	want := []send{{conn: 1}, {conn: 1, from: 1}, {conn: 2}, {conn: 2, from: 1}}
	for _, test := range []struct {
		name    string
		frames  build.Frames
		closing flow.Closing
		setup   flow.Setup
	}{
		{"after a disconnect", first.Frames.And(second.Frames), flow.Disconnected, flow.SetupCM},
		{"without one", open.And(second.Frames), flow.Replaced, flow.SetupCM},
		{"with the PSNs of before", open.And(near.Frames), flow.Replaced, flow.SetupCM},
		{"after a disconnect, without a setup", first.Frames.And(pass(300), second.Frames[3:]), flow.Disconnected, flow.SetupInferred},
		{"when the first was not set up either", open[3:].And(second.Frames), flow.Replaced, flow.SetupCM},
		{"when the first waits for its other direction", open[3:4].And(second.Frames), flow.Replaced, flow.SetupCM},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := record(t, test.frames)
			if len(d.conns) != 2 {
				t.Fatalf("%d connections, want 2", len(d.conns))
			}
			a, b := d.conns[0], d.conns[1]
			if a.First.Number > b.First.Number {
				a, b = b, a // it was given its number when it was found to be over
			}
			numbers := map[int]int{1: a.ID, 2: b.ID}
			if a.Closing != test.closing || b.Closing != flow.Open || b.Setup != test.setup {
				t.Errorf("the first ends %v, the second %v (set up by %v)", a.Closing, b.Closing, b.Setup)
			}
			want := want
			if test.name == "when the first waits for its other direction" {
				want = slices.Delete(slices.Clone(want), 1, 2)
			}
			if len(d.sends) != len(want) {
				t.Fatalf("%d Sends, want %d", len(d.sends), len(want))
			}
			for i, s := range d.sends {
				if s.conn != numbers[want[i].conn] || s.from != want[i].from || !s.whole {
					t.Errorf("Send %d: connection %d, end %d, whole %v", i, s.conn, s.from, s.whole)
				}
			}
			if a.LostInCapture+b.LostInCapture+a.Retransmissions+b.Retransmissions != 0 {
				t.Errorf("counters %+v and %+v", a.Counters, b.Counters)
			}
		})
	}
}

// Communication IDs come back as well. Two REPs of one client's ID are two
// connections, whose REQs are not in the capture.
func TestCommunicationIDUsedAgain(t *testing.T) {
	first := build.NewConversation(build.Setup{})
	first.Connect()
	second := build.NewConversation(build.Setup{Start: first.Start.Add(1e9), Client: build.Host{QPN: 0x21, PSN: 7}, Server: build.Host{CommID: 9, QPN: 0x22}})
	second.Connect()
	greet(second, 1)
	d := record(t, first.Frames.Drop(0).And(second.Frames.Drop(0)))
	if len(d.conns) != 2 || d.conns[0].Closing != flow.Replaced || d.conns[1].Ends[1].QPN != 0x22 || len(d.sends) != 2 || d.sends[0].conn != 2 {
		t.Errorf("%d connections, %d Sends", len(d.conns), len(d.sends))
	}
}

// A frame that comes long after the disconnect is of no connection.
func TestStale(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	greet(s, 1)
	last := s.Frames[3]
	s.Disconnect()
	d := record(t, s.Frames.And(pass(256), build.Frames{last}))
	if v := d.verdicts[len(d.verdicts)-1]; v.Note != flow.Stale || v.Conn != nil {
		t.Errorf("note %v, connection %v", v.Note, v.Conn)
	}
	d.only()
	// In time, it is a frame sent again.
	d = record(t, s.Frames.And(build.Frames{last}))
	if v := d.verdicts[len(d.verdicts)-1]; v.Conn != d.only() || len(d.sends) != 2 {
		t.Errorf("note %v, connection %v", v.Note, v.Conn)
	}
}

// pass are n frames of no connection: datagrams.
func pass(n int) (frames build.Frames) {
	content := build.RoCE(build.BTH{OpCode: build.UDSendOnly, DestQP: 0x99}, build.DETH{QKey: 1, SrcQP: 2}, build.Payload("hi"))
	for range n {
		frames = append(frames, build.Frame{Data: content, Length: len(content)})
	}
	return frames
}
