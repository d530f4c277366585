package report

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/page"
)

// A rowMaker makes rows of the list of RPCs, one at a time.
type rowMaker struct {
	row    page.Row
	texts  map[string]string // that were made before
	detail []byte
	line   []byte
	sets   [][]uint64
}

// maxTexts bounds the texts that are remembered.
const maxTexts = 4096

// text is octets as a string, the same one for the same octets if it can be.
func (m *rowMaker) text(b []byte) string {
	if s, ok := m.texts[string(b)]; ok {
		return s
	}
	s := string(b)
	if m.texts == nil || len(m.texts) >= maxTexts {
		m.texts = make(map[string]string)
	}
	m.texts[s] = s
	return s
}

// rowOf is the row of an RPC, that h.stats was told last, valid until the next.
func (h *HTML) rowOf(r *dissect.RPC) *page.Row {
	m := &h.row
	m.line = appendStatus(m.line[:0], r)
	status := m.text(m.line)
	m.detail = h.words.appendOperations(m.detail[:0], r)
	if !r.Complete && r.Reply != nil {
		if len(m.detail) > 0 {
			m.detail = append(m.detail, ' ')
		}
		m.detail = append(append(append(m.detail, "[incomplete: "...), r.Missing...), ']')
	}
	row := &m.row
	*row = page.Row{
		Connection: r.Connection.ID, XID: r.XID, Start: h.since(r.Start()), Latency: -1, Reverse: r.Reverse(),
		Name: h.stats.Name(), Status: status, Detail: m.detail, Program: -1, Version: -1, Procedure: -1,
		ReadOctets: r.Offer.ReadOctets, WriteOctets: r.Offer.WriteOctets, Complete: r.Complete,
	}
	h.fillSets(row, r)
	row.Missing = r.Missing
	if ns, ok := r.Latency(); ok {
		row.Latency = ns
	}
	if c := r.CallHeader(); c != nil {
		row.Program, row.Version, row.Procedure = int64(c.Program), int64(c.Version), int64(c.Procedure)
		row.Auth = c.Cred.Flavor.String()
	}
	row.CallLength, row.CallTransfer = half(r.Call)
	row.ReplyLength, row.ReplyTransfer = half(r.Reply)
	if r.Call != nil {
		row.CallFrame = frameOf(r.Call.Frame())
	}
	if r.Reply != nil {
		row.ReplyFrame = frameOf(r.Reply.Frames[0])
	}
	return row
}

// half is the length of one of the two messages as the upper layer saw it, -1 if that
// is not known, and how it travelled.
func half(m *dissect.Message) (length int64, t page.Transfer) {
	if m == nil {
		return -1, page.NoTransfer
	}
	length = int64(m.RPCLength)
	if length == 0 {
		length = -1
	}
	switch m.Transfer {
	case dissect.Chunked:
		return length, page.Chunked
	case dissect.Long:
		return length, page.Long
	}
	return length, page.Inline
}

func frameOf(r flow.Ref) page.Frame { return page.Frame{File: r.File, Number: r.Number} }
