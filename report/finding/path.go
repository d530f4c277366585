package finding

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A Path is what the frames of a connection show of the network between its ends, as seen
// from where they were captured:
//
//	sender ── lost before ──> capture ── lost after ──> receiver
//
// It grows until the connection is over. Findings about losses share that of their
// connection.
type Path struct {
	Ways [2]Way // by the end that sent what was lost
}

// A Way is one direction of a Path.
type Way struct {
	// Before counts frames that were lost before they reached the capture: each is known
	// by what was sent in its place.
	Before int64
	// After is how often the receiver had to be sent again what the capture has: at least so
	// many frames were lost on their way from the capture to it. Unsure are those among
	// them of which the acknowledgement may have been lost instead, before the capture.
	Behind, Unsure int64
	// Smallest and Largest are the bytes that the lost frames among After carried.
	Smallest, Largest int
	// SmallPassed and LargePassed are how many RPCs had their way after the first loss after the
	// capture and before the last: small ones with frames that carry less than Smallest, large ones with such as were lost.
	SmallPassed, LargePassed int64
	firstBehind              int64 // when, in nanoseconds since 1970
	small, large             int64 // what passed since the last of them
	// Changed counts frames that came to the capture with a wrong check value though others of the same end had a
	// right one: the receiver drops them. Of TCP those count that were sent again.
	Changed int64
	// Overtaken counts frames that were captured after later ones and that the receiver
	// asked for, though they were on their way.
	Overtaken int64
	// Late counts frames that were sent again though the receiver had them, as it says; that
	// took Slowest nanoseconds from the last try on at most, the round trip or longer.
	Late    int64
	Slowest int64
	// Copies counts requests that were sent again sooner than after any time-out, though
	// nobody had asked for them, over InfiniBand.
	Copies int64
	// Again counts the frames that were sent again, for whatever reason.
	Again int64
	// TimeOuts is how often the sender waited in vain and then sent again what nobody had
	// asked for. Longest is the most nanoseconds between two tries, and Outage the most
	// between the first and the last try of one frame, of which there were Tries.
	TimeOuts        int64
	Longest, Outage int64
	Tries           int
	// Unanswered says that nothing answered the last of them.
	Unanswered bool
	// First and Last are when the first and the last of all this showed.
	First, Last flow.Moment
}

// Lost is how many frames were lost, at least.
func (w *Way) Lost() int64 { return w.Before + w.Behind }

// needless reports whether all that was retransmitted had arrived, or was retransmitted before anybody could have missed it.
func (w *Way) needless() bool { return w.Again == w.Late+w.Copies }

// A frame that is retransmitted and again for one NAK after another looks the same whether it was
// lost first or overtaken. Where so many are shown to be overtaken, and so large a part of all
// that came late, the others may have been too. Random loss makes one or two look overtaken.
const (
	manyOvertaken  = 8
	overtakenShare = 3 // one of so many others
)

// Reordered reports whether most of what came late was overtaken.
func (w *Way) Reordered() bool { return w.Overtaken > w.Before }

// MayBeOvertaken reports whether what came late, and is not known to be overtaken, may have been all the same.
func (w *Way) MayBeOvertaken() bool {
	return w.Reordered() || w.Overtaken >= manyOvertaken && overtakenShare*w.Overtaken >= w.Before
}

// At notes that something showed in a frame.
func (w *Way) At(m flow.Moment) {
	if w.First.Time == 0 {
		w.First = m
	}
	w.Last = m
}

// Vain notes that a sender tried once more after a pause, and first tried long before.
func (w *Way) Vain(pause, since int64, tries int) {
	w.TimeOuts++
	w.Longest = max(w.Longest, pause)
	if since >= w.Outage {
		w.Outage, w.Tries = since, tries
	}
}

// Passed notes that an RPC that began then had its way, with frames that carry up to so many bytes.
func (w *Way) Passed(began int64, payload int) {
	switch {
	case w.Behind == 0 || began <= w.firstBehind || w.Smallest == 0:
	case payload >= w.Smallest:
		w.large++
	default:
		w.small++
	}
}

// Advanced notes that the receiver asks for later frames than the last time: those before had their way.
func (w *Way) Advanced() {
	if w.Behind > 0 {
		w.large++
	}
}

// LostBehind notes, at a time, that a frame with so many bytes of payload had to be sent again; 0 if
// that is not known.
func (w *Way) LostBehind(payload int, at int64) {
	if w.Behind == 0 {
		w.firstBehind = at
	} else {
		w.SmallPassed, w.LargePassed = w.SmallPassed+w.small, w.LargePassed+w.large
	}
	w.small, w.large = 0, 0
	if payload > 0 && (w.Smallest == 0 || payload < w.Smallest) {
		w.Smallest = payload
	}
	w.Largest = max(w.Largest, payload)
	w.Behind++
}
