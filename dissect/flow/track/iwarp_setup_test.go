package track_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
	"github.com/rdmacap/rdmacap/internal/build"
)

// Cut the start frames wherever: the connection is the same.
func TestIWARPStartInPieces(t *testing.T) {
	for cut := 1; cut < 32; cut++ {
		c := build.NewIWARP(build.IWARPSetup{MarkersToClient: true})
		c.Handshake()
		for _, d := range []build.Direction{build.ToServer, build.ToClient} {
			c.Cut(d, cut)
			c.Stream(d, c.StartFrame(d).Bytes())
			c.Flush(d)
		}
		c.Send(build.ToServer, call(1))
		c.Send(build.ToClient, reply(1))
		d := record(t, c.Frames)
		got := d.only()
		if got.Setup != flow.SetupMPA || !got.Established || !bytes.Equal(got.Ends[0].PrivateData, c.Client.Private) || len(d.sends) != 2 || got.LostInCapture != 0 {
			t.Errorf("cut at %d: %+v, %d Sends", cut, got, len(d.sends))
		}
	}
}

// A Reply that rejects ends the connection before it begins.
func TestIWARPRejected(t *testing.T) {
	c := build.NewIWARP(build.IWARPSetup{})
	c.Handshake()
	c.Request()
	c.Ack(build.ToClient)
	c.Reject([]byte("go away"))
	c.Close(build.ToServer)
	c.Close(build.ToClient)
	d := record(t, c.Frames)
	got := d.only()
	if got.Closing != flow.Rejected || got.Established || got.Setup != flow.SetupMPA || string(got.Ends[1].PrivateData) != "go away" || len(d.sends) != 0 {
		t.Errorf("%+v, %d Sends", got, len(d.sends))
	}
}

// A start frame or its peer's is not in the capture: what it would have said of
// the FPDUs is found in them, and nothing of them is missing.
func TestIWARPStartLost(t *testing.T) {
	for _, test := range iwarpSetups {
		for name, lost := range map[string][]int{"Request": {3}, "Reply": {5}, "both": {3, 5}} {
			t.Run(test.name+", without "+name, func(t *testing.T) {
				s := newConversation(test.setup, nil)
				for range 5 { // more than a window of frames
					s.say(build.ToServer, memory(1, 0, 900))
					s.say(build.ToClient, memory(1, 0, 900))
				}
				d := record(t, s.Frames.Drop(lost...))
				c := d.only()
				if name != "both" && (c.Setup != flow.SetupMPA || c.ClientEnd != 0 || !c.Established || c.Ends[0].Port != s.Client.Port) {
					t.Errorf("%+v", c)
				}
				// Nobody can know an RTR if neither frame is there.
				if name == "both" && s.RTR == build.RTRSend {
					d.sends = slices.DeleteFunc(d.sends, func(m send) bool { return m.frames[0] < 9 && m.length == 0 })
				}
				if c.Ends[0].Port != s.Client.Port { // a guess
					for i := range d.sends {
						d.sends[i].from = d.sends[i].from.Peer()
					}
					return
				}
				s.check(d, false)
				if c.LostInCapture != int64(len(lost)) {
					t.Errorf("%d frames are missing, want %d", c.LostInCapture, len(lost))
				}
			})
		}
	}
}

// The capture begins late: with the ACK, the start frames, or in the middle.
func TestIWARPLateStart(t *testing.T) {
	for _, test := range iwarpSetups {
		for _, begin := range []int{1, 2, 3} {
			s := newConversation(test.setup, nil)
			d := record(t, s.Frames[begin:])
			if c := d.only(); c.Setup != flow.SetupMPA || c.ClientEnd != 0 || c.LostInCapture != 0 || c.Before != int64(3-begin) {
				t.Errorf("%s, from %d on: %+v", test.name, begin, c)
			}
			s.check(d, false)
		}
		c := build.NewIWARP(test.setup)
		c.Connect()
		begin := len(c.Frames)
		var want []string
		for i := range uint32(20) {
			want = append(want, string(memory(i, 0, 700)))
			c.Send(build.ToServer, memory(i, 0, 700))
			c.Send(build.ToClient, reply(i))
			c.Send(build.ToClient, memory(i, 0, 1400))
		}
		d := record(t, c.Frames[begin:])
		got := d.only()
		from := flow.End(0)
		if got.Ends[0].Port != c.Client.Port {
			from = 1
		}
		if !slices.Equal(d.texts(from), want) || len(d.texts(1-from)) != 40 {
			t.Errorf("%s: %d and %d Sends, want %d and %d", test.name, len(d.texts(from)), len(d.texts(1-from)), 20, 40)
		}
		if got.Setup != flow.SetupInferred || got.LostInCapture != 0 || got.BadCRC != 0 {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

// The ends talk about something else first; then they turn to iWARP.
func TestIWARPAfterStreaming(t *testing.T) {
	for _, service := range []uint16{20049, 4000} {
		for _, begin := range []int{0, 3, 5} {
			for talk := range 4 {
				t.Run(fmt.Sprint("port ", service, ", from ", begin, ", talk ", talk), func(t *testing.T) {
					c := build.NewIWARP(build.IWARPSetup{Service: service})
					c.Handshake()
					for i := range talk {
						c.Segment(build.Direction(i%2), []byte("220 ready to talk about anything\r\n"))
						c.Ack(build.Direction(1 - i%2))
					}
					c.Startup()
					for i := range uint32(3) {
						c.Send(build.ToServer, call(i))
						c.Send(build.ToClient, reply(i))
					}
					d := record(t, c.Frames[begin:])
					if got := d.only(); got.Setup != flow.SetupMPA || len(d.texts(0)) != 3 || len(d.texts(1)) != 3 {
						t.Errorf("%+v, %d Sends", got, len(d.sends))
					}
				})
			}
		}
	}
}

// What is not iWARP is no connection, whatever its port, and is let go of.
func TestNotIWARP(t *testing.T) {
	for _, service := range []uint16{20049, 80} {
		for _, begin := range []int{0, 3} {
			c := build.NewIWARP(build.IWARPSetup{Service: service})
			c.Handshake()
			for range 1500 {
				c.Segment(build.ToServer, []byte("GET /index.html HTTP/1.1\r\nHost: example.net\r\n\r\n"))
				c.Segment(build.ToClient, append([]byte("HTTP/1.1 200 OK\r\n\r\n"), memory(1, 0, 1400)...))
			}
			d := newRecorder(t)
			r := driver{tracker: follow(d, track.Options{})}
			for _, f := range c.Frames[begin:] {
				if v := r.take(f.Data, f.Length, f.Time.UnixNano()); v.Conn != nil || v.Note != flow.InOrder || v.Faulty {
					t.Fatalf("port %d: %+v", service, v)
				}
			}
			got := r.tracker.Census()
			if watched := begin == 3 && service == 20049; got.Kept > 8192 || got.Candidates != 0 && !watched || got.TCP != 1 {
				t.Errorf("port %d, from frame %d on: %+v", service, begin, got)
			}
			r.tracker.Flush()
			if len(d.conns) != 0 {
				t.Errorf("port %d: %d connections", service, len(d.conns))
			}
		}
	}
}

// A snap length that cuts the private data leaves the connection as it is.
func TestIWARPStartCut(t *testing.T) {
	s := newConversation(build.IWARPSetup{}, nil)
	// 66 bytes before the payload, 20 of the frame, 4 of the enhanced setup, 8 of the consumer's.
	for snap := 66; snap <= 100; snap++ {
		d := record(t, s.Frames.Cut(snap))
		if snap < 66+20 {
			continue // what is told is held to the recorder's promises
		}
		c := d.only()
		if c.Setup != flow.SetupMPA || !c.Established || (c.Ends[0].PrivateData != nil) != (snap >= 66+32) {
			t.Errorf("cut at %d: %+v", snap, c)
		}
	}
}
