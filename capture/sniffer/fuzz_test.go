package sniffer_test

import (
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/capture/sniffer"
)

// A load is a Port to which frames come as bytes say: each says how many more have come when it is
// polled next, and of how many bytes.
type load struct {
	polls   []byte
	slots   [4][16]byte
	posted  []int
	waiting []sniffer.Arrival // that Poll has not told
	came    int
	numbers []int // of the frames that have a slot, in order
	source  *sniffer.Source
}

func (d *load) Link() link.Type       { return link.TypeEthernet }
func (d *load) Slots() int            { return len(d.slots) }
func (d *load) Frame(slot int) []byte { return d.slots[slot][:] }
func (d *load) Stop()                 {}
func (d *load) Close() error          { return nil }

func (d *load) Post(slot int) error {
	if slices.Contains(d.posted, slot) || slices.ContainsFunc(d.waiting, func(a sniffer.Arrival) bool { return a.Slot == slot }) {
		return errors.New("the device has the slot already")
	}
	d.posted = append(d.posted, slot)
	return nil
}

// Poll has frames come, as far as there are slots for them, and tells some of those that have.
func (d *load) Poll(list []sniffer.Arrival) (n int, err error) {
	if len(d.polls) > 0 {
		say := d.polls[0]
		d.polls = d.polls[1:]
		for range say & 7 {
			d.came++
			if len(d.posted) == 0 {
				continue // lost
			}
			slot := d.posted[0]
			d.posted = d.posted[1:]
			d.numbers = append(d.numbers, d.came)
			d.slots[slot][0] = byte(d.came)
			d.waiting = append(d.waiting, sniffer.Arrival{Slot: slot, Length: 1 + int(say>>3&7)})
		}
	}
	n = copy(list, d.waiting)
	d.waiting = slices.Delete(d.waiting, 0, n)
	return n, nil
}

// Wait has somebody stop it when nothing comes any more.
func (d *load) Wait() error {
	if len(d.polls) == 0 {
		d.source.Stop()
	}
	return nil
}

// FuzzSource reads what comes to a device. Each frame that has a slot is given once, in order;
// where some were lost before it, it says so; and the device gets all slots back.
func FuzzSource(f *testing.F) {
	f.Add([]byte{1, 0, 2, 7, 7, 0, 3})
	f.Add([]byte{4, 4, 12, 0, 63, 1})
	f.Fuzz(func(t *testing.T, polls []byte) {
		if len(polls) > 512 {
			return
		}
		d := &load{polls: polls, posted: []int{0, 1, 2, 3}}
		s := sniffer.New(d)
		d.source = s
		given, before, time := 0, 0, int64(0)
		for {
			var x capture.Frame
			err := s.Next(&x)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			given++
			if given > len(d.numbers) {
				t.Fatalf("%d frames were given, and %d came", given, len(d.numbers))
			}
			number := d.numbers[given-1]
			if x.Number != int64(given) || x.Data[0] != byte(number) || int(x.Length) != len(x.Data) || x.Time < time {
				t.Errorf("frame %d is the %d-th that came: %+v", given, number, x)
			}
			if lost := number > before+1; lost && !x.Dropped() {
				t.Errorf("%d frames were lost before frame %d, and it does not say so", number-before-1, given)
			}
			before, time = number, x.Time
		}
		if given != len(d.numbers) || len(d.posted) != d.Slots() {
			t.Errorf("%d frames of %d were given, and the device has %d slots of %d", given, len(d.numbers), len(d.posted), d.Slots())
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}
