package dataset

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// A jsonRow makes rows of the records of package record: of findings and connections, of which there
// are few.
type jsonRow struct {
	row
	buf []byte
	// ends are the client and the server of connections that are not over, by their numbers.
	ends map[string][2]json.RawMessage
}

func newJSONRow() *jsonRow {
	w := &jsonRow{ends: make(map[string][2]json.RawMessage)}
	w.b = &w.buf
	return w
}

// take reads a record and returns its type. If it is to be a row of some columns, the row is in buf.
func (w *jsonRow) take(line []byte, findings, connections []*node) (which string, err error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(line, &members); err != nil {
		return "", err
	}
	w.buf = w.buf[:0]
	switch which, _ = strconv.Unquote(string(members["type"])); which {
	case "finding":
		if ends, ok := w.ends[string(members["connection"])]; ok {
			members["client"], members["server"] = ends[0], ends[1]
		}
		if members["final"] == nil {
			members["final"] = json.RawMessage("true") // only what is over has records
		}
		err = w.members(findings, members)
	case "connection":
		id := string(members["id"])
		if string(members["final"]) != "true" {
			w.ends[id] = [2]json.RawMessage{members["client"], members["server"]}
			return "", nil
		}
		delete(w.ends, id)
		err = w.members(connections, members)
	}
	return which, err
}

func (w *jsonRow) members(fields []*node, members map[string]json.RawMessage) error {
	if fields == nil {
		return nil // nobody wants it
	}
	for _, n := range fields[1:] { // without the capture
		if err := w.value(n, members[n.name]); err != nil {
			return fmt.Errorf("%s: %w", n.name, err)
		}
	}
	return nil
}

func (w *jsonRow) value(n *node, value json.RawMessage) error {
	there := len(value) > 0 && string(value) != "null"
	switch n.kind {
	case ordinal:
		if there {
			*w.b = append(*w.b, value...)
		}
		*w.b = append(*w.b, ' ')
		return nil
	case numbers:
		var list []int64
		if there {
			if err := json.Unmarshal(value, &list); err != nil {
				return err
			}
		}
		w.numbers(list)
		return nil
	}
	if !there {
		w.null()
		return nil
	}
	switch n.kind {
	case document:
		w.text(string(value))
	case truth, number:
		var v any
		if err := json.Unmarshal(value, &v); err != nil {
			return err
		}
		if v, ok := v.(bool); ok {
			w.number(map[bool]int64{true: 1}[v])
			return nil
		}
		v64, err := strconv.ParseInt(string(value), 10, 64)
		w.number(v64)
		return err
	default:
		var s string
		if err := json.Unmarshal(value, &s); err != nil {
			return err
		}
		if n.kind != moment {
			w.text(s)
			return nil
		}
		t, err := time.Parse(time.RFC3339Nano, s)
		w.number(t.UnixNano())
		return err
	}
	return nil
}
