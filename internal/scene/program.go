package scene

import (
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// programCB is the number that Linux gives the program of NFS version 4 which
// the server calls.
const programCB = 0x40000000

// program is the number of a program by the name that a text calls it.
func program(name string) (number uint32, ok bool) {
	switch name {
	case "NFS":
		return 100003, true
	case "MOUNT":
		return 100005, true
	case "NLM":
		return 100021, true
	case "NSM":
		return 100024, true
	case "NFSACL":
		return 100227, true
	case "RPCBIND":
		return 100000, true
	case "CB":
		return programCB, true
	}
	return 0, false
}

// procedure takes a program with its version and a procedure: NFS3 READ.
func (c *cursor) procedure(spec *types.Spec) *types.Procedure {
	w := c.word("a program")
	name := strings.TrimRight(w, "0123456789")
	number, known := program(name)
	version, err := strconv.ParseUint(w[len(name):], 10, 8)
	if !known || err != nil {
		c.fail("%q is no program with its version, as NFS3 is (NFS, MOUNT, NLM, NSM, NFSACL, RPCBIND, CB)", w)
		return nil
	}
	p := spec.Program(number)
	if p == nil || p.Version(uint32(version)) == nil {
		c.fail("%s has no version %d", name, version)
		return nil
	}
	return c.named(p.Version(uint32(version)), c.word("a procedure"))
}

// named is the procedure of that name, or the one with the shortest name that
// ends with it.
func (c *cursor) named(v *types.Version, name string) (found *types.Procedure) {
	name = strings.ToUpper(name)
	for _, p := range v.Procedures {
		if p.Name == name {
			return p
		}
		if strings.HasSuffix(p.Name, "_"+name) && (found == nil || len(p.Name) < len(found.Name)) {
			found = p
		}
	}
	if found == nil {
		c.fail("%s has no procedure %s", v.Name, name)
	}
	return found
}
