package export

import (
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
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
		case numbers.OpRead:
			h.transfer(current, directionRead, a, b, of)
		case numbers.OpWrite:
			h.transfer(current, directionWrite, a, b, of)
		case numbers.OpReadPlus:
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
	case numbers.OpPutfh:
		return &file{handle: args.bytes(handle)}, saved
	case numbers.OpOpen:
		if name := args.bytes(name); name != "" {
			return &file{name: name}, saved
		} // else the current one is opened
	case numbers.OpLookup, numbers.OpCreate:
		return &file{name: args.bytes(name)}, saved
	case numbers.OpLookupp, numbers.OpOpenattr, numbers.OpPutpubfh, numbers.OpPutrootfh, numbers.OpSecinfo, numbers.OpSecinfoNoName:
		return new(file), saved
	case numbers.OpGetfh:
		current.handle = result.bytes(found)
		h.name(current)
	case numbers.OpSavefh:
		return current, current
	case numbers.OpRestorefh:
		return saved, saved
	}
	return current, saved
}
