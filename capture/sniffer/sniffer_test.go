package sniffer_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/capture/sniffer"
)

// device is a Port to which frames come as a text says: each word is what one Poll finds.
type device struct {
	polls  []string
	slots  [4][16]byte
	posted []int
	stop   chan struct{}
	closed bool
}

func newDevice(script string) *device {
	return &device{polls: strings.Fields(script), posted: []int{0, 1, 2, 3}, stop: make(chan struct{})}
}

func (d *device) Link() link.Type       { return link.TypeEthernet }
func (d *device) Slots() int            { return len(d.slots) }
func (d *device) Frame(slot int) []byte { return d.slots[slot][:] }
func (d *device) Stop()                 { close(d.stop) }
func (d *device) Close() error          { d.closed = true; return nil }

func (d *device) Post(slot int) error {
	d.posted = append(d.posted, slot)
	return nil
}

// Poll finds the frames that a word has a letter for each, as far as slots are published; - is
// nothing yet, ! a failure.
func (d *device) Poll(list []sniffer.Arrival) (n int, err error) {
	if len(d.polls) == 0 || d.polls[0] == "-" {
		return 0, nil
	}
	word := d.polls[0]
	d.polls = d.polls[1:]
	if word == "!" {
		return 0, errors.New("the device is gone")
	}
	for _, letter := range word {
		if len(d.posted) == 0 {
			break // lost
		}
		slot := d.posted[0]
		d.posted = d.posted[1:]
		d.slots[slot][0] = byte(letter)
		list[n] = sniffer.Arrival{Slot: slot, Length: 1}
		n++
	}
	return n, nil
}

func (d *device) Wait() error {
	if len(d.polls) > 0 {
		d.polls = d.polls[1:] // the - is over
		return nil
	}
	<-d.stop
	return nil
}

// TestSource holds which frames come, and which are the first after a loss (a star).
func TestSource(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"abc - d - - ef", "a b c d e f EOF"},
		{"abcd e f", "a b c d *e f EOF"},         // the last slot was filled: others may have come
		{"abcdefg hi - j", "a b c d *h i j EOF"}, // and did
		{"abcd - - efgh i", "a b c d *e f g h *i EOF"},
		{"ab ! c", "a b the device is gone"},
	} {
		d := newDevice(c.script)
		s := sniffer.New(d)
		var got []string
		for {
			if len(d.polls) == 0 && !s.Ready() {
				s.Stop()
			}
			var f capture.Frame
			err := s.Next(&f)
			if err == io.EOF {
				got = append(got, "EOF")
				break
			}
			if err != nil {
				got = append(got, err.Error())
				break
			}
			mark := ""
			if f.Dropped() {
				mark = "*"
			}
			got = append(got, fmt.Sprintf("%s%c", mark, f.Data[0]))
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%q: %s, want %s", c.script, g, c.want)
		}
		if err := s.Close(); err != nil || !d.closed {
			t.Errorf("%q: Close: %v, %t", c.script, err, d.closed)
		}
	}
}
