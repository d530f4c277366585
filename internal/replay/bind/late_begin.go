package bind

import (
	"encoding/binary"
	"fmt"
)

// An Own is a call of the replay's own, in the terms of the capture: it is given to a Binder as if
// it had been captured.
type Own struct {
	// What it does, for a person: "EXCHANGE_ID".
	What string
	// Call and Reply are the call, with XID zero, and the reply that the captured server would
	// have given.
	Call, Reply Message
	// Session is the captured session that the call makes; nil if it makes none.
	Session []byte
	// Needed says that the replay has no sense if it fails.
	Needed bool
}

// A Beginning is what a replay does itself.
type Beginning struct {
	// Before are the calls before the first captured one, After those after the last.
	Before, After []Own
	// Assumed says what is taken for granted, and Lacking what is found by no name, a line each.
	Assumed, Lacking []string
}

// Begin makes the beginning that the capture lacks: nothing if it lacks none. Owner names the
// client to the live server, and is to be another one for each replay. Exports say where directories are
// to which no name leads: without them names are followed from the root only where the capture does so.
func (l *Late) Begin(owner string, exports []Export) (*Beginning, error) {
	b := new(Beginning)
	for i, s := range l.order {
		if s.client == nil && len(l.order) == 1 {
			s.client = l.client
		}
		if s.client == nil {
			// Whatever the captured one was, no call names it.
			s.client = binary.BigEndian.AppendUint64(nil, 1<<63+uint64(i))
		}
		of := ""
		if len(l.order) > 1 {
			of = " for the captured session " + shortHandle(string(s.id))
		}
		if err := l.beginSession(b, s, fmt.Sprintf("%s %d", owner, i), of); err != nil {
			return nil, err
		}
	}
	if len(l.order) == 0 || l.names == nil {
		for _, e := range exports {
			if e.Handle != "" {
				return nil, fmt.Errorf("--export %s=%s has no effect: the capture has the start of each session of NFS 4.1 or 4.2", e.Handle, e.Path)
			}
		}
		return b, nil
	}
	if err := l.findHandle(b, exports); err != nil {
		return nil, err
	}
	return b, l.open(b, owner)
}
