package export

import "github.com/rdmacap/rdmacap/dissect/xdr/walk"

// Operations of NFS 4 (RFC 7530, section 16; RFC 8881, section 18; RFC 7862,
// section 15) that move data, or say which file the others are about.
const (
	opCreate        = 6
	opGetFH         = 10
	opLookup        = 15
	opLookupP       = 16
	opOpen          = 18
	opOpenAttr      = 19
	opPutFH         = 22
	opPutPubFH      = 23
	opPutRootFH     = 24
	opRead          = 25
	opRestoreFH     = 31
	opSaveFH        = 32
	opSecInfo       = 33
	opWrite         = 38
	opSecInfoNoName = 52
	opReadPlus      = 68
)

// none is the number of no operation.
const none = ^uint64(0)

// operation is the next operation of a COMPOUND, from the i-th event on: its
// number, and its part. The number is none if there is none.
func (p *part) operation(i int) (number uint64, of part, after int) {
	for i < len(p.events) && p.events[i].Kind != walk.Operation {
		i++
	}
	if i == len(p.events) {
		return none, part{}, i
	}
	number = p.events[i].Value
	first := i + 1
	for i = first; i < len(p.events) && p.events[i].Kind != walk.Operation; i++ {
		if p.events[i].Kind == walk.End {
			break
		}
	}
	return number, part{p.body, p.events[first:i], p.roles}, i
}

// compound goes through the operations of a COMPOUND as its server did, with
// the current and the saved filehandle.
func (h *harvest) compound(args, result part, out outcome) {
	current, saved := new(file), new(file)
	asked, told := 0, 0
	for {
		var number, back uint64
		var a, b part
		number, a, asked = args.operation(asked)
		if number == none {
			break
		}
		back, b, told = result.operation(told)
		of := out
		if of == done && back != number {
			of = unreadable
			if back == none && !result.body.Fault.Bad() && !result.body.Dropped {
				of = notDone // the server did not come to it
			}
		}
		of = b.outcome(of)
		switch number {
		case opRead:
			h.transfer(current, directionRead, a, b, of)
		case opWrite:
			h.transfer(current, directionWrite, a, b, of)
		case opReadPlus:
			h.contents(current, b, of)
		}
		if of == notDone {
			return // nor did it do what follows
		}
		if of == done {
			current, saved = h.step(number, &a, &b, current, saved)
		} else {
			current, saved = new(file), new(file) // as far as one can tell
		}
	}
	if args.body == nil || args.body.Fault.Bad() || args.body.Dropped {
		if out == done {
			out = unreadable
		}
		h.count(out) // for what may be in it
	}
}

// step is what an operation that was done makes of the current and the saved
// filehandle.
func (h *harvest) step(number uint64, args, result *part, current, saved *file) (now, kept *file) {
	switch number {
	case opPutFH:
		return &file{handle: args.bytes(handle)}, saved
	case opOpen:
		if name := args.bytes(name); name != "" {
			return &file{name: name}, saved
		} // else the current one is opened
	case opLookup, opCreate:
		return &file{name: args.bytes(name)}, saved
	case opLookupP, opOpenAttr, opPutPubFH, opPutRootFH, opSecInfo, opSecInfoNoName:
		return new(file), saved
	case opGetFH:
		current.handle = result.bytes(found)
		h.name(current)
	case opSaveFH:
		return current, current
	case opRestoreFH:
		return saved, saved
	}
	return current, saved
}
