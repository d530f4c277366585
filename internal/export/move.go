package export

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// Directions of a move.
const (
	directionRead  = "read"
	directionWrite = "write"
)

// A file is what a name or handle stands for in one RPC. Its handle may become
// known only after what was done with it.
type file struct {
	handle string // "" if it is not known
	name   string // "" if none was shown
}

// A move is a range of a file that an RPC read or wrote, as its reply confirmed.
type move struct {
	file           *file
	direction      string
	offset, length uint64
	kind           kind
	// body and at are where the data are; at is nil if that was not captured.
	body *dissect.Body
	at   *walk.Event
}

// A harvest is what an RPC says of files.
type harvest struct {
	moves []move
	named []*file
	// What moved data and is left out: for want of a reply, or since it, or its
	// result, cannot be read.
	unanswered, unreadable int
}

// An outcome is what came of an operation.
type outcome uint8

const (
	done       outcome = iota
	notDone            // the reply says so
	unanswered         // there is no reply
	unreadable         // there is one, but not what it says
)

// count counts an operation that moves data, and reports whether it did.
func (h *harvest) count(o outcome) bool {
	switch o {
	case unanswered:
		h.unanswered++
	case unreadable:
		h.unreadable++
	}
	return o == done
}

// answer is the outcome of a whole RPC, as far as its headers tell.
func answer(r *dissect.RPC) outcome {
	if r.Reply == nil {
		return unanswered
	}
	reply := r.ReplyHeader()
	switch {
	case r.Reply.Header.Proc == rpcrdma.RDMAError, reply != nil && (reply.Denied || reply.Accept != rpc.Success):
		return notDone
	case r.Reply.Body() == nil:
		return unreadable
	}
	return done
}

// outcome is what the part of a result says, if the RPC itself had this one.
func (p *part) outcome(of outcome) outcome {
	if of != done {
		return of
	}
	for i := range p.events {
		switch e := &p.events[i]; {
		case e.Kind != walk.Status:
		case e.OK:
			return done
		default:
			return notDone
		}
	}
	return unreadable
}

// Procedures of NFS 2 (RFC 1094) and NFS 3 (RFC 1813).
const (
	nfs2Lookup = 4
	nfs2Read   = 6
	nfs2Write  = 8
	nfs2Create = 9

	nfs3Lookup      = 3
	nfs3Read        = 6
	nfs3Write       = 7
	nfs3Create      = 8
	nfs3ReadDirPlus = 17

	nfs4Compound = 1
)

// gather takes from an RPC of NFS what it says of files. The moves are valid as
// long as the RPC.
func (m *marks) gather(r *dissect.RPC, call *rpc.Call) (h harvest) {
	args, result := m.part(r.Call), m.part(r.Reply)
	out := answer(r)
	if call.Version == 4 {
		if call.Procedure == nfs4Compound {
			h.compound(args, result, out)
		}
		return h
	}
	out = result.outcome(out)
	switch procedure := [2]uint32{call.Version, call.Procedure}; procedure {
	case [2]uint32{2, nfs2Read}, [2]uint32{3, nfs3Read}:
		h.transfer(&file{handle: args.bytes(handle)}, directionRead, args, result, out)
	case [2]uint32{2, nfs2Write}, [2]uint32{3, nfs3Write}:
		h.transfer(&file{handle: args.bytes(handle)}, directionWrite, args, result, out)
	case [2]uint32{2, nfs2Lookup}, [2]uint32{2, nfs2Create}, [2]uint32{3, nfs3Lookup}, [2]uint32{3, nfs3Create}:
		h.name(&file{handle: result.bytes(found), name: args.bytes(name)})
	case [2]uint32{3, nfs3ReadDirPlus}:
		h.entries(result)
	}
	return h
}

// name notes the name of a file, if both are known.
func (h *harvest) name(f *file) {
	if f.handle != "" && f.name != "" && f.name != "." && f.name != ".." {
		h.named = append(h.named, f)
	}
}

// entries notes the names that READDIRPLUS returned with handles.
func (h *harvest) entries(result part) {
	current := ""
	for i := range result.events {
		switch e := &result.events[i]; result.is(e) {
		case entryName:
			current = result.text(e)
		case entryHandle:
			h.name(&file{handle: result.text(e), name: current})
		}
	}
}

// transfer takes READ or WRITE of a file.
func (h *harvest) transfer(f *file, direction string, args, result part, out outcome) {
	if !h.count(out) {
		return
	}
	t := move{file: f, direction: direction, kind: data}
	from, known := args.number(offset)
	count, counted := result.number(moved)
	t.offset, t.length = from, count
	if direction == directionRead {
		t.body = result.body
		if t.at, _ = result.next(0, read); t.at != nil {
			t.length, counted = uint64(t.at.Length), true
		}
	} else {
		t.body = args.body
		if t.at, _ = args.next(0, written); t.at != nil {
			given := uint64(t.at.Length)
			if result.body.Binding.Version.Number == 2 { // which writes all or fails
				t.length, counted = given, true
			}
			t.length = min(t.length, given) // others may write less
		}
	}
	if !known || !counted {
		h.unreadable++
		return
	}
	h.moves = append(h.moves, t)
}

// contents takes the data and the holes that READ_PLUS returned.
func (h *harvest) contents(f *file, result part, out outcome) {
	if !h.count(out) {
		return
	}
	t := move{file: f, direction: directionRead, body: result.body}
	for i := range result.events {
		e := &result.events[i]
		switch result.is(e) {
		case dataOffset, holeOffset:
			t.offset = e.Value
		case dataBytes:
			t.kind, t.at, t.length = data, e, uint64(e.Length)
			h.moves = append(h.moves, t)
		case holeLength:
			t.kind, t.at, t.length = hole, nil, e.Value
			h.moves = append(h.moves, t)
		}
	}
}
