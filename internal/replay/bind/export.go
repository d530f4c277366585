package bind

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// An Export says where a directory is in the tree that the live server shows by NFS version 4.
type Export struct {
	// Handle is that of the directory in the capture, in hex, or the end of it; "" is the one that
	// no name leads to, if there is one only.
	Handle string
	Path   string
}

// ParseExport reads PATH or HANDLE=PATH.
func ParseExport(text string) (Export, error) {
	handle, path, named := strings.Cut(text, "=")
	if !named || strings.HasPrefix(text, "/") {
		return Export{Path: text}, nil
	}
	if _, err := hex.DecodeString(handle); err != nil || handle == "" {
		return Export{}, fmt.Errorf("%q is not a handle in hex, or the end of one: write PATH or HANDLE=PATH", handle)
	}
	return Export{Handle: strings.ToLower(handle), Path: path}, nil
}

// among is the handle of the export among those to which no name leads; "" if it names none and they are several.
func (e *Export) among(tops []string) (handle string, err error) {
	var found []string
	for _, top := range tops {
		if strings.HasSuffix(hex.EncodeToString([]byte(top)), e.Handle) {
			found = append(found, top)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case e.Handle == "":
		return "", nil
	case len(found) == 0:
		return "", fmt.Errorf("--export %s=%s: no handle without a name is equal to it or ends with it: --dry-run lists them", e.Handle, e.Path)
	}
	return "", fmt.Errorf("--export %s=%s: %d handles end with it", e.Handle, e.Path, len(found))
}
