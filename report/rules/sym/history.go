package sym

import (
	"slices"

	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/pasts"
)

const mostLosses = 64 // of the connections between two peers

// A past is what is known of the connections between two peers.
type past struct {
	// last is the newest connection that was lost with calls unanswered, with end 0 if none
	// was.
	last loss
	// losses are the times of the newest ones.
	losses rules.Ring[int64]
	// common is what the losses of a storm had in common so far: XIDs of calls unanswered, and whether the client
	// refused the first reply.
	common loss
	// reported is when a storm was told last.
	reported int64
	// left is how the newest connection ended amid work that did, zero if none did.
	left departure
	// declined is what the server refused, of SYM-004; worked says that it answered another call.
	declined []declined
	worked   bool
	// rejected are the series of connections that were rejected, held those that came about.
	rejected []series
	held     rules.Ring[held]
}

// A loss is the end of a connection that left calls unanswered.
type loss struct {
	end  int64
	xids []uint32
	// refused says that the client refused the first reply, and so all that were sent.
	refused bool
}

// history has the pasts of all peers of a capture.
type history struct {
	pasts pasts.Table[pasts.Peers, past]
	ends  askedEnds // SYM-004
}

// historySlot is where CrossConnection keeps it.
const historySlot = rules.CrossSlot[history](rules.KeepsSYM)

// lost notes a loss, and returns how many there were within a time before that, this one
// included.
func (p *past) lost(at, within int64) (n int) {
	*p.losses.Add(mostLosses) = at
	for x := range p.losses.All() {
		if at-*x >= 0 && at-*x <= within {
			n++
		}
	}
	return n
}

// share notes what a loss has in common with those before; n counts them, this one included.
func (p *past) share(l loss, n int) {
	if n <= 1 {
		p.common = loss{xids: slices.Clone(l.xids), refused: l.refused}
		return
	}
	p.common.refused = p.common.refused && l.refused
	p.common.xids = slices.DeleteFunc(p.common.xids, func(x uint32) bool { return !slices.Contains(l.xids, x) })
}

// due reports whether a storm is to be told now: none was within a time before.
func (p *past) due(now, within int64) bool {
	if p.reported != 0 && now-p.reported <= within {
		return false
	}
	p.reported = now
	return true
}
