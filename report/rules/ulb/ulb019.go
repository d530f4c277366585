package ulb

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func ulb019() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected, rules.Unpaired)},
		On:          []rules.Event{rules.OnRPC(0, rpc019)},
	}
}

// rpc019 compares the two numbers.
func rpc019(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	h := r.CallHeader()
	if h == nil || h.Program != rpc.ProgramNFS || h.Version != 3 {
		return
	}
	switch h.Procedure {
	case numbers.ProcRead:
		compare019(c, r, r.Reply, "a", readCount, report)
	case numbers.ProcWrite3:
		compare019(c, r, r.Call, "b", writeCount, report)
	}
}

// compare019 reports a message whose count is not the length of its data. At finds the
// count among the bytes of the body, and how far behind it the length is.
func compare019(c *rules.Conn, r *dissect.RPC, m *dissect.Message, letter string, at func(b []byte) (count, length int), report rules.Reporter) {
	if m == nil || !m.HasRPC || r.Call == nil {
		return
	}
	b := m.BodyBytes()
	count, length := at(b)
	if count < 0 || length+xdr.WordSize > len(b) {
		return
	}
	n, size := binary.BigEndian.Uint32(b[count:]), binary.BigEndian.Uint32(b[length:])
	if n == size || c.Opaque(r) || m == r.Reply && !c.Paired(r) || values.Walked(c, m) == nil {
		return // the length is that of the data only where all of the body is as it should be
	}
	if f := report.Part(letter, r, m, ""); f != nil {
		f.Messagef("the %s says that the count is %d, but sends %d bytes of data", c.Sender(m.From), n, size)
		f.See("bytes of the count", n, size)
		f.Body(m, m.Body(), count, xdr.WordSize)
	}
}

// readCount is where READ3res has count and the length of its data, -1 of what has none.
func readCount(b []byte) (count, length int) {
	const status, follows, attributes = 4, 4, 84 // bytes
	if len(b) < status+follows || binary.BigEndian.Uint32(b) != 0 {
		return -1, 0
	}
	count = status + follows
	if binary.BigEndian.Uint32(b[status:]) != 0 {
		count += attributes
	}
	return count, count + 2*xdr.WordSize // eof is between them
}

// writeCount is where WRITE3args has count and the length of its data.
func writeCount(b []byte) (count, length int) {
	const offset, most = 8, 64 // bytes; of a file handle
	if len(b) < xdr.WordSize {
		return -1, 0
	}
	n := binary.BigEndian.Uint32(b)
	if n > most {
		return -1, 0
	}
	count = xdr.WordSize + int(xdr.Padded(n)) + offset
	return count, count + 2*xdr.WordSize // stable is between them
}
