package rpcrdma

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/ring"
)

// Purpose says what a requester advertised a segment for.
type Purpose uint8

const (
	ForRead  Purpose = iota // a Read chunk: the responder may read it
	ForWrite                // a Write chunk: the responder may write a result there
	ForReply                // the Reply chunk: the responder may write the reply there
)

// An Offer is all the memory that one call advertised.
type Offer struct {
	// Regions are the segments in the order of the header: Read list, Write
	// list, Reply chunk.
	Regions []Region
	// LongCall is the content of the Position-Zero Read chunk, LongReply that
	// of the Reply chunk, as far as it was seen and at most MaxLong bytes;
	// what was not seen is zero. Region.Seen tells.
	LongCall, LongReply []byte
	// ReadBytes and WriteBytes count what RDMA Reads and Writes moved.
	ReadBytes, WriteBytes uint64
	// Owner is for the caller.
	Owner any

	callFull, replyFull bool // LongCall or LongReply grows no more
}

// MaxLong is how much of a long message is kept, in bytes. Longer ones are
// counted, and decoded as far as this.
const MaxLong = 2 << 20

// Limits on what a ledger keeps and does, whatever it is fed.
const (
	// maxLongs is how many bytes of long messages all offers of ledgers that
	// share a Store keep.
	maxLongs = 16 << 20
	// maxSearch is how many segments with one handle are looked through.
	maxSearch = 1024
	// maxOver is how many segments that are over a ledger remembers.
	maxOver = 4096
	// maxSame is how many segments of one handle Newest and Older go through.
	maxSame = 16
)

// A Ledger ties each RDMA Read and Write of a connection to the segment that
// it served. Handles come back: one may be in several segments of a call, and
// in a later call again, so the newest segment that fits is taken. Of segments whose
// RPC is over it remembers what they were and what ended them.
//
// Operations may be entered later than they were captured, after a gap in the
// PSNs. So what counts is when a segment was advertised and when the operation
// took place, both by Now.
type Ledger struct {
	// Now is when the frame that is entered next was captured, in nanoseconds;
	// the caller sets it.
	Now int64
	// Moved, if it is set, is called for the bytes of each RDMA Read or Write
	// that were captured: they belong into a region of an offer, from its byte
	// at on. They are valid during the call only.
	Moved func(o *Offer, r *Region, at uint64, data []byte)

	newest     map[uint32]*Region // by the handle; made with the first
	last       [2]*Region         // that an operation on the memory of each end touched
	over       ring.Ring[Region]  // those that Retire copied
	advertised int64
	store      *Store
}

// A Store accounts for the bytes of long messages that ledgers keep. The
// ledgers of all connections share one, so that they have a limit together.
type Store struct{ bytes int }

// NewLedger returns an empty ledger that keeps long messages in a store.
func NewLedger(s *Store) *Ledger { return &Ledger{store: s} }

// findRegion returns the newest region of an end with that handle that holds the byte, that
// the operation may be meant for, and that was advertised before it; or else, since a
// capture may have two frames out of order, the newest of all.
func (l *Ledger) findRegion(owner flow.End, handle uint32, offset uint64, write bool) *Region {
	// A newer region with the handle may hold the byte too.
	if r := l.last[owner&1]; r != nil && r.newer == nil && r.Since <= l.Now && r.serves(handle, offset, write) {
		return r
	}
	var newest *Region
	r := l.newest[handle]
	for n := 0; r != nil && n < maxSearch; n, r = n+1, r.older {
		if r.offer == nil || r.Owner != owner || !r.serves(handle, offset, write) {
			continue
		}
		if r.Since <= l.Now {
			l.last[owner&1] = r
			return r
		}
		if newest == nil {
			newest = r
		}
	}
	return newest
}

// serves reports whether the region holds the byte. Addresses have 64 bits and
// go on with 0, as those of an RDMA Write do.
func (r *Region) serves(handle uint32, offset uint64, write bool) bool {
	return r.Handle == handle && offset-r.Offset < uint64(r.Length) && (r.Purpose != ForRead) == write
}

// Ask notes an RDMA Read request on the memory of an end. It returns the offer that it serves, nil if
// no call that was seen advertised the memory, and the region that holds the first
// byte asked for, nil if none does: an operation may run from one region into
// the next, and the offer is that of the last.
func (l *Ledger) Ask(owner flow.End, handle uint32, offset uint64, length uint32) (o *Offer, first *Region) {
	for left := uint64(length); left > 0; {
		r := l.findRegion(owner, handle, offset, false)
		if r == nil {
			break
		}
		if o = r.offer; first == nil {
			first = r
		}
		at, n := r.piece(offset, left)
		r.Asked.Add(at, at+n)
		offset, left = offset+n, left-n
	}
	return o, first
}

// Pull notes bytes that an RDMA Read brought: length on the wire, and those
// of them that were captured. It returns what Ask does.
func (l *Ledger) Pull(owner flow.End, handle uint32, offset uint64, length int, data []byte) (o *Offer, first *Region) {
	return l.move(owner, handle, offset, length, data, false)
}

// Push notes bytes that an RDMA Write placed. It returns what Ask does.
func (l *Ledger) Push(owner flow.End, handle uint32, offset uint64, length int, data []byte) (o *Offer, first *Region) {
	return l.move(owner, handle, offset, length, data, true)
}

// move goes through the segments that an operation covers: with one handle in
// several segments it may run from one into the next.
func (l *Ledger) move(owner flow.End, handle uint32, offset uint64, length int, data []byte, write bool) (o *Offer, first *Region) {
	for left := uint64(length); left > 0; {
		r := l.findRegion(owner, handle, offset, write)
		if r == nil {
			break
		}
		if o = r.offer; first == nil {
			first = r
		}
		at, n := r.piece(offset, left)
		piece := data[:min(n, uint64(len(data)))]
		if r.Purpose == ForReply || r.Purpose == ForRead && r.Position == 0 {
			l.keep(r, at, piece)
		}
		if l.Moved != nil && len(piece) > 0 {
			l.Moved(o, r, at, piece)
		}
		if write {
			o.WriteBytes += n
		} else {
			o.ReadBytes += n
		}
		r.Seen.Add(at, at+uint64(len(piece)))
		data = data[len(piece):]
		offset, left = offset+n, left-n
	}
	return o, first
}

// piece is the part of [offset, offset+left) that lies in the region: its
// place in the region and its length.
func (r *Region) piece(offset, left uint64) (at, n uint64) {
	at = offset - r.Offset
	return at, min(left, uint64(r.Length)-at)
}
