package bind

import (
	"strings"

	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// An object is what a handle stands for, as names lead to it: from the root of the server's tree, or
// from another handle. The zero object is one that no name is known of.
type object struct {
	known bool
	// from is the captured handle where the names begin, "" for the root.
	from  string
	names []string
}

// key tells objects apart.
func (o object) key() string { return o.from + "\x00" + strings.Join(o.names, "/") }

// names learns from the calls of NFS version 4, and their replies, by which names objects are found.
// Names are those of the time when the capture began: what RENAME moves is found where it was.
type names struct {
	plan   *walk.Plan
	walker walk.Walker
	fields map[int32]bool
	// origins are what handles stand for.
	origins map[string]object
	// moved are objects that are not what their names say since they were moved, created or removed.
	moved map[string]object
	// ways are those by which names were moved, wherever that was.
	ways map[string]way
	// uses is how many names were looked up, made or listed in the directory of a handle.
	uses map[string]int
}

// Fields of calls that are names of objects in a directory.
const (
	lookupName = "nfs4.lookup4args.objname"
	openName   = "nfs4.open_claim4.file"
	createName = "nfs4.create4args.objname"
	removeName = "nfs4.remove4args.target"
	linkName   = "nfs4.link4args.newname"
	renameOld  = "nfs4.rename4args.oldname"
	renameNew  = "nfs4.rename4args.newname"
)

func newNames(s *types.Spec) (*names, error) {
	fields := []string{lookupName, openName, createName, removeName, linkName, renameOld, renameNew}
	plan, err := walk.NewPlan(s, fields...)
	if err != nil {
		return nil, err
	}
	n := &names{
		plan: plan, fields: make(map[int32]bool),
		origins: make(map[string]object), moved: make(map[string]object), ways: make(map[string]way), uses: make(map[string]int),
	}
	for _, f := range fields {
		n.fields[int32(plan.Index(f))] = true
	}
	return n, nil
}

// within are the names in the operations of a call, in their order.
func (n *names) within(c *Call) [][]string {
	list := make([][]string, len(c.contents.opcodes))
	proc := n.plan.Spec.Procedure(c.captured.Program, c.captured.Version, c.captured.Procedure)
	if proc == nil {
		return list
	}
	n.walker.Most = mostEvents
	args := c.contents.bytes[c.contents.header:]
	n.walker.Walk(n.plan.Args(proc), args, walk.Reduction{Start: uint32(c.contents.header), Reads: c.captured.Reads})
	op := -1
	for i := range n.walker.Events {
		switch e := &n.walker.Events[i]; {
		case e.Kind == walk.Operation:
			op = int(e.Index)
		case e.Kind == walk.Value && n.fields[e.Mark] && e.Chunk < 0 && op >= 0 && op < len(list):
			list[op] = append(list[op], string(args[e.Offset:e.Offset+e.Length]))
		}
	}
	return list
}

// learn follows the operations that succeeded.
func (n *names) learn(c *Call, reply *contents) {
	if reply == nil || len(n.origins)+len(n.moved) > mostTied {
		return
	}
	within := n.within(c)
	var current, saved object
	for i, op := range c.contents.opcodes {
		s := reply.status(int32(i) + 1)
		if s == nil || !s.ok || reply.opcode(int32(i)+1) != op {
			return
		}
		current, saved = n.operation(op, within[i], current, saved, c.contents.handle(int32(i)+1))
		for _, it := range reply.itemsOf(int32(i) + 1) {
			if it.kind != types.Handles || it.inChunk || it.holds {
				continue
			}
			switch of := current; {
			case it.name != "":
				n.found(n.child(of, it.name), string(reply.value(&it)))
			default:
				n.found(of, string(reply.value(&it)))
				current = object{known: true, from: string(reply.value(&it))}
			}
		}
	}
}

// operation is what is current and saved after an operation that succeeded. Handle is the one that
// it names.
func (n *names) operation(op uint64, given []string, current, saved object, handle string) (object, object) {
	name := ""
	if len(given) > 0 {
		name = given[0]
	}
	switch op {
	case numbers.OpPutfh:
		return object{known: handle != "", from: handle}, saved
	case numbers.OpPutrootfh:
		return object{known: true}, saved
	case numbers.OpSavefh:
		return current, current
	case numbers.OpRestorefh:
		return saved, saved
	case numbers.OpLookup:
		return n.used(current, name), saved
	case numbers.OpOpen:
		if name == "" { // the file is current already, or a delegation names it
			return object{}, saved
		}
		return n.used(current, name), saved
	case numbers.OpCreate:
		n.move(current, name, object{}) // it was not there when the capture began
		return object{}, saved
	case numbers.OpRemove:
		n.move(current, name, object{})
	case numbers.OpLink:
		n.move(current, name, saved)
	case numbers.OpRename:
		if len(given) == 2 {
			is := n.child(saved, given[0])
			n.move(saved, given[0], object{})
			n.move(current, given[1], is)
		}
	case numbers.OpReaddir:
		n.uses[current.from]++
	case numbers.OpLookupp, numbers.OpOpenattr, numbers.OpPutpubfh, numbers.OpSecinfo, numbers.OpSecinfoNoName:
		return object{}, saved
	}
	return current, saved
}

// A way is how a directory was named: by its handle, or by names from another one or from the root.
type way uint8

const (
	byHandle way = 1 << iota
	byNames
)

func (o object) way() way {
	if o.from != "" && len(o.names) == 0 {
		return byHandle
	}
	return byNames
}

// at is what a name in a directory stands for if nothing was moved; the zero object if the directory is not known,
// or so deep that its names would take long to be put together.
func at(dir object, name string) object {
	if !dir.known || len(dir.names) == mostNames {
		return object{}
	}
	return object{known: true, from: dir.from, names: append(dir.names[:len(dir.names):len(dir.names)], name)}
}

// child is what a name in a directory stood for when the capture began. It is not known if a name like it was moved in
// what may be the same directory, named in another way.
func (n *names) child(dir object, name string) object {
	o := at(dir, name)
	if is, moved := n.moved[o.key()]; moved && o.known {
		return is
	}
	if n.ways[name]&byNames != 0 || dir.way() == byNames && n.ways[name] != 0 {
		return object{}
	}
	return o
}

// used is the child whose name a call has.
func (n *names) used(dir object, name string) object {
	n.uses[dir.from]++
	return n.child(dir, name)
}

// move notes that a name in a directory stands for another object from now on.
func (n *names) move(dir object, name string, is object) {
	n.uses[dir.from]++
	if o := at(dir, name); o.known {
		n.moved[o.key()] = is
		n.ways[name] |= dir.way()
	}
}

// found notes the handle of an object; the first time counts.
func (n *names) found(o object, handle string) {
	if _, before := n.origins[handle]; !before && o.known && o.from != handle {
		n.origins[handle] = o
	}
}

// top is the handle from which names lead to one, as far as they lead back; not ok if they lead back
// to the root of the server's tree.
func (n *names) top(handle string) (top string, ok bool) {
	for range mostDeep {
		o, known := n.origins[handle]
		switch {
		case !known:
			return handle, true
		case o.from == "":
			return "", false
		}
		handle = o.from
	}
	return handle, true
}
