package track_test

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
	"github.com/rdmacap/rdmacap/internal/build"
)

// piece is a Send's DDP segment.
func piece(msn, mo uint32, last bool, text string) build.Untagged {
	return build.Untagged{OpCode: build.RDMAPSend, MSN: msn, MO: mo, Last: last, Payload: []byte(text)}
}

// What no receiver takes becomes no message: the frame that has it is faulty,
// the unit says why, and what is right before and after it is told.
func TestIWARPFaults(t *testing.T) {
	const (
		sequence  = "a DDP segment is out of sequence"
		malformed = "a DDP segment is malformed"
	)
	first := piece(2, 0, false, "front").Bytes()
	change := func(b []byte, at int, v byte) []byte {
		b = slices.Clone(b)
		b[at] = v
		return b
	}
	request := build.Untagged{OpCode: build.RDMAPReadRequest, QN: 1, MSN: 1, Last: true}
	for _, test := range []struct {
		name   string
		ulpdus [][]byte
		fault  string // in the unit, or "" if it is in the DDP segment
		front  string // why the front of a Send is incomplete, "" if there is none
	}{
		{"MSN skipped", [][]byte{piece(3, 0, true, "x").Bytes()}, "MSN 3 where 2 comes next in queue 0", ""},
		{"MSN repeated", [][]byte{piece(1, 0, true, "x").Bytes()}, "MSN 1 where 2 comes next in queue 0", ""},
		{"MSN changes in the middle", [][]byte{first, piece(3, 5, true, "x").Bytes()}, "MSN 3 where 2 comes next in queue 0", sequence},
		{"MO of the first is not 0", [][]byte{piece(2, 4, true, "x").Bytes()}, "MO 4 where 0 comes next in MSN 2", ""},
		{"MO too large", [][]byte{first, piece(2, 6, true, "x").Bytes()}, "MO 6 where 5 comes next in MSN 2", sequence},
		{"MO too small", [][]byte{first, piece(2, 4, true, "x").Bytes()}, "MO 4 where 5 comes next in MSN 2", sequence},
		{"MO 0 again", [][]byte{first, piece(2, 0, true, "x").Bytes()}, "MO 0 where 5 comes next in MSN 2", sequence},
		{"Read Request out of sequence", [][]byte{func() []byte {
			r := request
			r.MSN, r.Payload = 7, build.ReadRequest{Size: 9}.Bytes()
			return r.Bytes()
		}()}, "MSN 7 where 1 comes next in queue 1", ""},
		{"QN of another opcode", [][]byte{build.Untagged{OpCode: build.RDMAPSend, QN: 1, MSN: 2, Last: true}.Bytes()}, "", ""},
		{"QN that there is not", [][]byte{first, build.Untagged{OpCode: build.RDMAPSend, QN: 9, MSN: 2, Last: true}.Bytes()}, "", malformed},
		{"DV 2", [][]byte{change(piece(2, 0, true, "x").Bytes(), 0, 0x42)}, "", ""},
		{"RV 2", [][]byte{change(piece(2, 0, true, "x").Bytes(), 1, 0x83)}, "", ""},
		{"a reserved opcode", [][]byte{first, change(piece(2, 5, true, "x").Bytes(), 1, 0x4f)}, "", malformed},
		{"a tagged Send", [][]byte{build.Tagged{OpCode: build.RDMAPSend, Last: true, Payload: []byte("text")}.Bytes()}, "", ""},
		{"an untagged Write", [][]byte{build.Untagged{OpCode: build.RDMAPWrite, MSN: 2, Last: true, Payload: []byte("text")}.Bytes()}, "", ""},
		{"a Read Request cut short", [][]byte{func() []byte {
			r := request
			r.Payload = make([]byte, 27)
			return r.Bytes()
		}()}, "", ""},
		{"half a header", [][]byte{first, piece(2, 5, true, "x").Bytes()[:9]}, "", malformed},
		{"no ULPDU", [][]byte{first, nil}, "", malformed},
	} {
		for _, crc := range []bool{false, true} {
			t.Run(test.name, func(t *testing.T) {
				c := build.NewIWARP(build.IWARPSetup{CRC: crc})
				c.Connect()
				c.Send(build.ToServer, call(1))
				at := 0
				for _, b := range test.ulpdus {
					at = c.FPDU(build.ToServer, b).First
				}
				for i := range uint32(6) {
					c.FPDU(build.ToServer, piece(10+i, 0, true, "behind it").Bytes())
				}
				var d *recorder
				for _, units := range []bool{false, true} {
					d = recordWith(t, track.Options{Units: units}, c.Frames)
					// Without a CRC it takes what comes after it to tell a
					// malformed segment from a wrong place in the stream.
					i := slices.IndexFunc(d.verdicts, func(v flow.Verdict) bool { return v.Faulty })
					if i < at || i > at+4 || crc && i != at {
						t.Errorf("units %v: frame %d is faulty, want %d", units, i+1, at+1)
					}
				}
				texts := d.texts(0)
				if len(texts) < 1 || texts[0] != string(call(1)) || slices.Contains(texts, "x") || len(d.reads)+len(d.writes)+len(d.data) != 0 {
					t.Errorf("%q, %d Reads, %d Writes", texts, len(d.reads), len(d.writes))
				}
				if n := len(texts) - 1; n < 5 || texts[n] != "behind it" {
					t.Errorf("%d Sends behind it", n)
				}
				front := ""
				for _, m := range d.sends {
					if !m.whole {
						front = m.missing
						if m.bytes != "front" {
							t.Errorf("incomplete: %q", m.bytes)
						}
					}
				}
				if front != test.front {
					t.Errorf("the front is incomplete: %q, want %q", front, test.front)
				}
			})
		}
	}
}

// The fault of a unit that is out of sequence names what should have come.
func TestIWARPSequenceFault(t *testing.T) {
	c := build.NewIWARP(build.IWARPSetup{})
	c.Connect()
	c.Send(build.ToServer, call(1))
	at := c.FPDU(build.ToServer, piece(3, 0, true, "x").Bytes()).First
	next := c.FPDU(build.ToServer, piece(4, 0, true, "y").Bytes()).First
	r := driver{tracker: follow(new(silent), track.Options{Units: true})}
	for i, f := range c.Frames {
		v := r.take(f.Data, f.Length, f.Time.UnixNano())
		want := ""
		if i == at {
			want = "MSN 3 where 2 comes next in queue 0"
		}
		if i >= at && (len(v.Units) != 1 || v.Units[0].Fault != want || v.Faulty != (want != "")) {
			t.Errorf("frame %d of %d: %+v", i, next, v)
		}
	}
}

// A wrong CRC counts where CRCs are in use, and only there.
func TestIWARPWrongCRC(t *testing.T) {
	for _, test := range []struct {
		name  string
		setup build.IWARPSetup
		used  bool
	}{
		{"in use", build.IWARPSetup{CRC: true}, true},
		{"as the client wants", build.IWARPSetup{ClientCRC: true}, true},
		{"in use, with markers", build.IWARPSetup{CRC: true, MarkersToServer: true}, true},
		{"not in use", build.IWARPSetup{}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := build.NewIWARP(test.setup)
			c.Connect()
			c.Send(build.ToServer, call(1))
			c.FPDU(build.ToServer, piece(2, 0, true, "alone").Bytes(), build.WrongCRC())
			c.FPDU(build.ToServer, piece(3, 0, false, "front, ").Bytes())
			c.FPDU(build.ToServer, piece(3, 7, true, "end").Bytes(), build.WrongCRC())
			c.FPDU(build.ToServer, build.Tagged{OpCode: build.RDMAPWrite, Last: true, STag: 5, Payload: memory(5, 0, 9)}.Bytes(), build.WrongCRC())
			c.FPDU(build.ToServer, piece(4, 0, true, "behind it").Bytes())
			d := record(t, c.Frames)
			want, bad := []string{string(call(1)), "alone", "front, end", "behind it"}, int64(0)
			if test.used {
				want, bad = []string{string(call(1)), "behind it"}, 3
			}
			if got := d.texts(0); !slices.Equal(got, want) || (len(d.writes) == 0) != test.used {
				t.Errorf("%q, %d Writes", got, len(d.writes))
			}
			if got := d.only(); got.BadCRC != bad || got.LostInCapture != 0 {
				t.Errorf("%+v", got.Counters)
			}
			for _, m := range d.sends {
				if !m.whole && (m.bytes != "front, " || m.missing != "the CRC of an FPDU is wrong") {
					t.Errorf("%q: %s", m.bytes, m.missing)
				}
			}
			if test.used && len(d.sends) != 3 {
				t.Errorf("%d Sends", len(d.sends))
			}
		})
	}
}

// A marker that leads elsewhere spoils its FPDU alone.
func TestIWARPWrongMarker(t *testing.T) {
	c := build.NewIWARP(build.IWARPSetup{MarkersToServer: true})
	c.Connect()
	c.Send(build.ToServer, call(1))
	c.FPDU(build.ToServer, piece(2, 0, true, string(memory(1, 0, 1000))).Bytes(), build.WrongMarker(0x40))
	for i := range uint32(4) {
		c.FPDU(build.ToServer, piece(3+i, 0, true, string(memory(i, 0, 1000))).Bytes())
	}
	d := record(t, c.Frames)
	if texts := d.texts(0); len(texts) != 5 || texts[1] != string(memory(0, 0, 1000)) {
		t.Errorf("%d Sends, want 5", len(texts))
	}
	faulty := 0
	for _, v := range d.verdicts {
		if v.Faulty {
			faulty++
		}
	}
	if faulty != 1 {
		t.Errorf("%d frames are faulty, want 1", faulty)
	}
}

// Two Reads one after the other name the same sink. What is brought is of the
// one that was asked for, though a request or a response is missing.
func TestIWARPReadsOfOneSink(t *testing.T) {
	c := build.NewIWARP(build.IWARPSetup{})
	c.Connect()
	var frames [][2]int // of the request and the response
	for i := range uint32(60) {
		at := uint64(i) << 16
		r := c.ReadRequestInto(build.ToServer, build.ReadRequest{SinkSTag: 9, SinkTO: 0x100, Size: 100, SourceSTag: 1 + i, SourceTO: at})
		frames = append(frames, [2]int{r.First, c.ReadResponse(r, memory(1+i, at, 100)).First})
	}
	for which, name := range []string{"request", "response"} {
		for lost := range 20 {
			d := record(t, c.Frames.Drop(frames[lost][which]))
			d.placedRight()
			if len(d.data) < 55 {
				t.Errorf("without %s %d: %d Reads are answered", name, lost, len(d.data))
			}
			if t.Failed() {
				t.FailNow()
			}
		}
	}
	d := record(t, c.Frames)
	if d.placedRight(); len(d.data) != 60 {
		t.Errorf("%d Reads are answered", len(d.data))
	}
	// The capture has each response before its request.
	swapped := c.Frames
	for _, f := range frames {
		swapped = swapped.Swap(f[0], f[1])
	}
	d = record(t, swapped)
	if d.placedRight(); len(d.data) != 60 {
		t.Errorf("%d Reads are answered, each before it is asked for", len(d.data))
	}
}
