package query

import (
	"slices"

	"github.com/rdmacap/rdmacap/filter"
)

// A tsharkName is the name of a field of Wireshark's dissectors.
type tsharkName struct {
	name string
	// ours is our field of the same meaning, "" for none: at each level that has it the
	// name is an alias of it, or is its name.
	ours string
	// hint says elsewhere what to write instead, and how that differs; "" if there is
	// nothing to say but which level has it.
	hint string
}

// tsharkNames are the names of Wireshark's that users of it are most likely to write, by
// protocol.
func tsharkNames() []tsharkName {
	return slices.Concat(tsharkLink(), tsharkTCP(), tsharkInfiniBand(), tsharkCM(), tsharkIWARP(), tsharkRPC(), tsharkNFS(), tsharkNFS3())
}

// aliases gives the fields of a set Wireshark's names. A number without a unit is seconds
// for a name of Wireshark's, as there.
func aliases(s *filter.Set, names []tsharkName) error {
	for _, n := range names {
		i, ok := s.Lookup(n.ours)
		if !ok || n.ours == n.name {
			continue
		}
		kind := s.Fields()[i].Kind
		a := filter.Alias{Name: n.name, Of: n.ours, Seconds: kind == filter.Duration || kind == filter.Time}
		if err := s.Alias(a); err != nil {
			return err
		}
	}
	return nil
}

// hints are what to write instead of Wireshark's names that are of no field.
func hints(names []tsharkName) map[string]string {
	hints := make(map[string]string)
	for _, n := range names {
		if n.hint != "" {
			hints[n.name] = n.hint
		}
	}
	return hints
}
