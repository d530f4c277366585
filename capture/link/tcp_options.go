package link

import (
	"encoding/binary"
	"encoding/hex"
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// The kinds of TCP options that are read.
const (
	optionEnd           = 0
	optionNoOperation   = 1
	optionMSS           = 2
	optionWindowScale   = 3
	optionSACKPermitted = 4
	optionSACK          = 5
	optionTimestamps    = 8
)

// MaxSACKBlocks is how many blocks of eight bytes fit the options.
const MaxSACKBlocks = 4

// A SACKBlock is a run of bytes that the receiver has, by sequence number: from
// Start up to, and without, End (RFC 2018 section 3).
type SACKBlock struct{ Start, End uint32 }

// tcpOptionsTable is the name of the TCP options. Each is one byte, or has its
// length, itself included, in the second:
//
//	| Kind 1 | Length 1 | Length - 2 bytes |
var tcpOptionsTable = field.Table{Key: "tcp.options", Name: "TCP options", Title: "TCP options", Ref: "RFC 9293 section 3.2"}

// A tcpOption is what is known of one kind of TCP option.
type tcpOption struct {
	kind  uint8
	table field.Table
	// least and most are the lengths that it may have in bytes, every steps
	// bytes; 1 and 1 where it has no Length.
	least, most, step int
	// value is the value of the option's node; it is given a whole option.
	value func(option []byte) string
}

var (
	optionKind   = field.Field{Name: "Kind", Key: "kind", Bit: 0, Width: 8, Doc: "which option it is"}
	optionLength = field.Field{Name: "Length", Key: "len", Bit: 8, Width: 8, Doc: "bytes of the option, all of it"}
)

var tcpOptions = [...]tcpOption{
	{optionEnd, field.Table{Key: "tcp.options.eol", Name: "End of Option List", Title: "End of Option List", Ref: "RFC 9293 section 3.2",
		Fields: []field.Field{optionKind}}, 1, 1, 1, nil},
	{optionNoOperation, field.Table{Key: "tcp.options.nop", Name: "No-Operation", Title: "No-Operation", Ref: "RFC 9293 section 3.2",
		Fields: []field.Field{optionKind}}, 1, 1, 1, nil},
	{optionMSS, field.Table{Key: "tcp.options.mss", Name: "MSS", Title: "Maximum Segment Size", Ref: "RFC 9293 section 3.7.1",
		Fields: []field.Field{optionKind, optionLength,
			{Name: "MSS", Key: "mss_val", Bit: 16, Width: 16, Doc: "largest segment, in bytes, that the sender accepts"},
		}}, 4, 4, 1, summariseNumber16},
	{optionWindowScale, field.Table{Key: "tcp.options.wscale", Name: "Window Scale", Title: "Window Scale", Ref: "RFC 7323 section 2.2",
		Fields: []field.Field{optionKind, optionLength,
			{Name: "shift.cnt", Key: "shift", Bit: 16, Width: 8, Doc: "bits by which the sender's windows are shifted"},
		}}, 3, 3, 1, summariseNumber8},
	{optionSACKPermitted, field.Table{Key: "tcp.options.sack_perm", Name: "SACK-Permitted", Title: "SACK-Permitted", Ref: "RFC 2018 section 2",
		Fields: []field.Field{optionKind, optionLength}}, 2, 2, 1, nil},
	{optionSACK, field.Table{Key: "tcp.options.sack", Name: "SACK", Title: "Selective Acknowledgment", Ref: "RFC 2018 section 3",
		Fields: []field.Field{optionKind, optionLength}}, 10, 2 + 8*MaxSACKBlocks, 8, summariseSACK},
	{optionTimestamps, field.Table{Key: "tcp.options.timestamp", Name: "TSopt", Title: "Timestamps", Ref: "RFC 7323 section 3.2",
		Fields: []field.Field{optionKind, optionLength,
			{Name: "TSval", Key: "tsval", Bit: 16, Width: 32, Doc: "the sender's timestamp clock"},
			{Name: "TSecr", Key: "tsecr", Bit: 48, Width: 32, Doc: "the last TSval received from the peer, with ACK"},
		}}, 10, 10, 1, summariseTimestamps},
}

// otherOption is any other kind of option; its bytes are shown as they are.
var otherOption = tcpOption{table: field.Table{Key: "tcp.options.unknown", Name: "TCP option", Title: "TCP option", Ref: "RFC 9293 section 3.2",
	Fields: []field.Field{optionKind, optionLength}}, least: 2, most: 255, step: 1}

// sackBlockTable is one block of a SACK option.
var sackBlockTable = field.Table{Key: "tcp.options.sack.block", Name: "SACK block", Title: "Block", Ref: "RFC 2018 section 3",
	Fields: []field.Field{
		{Name: "Left Edge", Key: "left", Bit: 0, Width: 32, Doc: "sequence number of the first byte that the receiver has"},
		{Name: "Right Edge", Key: "right", Bit: 32, Width: 32, Doc: "sequence number after the last"},
	}}

// optionTables lists the tables of the TCP options.
func optionTables() []*field.Table {
	var tables []*field.Table
	for i := range tcpOptions {
		tables = append(tables, &tcpOptions[i].table)
	}
	return append(tables, &otherOption.table, &sackBlockTable)
}

// nextOption finds what is known of the option that b begins with, and its length
// in bytes. If it is malformed, c says why, and at is the byte at fault; the
// options after it cannot be found then. b is not empty.
func nextOption(b []byte) (known *tcpOption, size, at int, c faultCode) {
	known = &otherOption
	for i := range tcpOptions {
		if tcpOptions[i].kind == b[0] {
			known = &tcpOptions[i]
			break
		}
	}
	if known.most == 1 {
		return known, 1, 0, noFault
	}
	if len(b) < 2 {
		return known, 1, 0, optionCut
	}
	switch size = int(b[1]); {
	case size < 2:
		return known, size, 1, optionShort
	case size > len(b):
		return known, size, 1, optionBeyond
	case size < known.least || size > known.most || (size-known.least)%known.step != 0:
		return known, size, 1, optionOfNoSize
	}
	return known, size, 0, noFault
}

// options reads the TCP options that begin at at. A receiver skips what it does
// not know, and so it may with one that is malformed; whole says that all of them
// were captured.
func (d *decoder) options(at, size int, whole bool) {
	start := at - tcpSize
	b := d.data[at:min(at+size, len(d.data))]
	for len(b) > 0 && b[0] != optionEnd {
		known, n, wrong, c := nextOption(b)
		if c != noFault {
			if whole {
				d.blame(at+wrong, c)
			}
			return
		}
		switch known.kind {
		case optionTimestamps:
			d.TCP.timestamps(b)
		case optionSACK:
			d.TCP.sack = uint8(at - start)
		}
		b, at = b[n:], at+n
	}
}

// AppendSACK appends the blocks of SACK, in which the sender says what it has of
// the other direction after Ack: MaxSACKBlocks at most. data is what Decode was
// given.
func (p *Packet) AppendSACK(dst []SACKBlock, data []byte) []SACKBlock {
	if p.TCP.sack == 0 {
		return dst
	}
	option := data[int(p.start)+int(p.TCP.sack):]
	for b := option[2:option[1]]; len(b) > 0; b = b[8:] {
		dst = append(dst, SACKBlock{binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])})
	}
	return dst
}

// HasSACK reports whether AppendSACK has blocks to append.
func (p *Packet) HasSACK() bool { return p.TCP.sack != 0 }

// stampsOnly is how many bytes of options nearly every segment of a connection
// has: two of padding, and the time stamps.
const stampsOnly = 12

// onlyStamps reads options of stampsOnly bytes, if they are that.
func (s *Segment) onlyStamps(b []byte) bool {
	if binary.BigEndian.Uint32(b) != optionNoOperation<<24|optionNoOperation<<16|optionTimestamps<<8|10 {
		return false
	}
	s.timestamps(b[2:])
	return true
}

func (s *Segment) timestamps(option []byte) {
	s.HasTSval = true
	s.TSval, s.TSecr = binary.BigEndian.Uint32(option[2:]), binary.BigEndian.Uint32(option[6:])
}

// optionNodes adds the options in data from start to end to the node of all.
func optionNodes(n *field.Node, data []byte, start, end int) {
	at := start
	for at < end {
		known, size, _, c := nextOption(data[at:end])
		if c != noFault {
			break
		}
		o := known.table.Node(data[:at+size], at)
		o.Name = known.table.Title
		switch {
		case known == &otherOption:
			o.Value = "kind " + strconv.Itoa(int(data[at]))
			if size > 2 {
				o.Add(bytesNode(data, at+2, at+size))
			}
		case known.kind == optionSACK:
			for block := at + 2; block < at+size; block += 8 {
				o.Add(sackBlockTable.Node(data, block))
			}
		}
		if known.value != nil {
			o.Value = known.value(data[at : at+size])
		}
		n.Add(o)
		if at += size; known.kind == optionEnd && known != &otherOption {
			break // what follows is padding
		}
	}
	if at < end {
		n.Add(bytesNode(data, at, end))
	}
}

// bytesNode shows bytes as they are.
func bytesNode(data []byte, start, end int) field.Node {
	return field.Node{Name: "Bytes", Value: hex.EncodeToString(data[start:end]), Start: start, End: end}
}

func summariseNumber16(b []byte) string { return strconv.Itoa(int(binary.BigEndian.Uint16(b[2:]))) }

func summariseNumber8(b []byte) string { return strconv.Itoa(int(b[2])) }

func summariseTimestamps(b []byte) string {
	var s Segment
	s.timestamps(b)
	return "TSval " + strconv.FormatUint(uint64(s.TSval), 10) + ", TSecr " + strconv.FormatUint(uint64(s.TSecr), 10)
}

// summariseSACK is how many blocks there are.
func summariseSACK(b []byte) string {
	if n := (len(b) - 2) / 8; n != 1 {
		return strconv.Itoa(n) + " blocks"
	}
	return "1 block"
}
