package ulb

import (
	"encoding/binary"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
)

// TestBounds fills what is kept for a capture with more than it may hold.
func TestBounds(t *testing.T) {
	const many = 5000
	var known sessions
	var lost slots
	for i := range many {
		var id sessionID
		binary.BigEndian.PutUint32(id[:], uint32(i))
		known.addSession(&session{id: id, response: 4096, backResponse: uint64(i)})
		lost.addSlot(slot{session: id, frame: flow.Ref{Number: int64(i)}})
		lost.used(&use{session: id, connection: 1, time: int64(i)})
	}
	if len(known.known) != mostSessions || known.order.Len() != mostSessions || len(lost.open) != mostSlots || lost.uses.Len() != mostUses {
		t.Errorf("%d sessions in an order of %d, %d slots, %d uses; want %d, %d, %d", len(known.known), known.order.Len(), len(lost.open), lost.uses.Len(),
			mostSessions, mostSlots, mostUses)
	}
	var newest, oldest slot
	binary.BigEndian.PutUint32(newest.session[:], many-1)
	if known.known[newest.session] == nil || lost.after(&newest, 2) == nil || known.known[oldest.session] != nil || lost.after(&oldest, 2) != nil {
		t.Error("not the newest are kept")
	}
	newest.sent = many
	if u := lost.after(&newest, 2); u != nil {
		t.Errorf("a use before the time counts: %+v", u)
	}
	newest.sent = 0
	if u := lost.after(&newest, 1); u != nil {
		t.Errorf("a use on the same connection counts: %+v", u)
	}
	if known.least != 1 {
		t.Errorf("the least limit is %d", known.least)
	}
}

// TestSlotAgain has a slot whose calls fail twice: it is one slot.
func TestSlotAgain(t *testing.T) {
	var s slots
	s.addSlot(slot{slot: 3, xid: 1})
	s.addSlot(slot{slot: 4, xid: 2})
	s.addSlot(slot{slot: 3, xid: 3})
	if len(s.open) != 2 || s.open[1].xid != 3 {
		t.Errorf("slots are %+v", s.open)
	}
}
