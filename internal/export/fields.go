package export

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// A role is what a field of arguments or results means here, in whichever
// version of NFS it is.
type role uint8

const (
	noRole  role = iota
	handle       // of the file that is read or written, or that PUTFH sets
	name         // that is looked up, created or opened
	offset       // where READ and WRITE begin
	written      // the data of WRITE
	found        // the handle that LOOKUP, CREATE or GETFH returned
	read         // the data of READ
	moved        // the count that READ or WRITE returned

	// In READ_PLUS and READDIRPLUS there are several of each, in turn.
	dataOffset
	dataBytes
	holeOffset
	holeLength
	entryName
	entryHandle
	roles
)

// fields are those that are asked for, as package nfs has them.
var fields = map[string]role{
	// RFC 1094
	"readargs.file":         handle,
	"readargs.offset":       offset,
	"readres.readok.data":   read,
	"writeargs.file":        handle,
	"writeargs.offset":      offset,
	"writeargs.data":        written,
	"diropargs.name":        name,
	"diropres.diropok.file": found,
	// RFC 1813
	"READ3args.file.data":                handle,
	"READ3args.offset":                   offset,
	"READ3resok.count":                   moved,
	"READ3resok.data":                    read,
	"WRITE3args.file.data":               handle,
	"WRITE3args.offset":                  offset,
	"WRITE3args.data":                    written,
	"WRITE3resok.count":                  moved,
	"diropargs3.name":                    name,
	"LOOKUP3resok.object.data":           found,
	"CREATE3resok.obj.handle.data":       found,
	"entryplus3.name":                    entryName,
	"entryplus3.name_handle.handle.data": entryHandle,
	// RFC 7530, RFC 8881, RFC 7862
	"PUTFH4args.object":                      handle,
	"GETFH4resok.object":                     found,
	"LOOKUP4args.objname":                    name,
	"CREATE4args.objname":                    name,
	"OPEN4args.claim.file":                   name,
	"OPEN4args.claim.delegate_cur_info.file": name,
	"OPEN4args.claim.file_delegate_prev":     name,
	"READ4args.offset":                       offset,
	"READ4resok.data":                        read,
	"WRITE4args.offset":                      offset,
	"WRITE4args.data":                        written,
	"WRITE4resok.count":                      moved,
	"data4.d_offset":                         dataOffset,
	"data4.d_data":                           dataBytes,
	"data_info4.di_offset":                   holeOffset,
	"data_info4.di_length":                   holeLength,
}

// Bindings are what a Dissector has to decode for Objects.
func Bindings() (*dissect.Bindings, error) {
	b, err := dissect.NewBindings()
	if err != nil {
		return nil, err
	}
	list := make([]string, 0, len(fields))
	for f := range fields {
		list = append(list, f)
	}
	return b, b.Ask(list...)
}

// marks knows the role of each mark of a plan.
type marks struct {
	plan *walk.Plan
	role []role // by mark
}

func (m *marks) rolesOf(b *dissect.Body) []role {
	if p := b.Binding.Plan(); p != m.plan {
		m.plan, m.role = p, make([]role, len(p.Marks))
		for f, r := range fields {
			if i := p.Index(f); i >= 0 {
				m.role[i] = r
			}
		}
	}
	return m.role
}

// A part is a body, or one operation's part of it.
type part struct {
	body   *dissect.Body // nil if it is not there
	events []walk.Event
	roles  []role // by mark
}

// part is all of a message's body.
func (m *marks) part(message *dissect.Message) part {
	if message == nil {
		return part{}
	}
	b := message.Body()
	if b == nil {
		return part{}
	}
	return part{b, b.Events, m.rolesOf(b)}
}

// next is the first value with a role, from the i-th event on; after is the
// event after it. It is nil if there is none.
func (p *part) next(i int, want role) (e *walk.Event, after int) {
	for ; i < len(p.events); i++ {
		if p.is(&p.events[i]) == want {
			return &p.events[i], i + 1
		}
	}
	return nil, i
}

// is the role of an event, noRole if it has none.
func (p *part) is(e *walk.Event) role {
	if e.Kind != walk.Value || e.Mark < 0 {
		return noRole
	}
	return p.roles[e.Mark]
}

// number is the value with a role.
func (p *part) number(want role) (v uint64, ok bool) {
	e, _ := p.next(0, want)
	if e == nil {
		return 0, false
	}
	return e.Value, true
}

// bytes are those of the value with a role, "" if they are not there or
// travelled in a chunk.
func (p *part) bytes(want role) string {
	e, _ := p.next(0, want)
	return p.text(e)
}

func (p *part) text(e *walk.Event) string {
	if e == nil || e.Chunk >= 0 {
		return ""
	}
	return string(p.body.Bytes[e.Offset:][:e.Length])
}
