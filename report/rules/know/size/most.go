package size

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// MostHeader is the longest header of an RPC reply that was accepted, in bytes:
// six words and a verifier's body (RFC 5531, sections 8.2 and 9).
const MostHeader = 6*xdr.WordSize + mostVerifier

const mostVerifier = 400

// A bound is the most bytes that a value of a type has, if there is such a number.
type bound struct {
	bytes uint64
	known bool
}

// Most is the most bytes that the results of a call can have outside Write
// chunks, by their type; not known if that sets no limit.
func (v *Estimate) Most(h *rpc.Call, r *dissect.RPC) (size uint64, known bool) {
	b := values.Of(r.Call)
	if b == nil || b.Binding.Result == nil {
		return 0, false
	}
	if v.types == nil {
		v.types = make(map[*types.Type]bound)
	}
	result := b.Binding.Result
	if h.Program == rpc.ProgramNFS && h.Version == 3 && (h.Procedure == numbers.ProcReaddir || h.Procedure == numbers.ProcReaddirplus) {
		const failed = 100 // status and attributes, where there are no entries
		return xdr.WordSize + max(failed, v.readdir3.Number(b, b.Events)+v.readdirplus.Number(b, b.Events)), true
	}
	if values.IsCompound(h) {
		return v.compound(b, result)
	}
	x := v.boundOf(result, 0)
	return x.bytes, x.known
}

// compound adds up the results of the operations that are called, and what stands
// in front of them: the status, the tag of the call and the number of operations.
func (v *Estimate) compound(b *dissect.Body, result *types.Type) (size uint64, known bool) {
	v.results.addResult(result)
	if v.results.operation == nil || len(b.Bytes) < xdr.WordSize {
		return 0, false
	}
	size = 3*xdr.WordSize + xdr.Padded(binary.BigEndian.Uint32(b.Bytes))
	for i := range b.Events {
		e := &b.Events[i]
		if e.Kind != walk.Operation {
			continue
		}
		x := v.operation(e.Value)
		if !x.known {
			return 0, false
		}
		size += xdr.WordSize + x.bytes
	}
	return size, true
}

// results are what is known of the results of operations: of which union they are, and
// the bounds of those that were asked for.
type results struct {
	result, operation *types.Type
	bounds            [128]bound // by the operation's number
	asked             [128]bool
}

// addResult turns to the operations of a result.
func (s *results) addResult(result *types.Type) {
	if s.result != result {
		*s = results{result: result, operation: values.Operations(result)}
	}
}

// operation is the most bytes of the result of an operation.
func (v *Estimate) operation(number uint64) (x bound) {
	s := &v.results
	small := number < uint64(len(s.asked))
	if small && s.asked[number] {
		return s.bounds[number]
	}
	if arm := s.operation.Arm(uint32(number)); arm != nil {
		x = v.boundOf(arm.Type, 0)
	}
	if small {
		s.bounds[number], s.asked[number] = x, true
	}
	return x
}

// deepest is how deep types may nest.
const deepest = 32

// boundOf is the most bytes of a value of a type.
func (v *Estimate) boundOf(t *types.Type, depth int) (x bound) {
	if t == nil || depth > deepest {
		return x
	}
	if x, ok := v.types[t]; ok {
		return x
	}
	x = v.measure(t, depth)
	v.types[t] = x
	return x
}

func (v *Estimate) measure(t *types.Type, depth int) bound {
	switch t.Kind {
	case types.Void:
		return bound{0, true}
	case types.Int, types.UnsignedInt, types.Float, types.Bool, types.Enum:
		return bound{xdr.WordSize, true}
	case types.Hyper, types.UnsignedHyper, types.Double:
		return bound{2 * xdr.WordSize, true}
	case types.Quadruple:
		return bound{4 * xdr.WordSize, true}
	case types.FixedOpaque:
		return bound{xdr.Padded(t.Limit), true}
	case types.Opaque, types.String:
		return bound{xdr.WordSize + xdr.Padded(t.Limit), t.Limit != types.Unlimited}
	case types.FixedArray, types.Array:
		x := v.boundOf(t.Elem, depth+1)
		n := x.bytes * uint64(t.Limit)
		if t.Kind == types.Array {
			n += xdr.WordSize
		}
		return bound{n, x.known && t.Limit != types.Unlimited && x.bytes <= types.Unlimited}
	case types.Optional:
		if t.IsList() {
			return bound{}
		}
		x := v.boundOf(t.Elem, depth+1)
		return bound{xdr.WordSize + x.bytes, x.known}
	case types.Struct:
		sum := bound{known: true}
		for i := range t.Fields {
			x := v.boundOf(t.Fields[i].Type, depth+1)
			sum.bytes, sum.known = sum.bytes+x.bytes, sum.known && x.known
		}
		return sum
	case types.Union:
		most := bound{known: true}
		for i := range t.Fields[1:] {
			x := v.boundOf(t.Fields[1+i].Type, depth+1)
			most.bytes, most.known = max(most.bytes, x.bytes), most.known && x.known
		}
		most.bytes += xdr.WordSize
		return most
	}
	return bound{}
}
