package values

import (
	"hash/crc32"
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/field"
)

// File names the file that an operation of a call is about, as far as its arguments do: by the
// CRC-32 of the file handle, as rows show it, and the names that are looked up or opened from
// there on: `0x1a2b3c4d "etc/hosts"`. It is "" where they do not. The operation is the Args of a
// dissect.Op, -1 for a procedure that is no COMPOUND: of several files of that it is the first.
func File(call *dissect.Body, operation int) string {
	var x file
	last := len(call.Events)
	if operation >= 0 {
		last = operation + 1 + len(Within(call, operation))
	}
	for i := range call.Events[:last] {
		x.takeField(call, &call.Events[i], operation < 0)
	}
	return x.text()
}

// A file is what arguments say of one.
type file struct {
	handle string // "root" for that of the server
	names  []string
}

// takeField takes the next event; of a procedure the first handle and the first name count.
func (x *file) takeField(b *dissect.Body, e *walk.Event, first bool) {
	switch e.Kind {
	case walk.Operation:
		switch e.Value {
		case numbers.OpPutrootfh:
			x.handle, x.names = "root", nil
		case numbers.OpRestorefh, numbers.OpLookupp, numbers.OpPutpubfh:
			x.handle, x.names = "", nil
		}
	case walk.Value:
		data := Bytes(b, e)
		if data == nil {
			return
		}
		switch what := b.Binding.Plan().Marks[e.Mark]; {
		case isHandle(what):
			if !first || x.handle == "" {
				x.handle, x.names = string(field.AppendHex(nil, uint64(crc32.ChecksumIEEE(data)), 8)), nil
			}
		case isName(what.Type):
			if (!first || len(x.names) == 0) && what.Path != "oldname" { // of RENAME, in another directory
				x.names = append(x.names, string(data))
			}
		}
	}
}

func (x *file) text() string {
	const longest = 64 // bytes of a name that are shown
	if len(x.names) == 0 {
		return x.handle
	}
	name := strings.Join(x.names, "/")
	more := ""
	if len(name) > longest {
		name, more = name[:longest], "..."
	}
	name = strconv.Quote(name) + more
	if x.handle == "" {
		return name
	}
	return x.handle + " " + name
}

// isHandle reports whether a value is a file handle.
func isHandle(m *types.Mark) bool {
	b := m.Type.Bind
	if m.Field != nil {
		b = m.Field.Bind
	}
	return b != nil && b.Kind == types.Handles
}

// isName reports whether values of a type are the names of files in their directory.
func isName(t *types.Type) bool {
	switch t.Name {
	case "filename", "filename3", "component4":
		return true
	}
	return false
}

// Bytes are those of opaque data or a string, nil where they are not inline or not captured.
func Bytes(b *dissect.Body, e *walk.Event) []byte {
	end := uint64(e.Offset) + uint64(e.Length)
	if e.Length == 0 || e.Chunk >= 0 || end > uint64(len(b.Bytes)) {
		return nil
	}
	return b.Bytes[e.Offset:end:end]
}
