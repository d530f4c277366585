package types

import (
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
)

// BindKind is what an item is that one side of a conversation gives and the other repeats,
// so that it has other bytes with another server; the @bind note names it.
type BindKind uint8

const (
	NotBound BindKind = iota
	// Handles are filehandles.
	Handles
	// Stateids are a struct of a sequence number and opaque[n].
	Stateids
	// Clients, Sessions and Verifiers are given by the server as they are.
	Clients
	Sessions
	Verifiers
	// Cookies say where a listing goes on, within one directory.
	Cookies
	// Slots are those of a session.
	Slots
	// Devices are of pNFS.
	Devices
	// Owners name a client; it chooses them.
	Owners
	// Sequences count calls that succeeded, Seqids all calls but those that
	// failed with a status that is @unsequenced.
	Sequences
	Seqids
	// ElementNames name the element of a list that they stand in.
	ElementNames
)

// bindKinds are the kinds by the names that notes give them.
var bindKinds = [...]string{
	NotBound: "none", Handles: "handle", Stateids: "stateid", Clients: "client", Sessions: "session",
	Verifiers: "verifier", Cookies: "cookie", Slots: "slot", Devices: "device", Owners: "owner", Sequences: "sequence",
	Seqids: "seqid", ElementNames: "name",
}

// String is the name that @bind gives it.
func (k BindKind) String() string { return bindKinds[k] }

// A Bind says that an item is bound to one server or client.
type Bind struct {
	Kind BindKind
	// By are the fields of the same Struct that say what is counted, by their index:
	// session and slot of a sequence number.
	By []int
}

// fits reports whether an item of a type can be of the kind.
func (k BindKind) fits(t *Type) bool {
	opaque := t.Kind == Opaque || t.Kind == FixedOpaque || t.Kind == String
	word := t.Kind == UnsignedInt || t.Kind == UnsignedHyper || t.Kind == Int || t.Kind == Hyper
	switch k {
	case NotBound:
		return true
	case Stateids:
		return t.Kind == Struct && t.Fixed && len(t.Fields) == 2 &&
			t.Fields[0].Type.Kind == UnsignedInt && t.Fields[1].Type.Kind == FixedOpaque
	case Handles, Devices:
		return opaque
	case Owners, ElementNames:
		return t.Kind == Opaque || t.Kind == String
	case Sequences, Seqids:
		return t.Kind == UnsignedInt
	}
	return opaque || word
}

// bind reads a @bind note about values of a type; in is the struct whose field it stands
// at, nil for one at a type.
func (r *resolver) bind(t, in *Type, n syntax.Note) (*Bind, error) {
	name := n.Args[0]
	i := slices.Index(bindKinds[:], name.Text)
	if i < 0 {
		return nil, fault(name.Place, "@bind does not know "+name.Text+syntax.DidYouMean(name.Text, bindKinds[:])+" (it knows "+strings.Join(bindKinds[:], ", ")+")")
	}
	b := &Bind{Kind: BindKind(i)}
	on := t
	if t.Kind == Optional {
		on = t.Elem
	}
	if !b.Kind.fits(on) {
		return nil, fault(name.Place, t.String()+" cannot be a "+name.Text)
	}
	counts := b.Kind == Sequences || b.Kind == Seqids
	switch by := n.Args[1:]; {
	case counts && (len(by) == 0 || in == nil || in.Kind != Struct):
		return nil, fault(name.Place, "a "+name.Text+" belongs in a struct, next to a field that says what it counts")
	case !counts && len(by) > 0:
		return nil, fault(by[0].Place, "only a sequence or seqid is bound by a field")
	}
	for _, arg := range n.Args[1:] {
		at := in.position(arg.Text)
		if at < 0 {
			return nil, fault(arg.Place, in.String()+" has no field "+arg.Text+syntax.DidYouMean(arg.Text, in.fieldNames()))
		}
		b.By = append(b.By, at)
	}
	return b, nil
}
