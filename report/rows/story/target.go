package story

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Target is what a story is about: an RPC by its XID or one of its frames, or a connection.
type Target struct {
	XID        uint32
	Frame      int64 // 0 unless it is given
	File       int   // of the frame
	Connection int   // 0 unless it is given
}

// ParseTarget takes the target off the end of what stands on the command line: an XID, or
// "frame" or "connection" with a number. The rest are captures.
func ParseTarget(args []string) (files []string, t Target, err error) {
	n := len(args)
	if n >= 3 {
		switch word, number := args[n-2], args[n-1]; word {
		case "frame":
			file, frame, several := strings.Cut(number, ".")
			if !several {
				file, frame = "0", number
			}
			if t.Frame, err = strconv.ParseInt(frame, 10, 64); err != nil || t.Frame < 1 {
				return nil, t, fmt.Errorf("%q is not a frame number: they start at 1", number)
			}
			if t.File, err = strconv.Atoi(file); err != nil {
				return nil, t, fmt.Errorf("%q is not a frame of a file, such as 0.12 for the first", number)
			}
			return args[:n-2], t, nil
		case "connection":
			if t.Connection, err = strconv.Atoi(strings.TrimPrefix(number, "#")); err != nil || t.Connection < 1 {
				return nil, t, fmt.Errorf("%q is not a connection number: they start at 1", number)
			}
			return args[:n-2], t, nil
		}
	}
	if n < 2 {
		return nil, t, errors.New("follow needs a capture and what to follow: XID, frame N or connection N")
	}
	last := args[n-1]
	digits, prefixed := strings.CutPrefix(strings.ToLower(last), "0x")
	base := 16
	if !prefixed && len(digits) != 8 {
		base = 10
	}
	xid, err := strconv.ParseUint(digits, base, 32)
	if err != nil {
		return nil, t, fmt.Errorf("%q is not an XID: write 0xb82d105d, or frame N or connection N, after the captures", last)
	}
	t.XID = uint32(xid)
	return args[:n-1], t, nil
}

// String is the target as somebody gives it.
func (t Target) String() string {
	switch {
	case t.Connection > 0:
		return fmt.Sprintf("connection %d", t.Connection)
	case t.Frame > 0:
		if t.File > 0 {
			return fmt.Sprintf("frame %d.%d", t.File, t.Frame)
		}
		return fmt.Sprintf("frame %d", t.Frame)
	}
	return fmt.Sprintf("0x%08x", t.XID)
}
