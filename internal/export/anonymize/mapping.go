package anonymize

import (
	"bytes"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// A Sort is what something is that is replaced.
type Sort uint8

const (
	Address Sort = iota
	Name
	Handle
	ID
	Opaque // verifiers, stateids, session ids, adapters' GUIDs and the like
	sorts
)

// String is the word for the table after a key.
func (s Sort) String() string {
	return [...]string{Address: "address", Name: "name", Handle: "handle", ID: "id", Opaque: "opaque"}[s]
}

// A Mapping replaces things, the same by the same each time, and remembers what.
type Mapping struct {
	key    *Key
	v4, v6 addresses
	// seen is what was replaced by what.
	seen [sorts]map[string]string
}

// NewMapping is that of a key.
func NewMapping(k *Key) *Mapping {
	m := &Mapping{key: k, v4: newAddresses(k, "ipv4"), v6: newAddresses(k, "ipv6")}
	for i := range m.seen {
		m.seen[i] = make(map[string]string)
	}
	return m
}

// Count is how many different ones of a sort were replaced.
func (m *Mapping) Count(s Sort) int { return len(m.seen[s]) }

// note remembers what was replaced.
func (m *Mapping) note(s Sort, was, is []byte) []byte {
	if _, known := m.seen[s][string(was)]; !known && string(was) != string(is) {
		m.seen[s][string(was)] = string(is)
	}
	return is
}

// address replaces an address of 4, 6 or 16 bytes.
func (m *Mapping) address(b []byte) []byte {
	switch len(b) {
	case 4:
		out := m.v4.ipv4([4]byte(b))
		return m.note(Address, b, out[:])
	case 6:
		out := m.mac([6]byte(b))
		return m.note(Address, b, out[:])
	case 16:
		out := m.v6.ipv6([16]byte(b), &m.v4)
		if isIPv4(b) {
			m.note(Address, b[12:], out[12:])
			return out[:]
		}
		return m.note(Address, b, out[:])
	}
	return m.opaque(Opaque, b)
}

// name replaces text by text of the same length, of letters and digits.
func (m *Mapping) name(b []byte) []byte {
	text := string(b)
	if text == "" || text == "." || text == ".." {
		return b
	}
	if out, ok := m.universal(text); ok {
		return []byte(out)
	}
	return m.note(Name, b, m.other("name", b, func(out, sum []byte) []byte {
		return append(out, strings.ToLower(base32.StdEncoding.EncodeToString(sum[:30]))...)
	}))
}

// opaque replaces bytes by as many. All zeros and all ones mean something (the special stateids, the
// first cookie verifier) and stay.
func (m *Mapping) opaque(s Sort, b []byte) []byte {
	if all(b, 0) || all(b, 0xff) {
		return b
	}
	return m.note(s, b, m.other("opaque", b, func(out, sum []byte) []byte { return append(out, sum...) }))
}

// all reports whether all bytes are that one. (A cutset of bytes.Trim is one of runes, and 0xff is none.)
func all(b []byte, c byte) bool { return bytes.Count(b, []byte{c}) == len(b) }

// other is as many bytes as b has, that are not b, each part of them made of a keyed sum.
func (m *Mapping) other(purpose string, b []byte, part func(out, sum []byte) []byte) []byte {
	var out []byte
	for n := uint32(0); ; n++ {
		var count [4]byte
		binary.BigEndian.PutUint32(count[:], n)
		sum := m.key.sum(purpose, count[:], b)
		out = part(out, sum[:])
		if len(out) < len(b) {
			continue
		}
		if out = out[:len(b):len(b)]; !bytes.Equal(out, b) {
			return out
		}
		out = nil
	}
}

// id replaces the number of a user or group. 0 is root everywhere, and stays.
func (m *Mapping) id(b []byte) []byte {
	if all(b, 0) {
		return b
	}
	return m.note(ID, b, m.other("id", b, func(out, sum []byte) []byte { return append(out, sum...) }))
}

// table is a line for each thing that was replaced, in the order of their text.
func (m *Mapping) table() (lines []string) {
	for s := range sorts {
		for was, is := range m.seen[s] {
			lines = append(lines, fmt.Sprintf("%v %s -> %s", s, shown(s, was), shown(s, is)))
		}
	}
	slices.Sort(lines)
	return lines
}

// shown is a thing as a person writes it.
func shown(s Sort, b string) string {
	switch {
	case s == Name:
		return strconv.Quote(b)
	case s == ID:
		return strconv.FormatUint(uint64(binary.BigEndian.Uint32([]byte(b))), 10)
	case s == Address && len(b) == 6:
		return net.HardwareAddr(b).String()
	case s == Address:
		a, _ := netip.AddrFromSlice([]byte(b))
		return a.Unmap().String()
	}
	return hex.EncodeToString([]byte(b))
}
