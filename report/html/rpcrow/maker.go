package rpcrow

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/report/page/columns"
	"github.com/rdmacap/rdmacap/report/words"
)

// A Maker makes rows of the list of RPCs, one at a time, for one shard.
type Maker struct {
	columns *Columns
	lists   *listColumns
	store   *Store
	texts   map[string]string // that were made before
	detail  []byte
	line    []byte
	sets    [][]uint64
	numbers []filter.Numbers // one for each
}

// Maker returns a Maker of rows with the columns.
func (c *Columns) Maker() *Maker {
	m := &Maker{columns: c, lists: new(listColumns), numbers: make([]filter.Numbers, len(c.sets)), sets: make([][]uint64, len(c.sets))}
	if c.from != nil {
		m.lists = newListColumns(c.from, c.of)
	}
	m.lists.number(func(text []byte) uint64 { return m.store.text(text) })
	return m
}

// maxTexts bounds the texts that are remembered.
const maxTexts = 4096

// text is bytes as a string, the same one for the same bytes if it can be.
func (m *Maker) text(b []byte) string {
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

// Make makes the row of an RPC that people call by a name. What the row refers to is in the Store.
func (m *Maker) Make(row *columns.Row, r *dissect.RPC, name string, w *words.Words, to *Store) {
	m.store = to
	m.line = words.AppendStatus(m.line[:0], r)
	status := m.text(m.line)
	m.detail = w.AppendOperations(m.detail[:0], r)
	if !r.Complete && r.Reply != nil {
		if len(m.detail) > 0 {
			m.detail = append(m.detail, ' ')
		}
		m.detail = append(append(append(m.detail, "[incomplete: "...), r.Missing...), ']')
	}
	if bad := r.Undecodable(); bad != "" {
		if len(m.detail) > 0 {
			m.detail = append(m.detail, ' ')
		}
		m.detail = append(append(append(m.detail, '['), bad...), ']')
	}
	*row = columns.Row{
		XID: r.XID, Start: r.Start(), Latency: -1, Reverse: r.Reverse(),
		Name: name, Status: status, Detail: to.copied(m.detail), Program: -1, Version: -1, Procedure: -1,
		ReadBytes: r.Offer.ReadBytes, WriteBytes: r.Offer.WriteBytes, Complete: r.Complete,
	}
	m.fill(row, r)
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
		row.CallFrame = r.Call.Frame()
	}
	if r.Reply != nil {
		row.ReplyFrame = r.Reply.Frames[0]
	}
}

// fill gives a row the values of its columns of sets and of lists.
func (m *Maker) fill(row *columns.Row, r *dissect.RPC) {
	for i := range m.columns.sets {
		n := &m.numbers[i]
		m.sets[i] = nil
		if c := &m.columns.sets[i]; c.has == nil || c.has(r) {
			c.values(r, n)
			m.sets[i] = n.List
		}
	}
	row.Sets = m.store.copiedCells(m.sets)
	row.Lists = m.store.copiedCells(m.lists.of(r))
}

// half is the length of one of the two messages as the upper layer saw it, -1 if that
// is not known, and how it travelled.
func half(m *dissect.Message) (length int64, t columns.Transfer) {
	if m == nil {
		return -1, columns.NoTransfer
	}
	length = int64(m.RPCLength)
	if length == 0 {
		length = -1
	}
	switch m.Transfer {
	case dissect.Chunked:
		return length, columns.Chunked
	case dissect.Long:
		return length, columns.Long
	}
	return length, columns.Inline
}
