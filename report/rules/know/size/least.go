package size

import (
	"encoding/binary"
	"math/bits"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// Fields that say how much a call lets the server return.
const (
	readCount      = "READ4args.count"
	readPlusCount  = "READ_PLUS4args.rpa_count"
	readdirMax     = "READDIR4args.maxcount"
	listxattrsMax  = "LISTXATTRS4args.lxa_maxcount"
	read3Count     = "READ3args.count"
	readdir3Count  = "READDIR3args.count"
	readdirplusMax = "READDIRPLUS3args.maxcount"
)

// GetattrRequest are the attributes that a call asks for.
const GetattrRequest = "GETATTR4args.attr_request"

// Fields are what an Estimate reads, for rules.Rule.Fields.
func Fields() []string {
	return []string{readCount, readPlusCount, readdirMax, listxattrsMax, GetattrRequest, read3Count, readdir3Count, readdirplusMax}
}

// read3Rest are the bytes of a READ3res beside its data: status, post_op_attr, count, eof, and
// the length of the data.
const read3Rest = 4 + 88 + 4 + 4 + 4

// An Estimate finds out how large the reply to a call may become. It serves one
// capture.
type Estimate struct {
	read, readPlus, readdir, listxattrs, attributes values.Field
	read3, readdir3, readdirplus                    values.Field
	types                                           map[*types.Type]bound
	results                                         results
}

// estimateSlot is where a Checker keeps one.
const estimateSlot = rules.CaptureSlot[struct{ *Estimate }](rules.KeepsSize)

// Of is the Estimate that the rules of a capture share.
func Of(k *rules.Capture) *Estimate {
	shared := estimateSlot.Of(k)
	if shared.Estimate == nil {
		shared.Estimate = New()
	}
	return shared.Estimate
}

// New returns an Estimate.
func New() *Estimate {
	return &Estimate{
		read: values.FieldOf(readCount), readPlus: values.FieldOf(readPlusCount), readdir: values.FieldOf(readdirMax), listxattrs: values.FieldOf(listxattrsMax),
		attributes: values.FieldOf(GetattrRequest), read3: values.FieldOf(read3Count), readdir3: values.FieldOf(readdir3Count), readdirplus: values.FieldOf(readdirplusMax),
	}
}

// Least is how many bytes of results a call lets the server return outside Write
// chunks, by its arguments alone: the least that its longest reply may need.
// Unbounded is an item without any limit that it asks for, "" if there is none.
// H is the header of the call of r, which is not protected.
func (v *Estimate) Least(h *rpc.Call, r *dissect.RPC) (size uint64, unbounded string) {
	switch {
	case h.Program == rpc.ProgramNFSACL && h.Procedure == numbers.ACLProcGetacl:
		return 0, "an ACL"
	case h.Program != rpc.ProgramNFS || h.Version < 3 || h.Version == 3 && !sized3(h.Procedure):
		return 0, ""
	}
	b := values.Of(r.Call)
	if b == nil {
		return 0, ""
	}
	if h.Version == 3 {
		size = v.readdir3.Number(b, b.Events) + v.readdirplus.Number(b, b.Events)
		if n := v.read3.Number(b, b.Events); n > 0 && r.Call.Header.WriteLength(0) == 0 {
			size += read3Rest + xdr.Padded(n)
		}
		return size, ""
	}
	order := 0
	for i := range b.Events {
		e := &b.Events[i]
		if e.Kind != walk.Operation {
			continue
		}
		events := values.Within(b, i)
		switch e.Value {
		case numbers.OpReaddir:
			size += v.readdir.Number(b, events)
		case numbers.OpListxattrs:
			size += v.listxattrs.Number(b, events)
		case numbers.OpGetxattr:
			unbounded = "an extended attribute"
		case numbers.OpGetattr:
			if name := UnboundedIn(b, v.attributes.In(b, events)); name != "" {
				unbounded = "the attribute " + name
			}
		case numbers.OpRead, numbers.OpReadPlus, numbers.OpReadlink:
			if r.Call.Header.WriteLength(order) == 0 {
				size += v.read.Number(b, events) + v.readPlus.Number(b, events)
			}
			order++
		}
	}
	return size, unbounded
}

// sized3 reports whether a call of a procedure of NFS version 3 says how much it reads.
func sized3(procedure uint32) bool {
	return procedure == numbers.ProcRead || procedure == numbers.ProcReaddir || procedure == numbers.ProcReaddirplus
}

// UnboundedIn is the name of the first attribute in a bitmap whose value has no
// limit, "" if there is none (RFC 8267, section 6.2; RFC 7862, section 12.2.4, for
// security labels). E may be nil.
func UnboundedIn(b *dissect.Body, e *walk.Event) string {
	if e == nil {
		return ""
	}
	mask := b.Bytes[e.Offset : e.Offset+e.Length]
	for word := range min(len(mask)/xdr.WordSize, len(unboundedAttributes{})) {
		if left := binary.BigEndian.Uint32(mask[word*xdr.WordSize:]) & unbounded()[word]; left != 0 {
			return unboundedAttribute(word*32 + bits.TrailingZeros32(left))
		}
	}
	return ""
}

// unboundedAttributes are the attributes whose values have no limit, as a bitmap.
type unboundedAttributes [3]uint32

func unbounded() unboundedAttributes {
	return unboundedAttributes{1<<12 | 1<<24, 1<<(58-32) | 1<<(59-32) | 1<<(62-32), 1<<0 | 1<<(67-64) | 1<<(80-64)}
}

func unboundedAttribute(number int) string {
	switch number {
	case 12:
		return "acl"
	case 24:
		return "fs_locations"
	case 58:
		return "dacl"
	case 59:
		return "sacl"
	case 62:
		return "fs_layout_types"
	case 64:
		return "layout_types"
	case 67:
		return "fs_locations_info"
	case 80:
		return "sec_label"
	}
	return ""
}
