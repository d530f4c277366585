package query

import (
	"hash/crc32"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/filter"
)

// The types of the texts that a field of all versions gathers.
var (
	nameTypes   = []string{"filename", "filename3", "component4"}
	handleTypes = []string{"fhandle", "fhandle3", "nfs_fh4"}
	offsetTypes = []string{"offset3", "offset4"}
)

// gathered are the fields that are the same in all versions of NFS, out of the
// fields of their texts.
func gathered(specs []*types.Spec) []text {
	// Arguments in which version 2 has numbers of no type of their own, and
	// those whose count is that of their data.
	offsets := append(ofTypes(specs, offsetTypes), "nfs2.readargs.offset", "nfs2.writeargs.offset")
	counts := []string{
		"nfs2.readargs.count", "nfs3.read3args.count", "nfs4.read4args.count", "nfs4.read_plus4args.rpa_count",
		"nfs2.writeargs.data", "nfs3.write3args.count", "nfs4.write4args.data",
		"nfs3.commit3args.count", "nfs4.commit4args.count",
	}
	handles := append(ofTypes(specs, handleTypes), "nfs3.nfs_fh3.data",
		"nlm.nlm_lock.fh", "nlm.nlm4_lock.fh", "nlm.nlm_share.fh", "nlm.nlm4_share.fh")
	stateids := []string{"nfs4.stateid4.other"}
	list := []text{
		{Field: Field{Field: filter.Field{Name: "nfs.name", Kind: filter.String, Doc: "name of a file or directory in the arguments"}, Cell: Cell{Form: TextList}},
			keys: ofTypes(specs, nameTypes), call: true, value: valueText},
		{Field: Field{Field: filter.Field{Name: "nfs.fh", Kind: filter.Bytes, Hash: "nfs.fh.hash", Doc: "file handle, in arguments or result"}, Cell: Cell{Form: TextList}},
			keys: handles, types: handleTypes, value: valueBytes},
		{Field: Field{Field: filter.Field{Name: "nfs.fh.hash", Kind: filter.Uint, Hex: true, Doc: "CRC-32 of a file handle, as rows show it"}, Unit: Handle, Cell: Cell{Form: Hash, Column: "nfs.fh"}},
			keys: handles, types: handleTypes, value: valueHash},
		{Field: Field{Field: filter.Field{Name: "nfs.offset", Kind: filter.Uint, Doc: "offset in the file, in the arguments"}, Cell: Cell{Form: List, Near: true}},
			keys: offsets, call: true, value: valueUint},
		{Field: Field{Field: filter.Field{Name: "nfs.count", Kind: filter.Uint, Doc: "bytes that a READ, READ_PLUS, WRITE or COMMIT is for"}, Unit: Bytes, Cell: Cell{Form: List}},
			keys: counts, call: true, value: valueUint},
		{Field: Field{Field: filter.Field{Name: "nfs.stateid", Kind: filter.Bytes, Hash: "nfs.stateid.hash", Doc: "stateid without its seqid, in arguments or result"}, Cell: Cell{Form: TextList}},
			keys: stateids, value: valueBytes},
		{Field: Field{Field: filter.Field{Name: "nfs.stateid.hash", Kind: filter.Uint, Hex: true, Doc: "CRC-32 of a stateid without its seqid, as rows show it"}, Unit: Handle, Cell: Cell{Form: Hash, Column: "nfs.stateid"}},
			keys: stateids, value: valueHash},
		{Field: Field{Field: filter.Field{Name: "nfs.stateid.seqid", Kind: filter.Uint, Doc: "seqid of a stateid"}, Cell: Cell{Form: List}},
			keys: []string{"nfs4.stateid4.seqid"}, value: valueUint},
	}
	return list
}

// valueHash gives the CRC-32 of bytes.
func valueHash(b *dissect.Body, e *walk.Event, to *filter.Values) {
	if data := opaqueOf(b, e); data != nil {
		to.Uint(uint64(crc32.ChecksumIEEE(data)))
	}
}

// ofTypes are the keys of the fields that are of one of these types.
func ofTypes(specs []*types.Spec, types []string) (keys []string) {
	for _, s := range specs {
		for f := range s.Fields() {
			if slices.Contains(types, f.Type.Name) {
				keys = append(keys, f.Key)
			}
		}
	}
	return keys
}

// statusTypes are the enums of the statuses of NFS and MOUNT, whose numbers
// mean the same wherever one has them.
var statusTypes = []string{"nfsstat4", "nfsstat3", "stat", "mountstat3", "mountstat"}

// addStatus adds the field nfs.status.
func addStatus(l *list[*dissect.RPC], specs []*types.Spec) {
	names := func(yield func(string, uint64) bool) {
		for _, of := range statusTypes {
			for _, s := range specs {
				t := s.Type(of)
				if t == nil {
					continue
				}
				for name, v := range enumNames(t.Names) {
					if !yield(name, v) {
						return
					}
				}
			}
		}
	}
	l.addField(filter.Field{Name: "nfs.status", Kind: filter.Enum, Names: names, Doc: "status of the reply, and of each operation of a COMPOUND"},
		func(r *dissect.RPC, to *filter.Values) {
			b := body(r.Reply)
			if b == nil {
				return
			}
			fields := b.Binding.Plan().Fields
			for i := range b.Events {
				if e := &b.Events[i]; e.Kind == walk.Status && isStatus(fields[e.Field]) {
					to.Named(e.Value, fields[e.Field].Type.Names.Name(e.Value))
				}
			}
		}).cell(set())
}

// isStatus reports whether the field is a status of NFS or MOUNT.
func isStatus(f *types.Field) bool {
	return f.Type.Names != nil && slices.Contains(statusTypes, f.Type.Names.Type)
}

// body is that of a message, nil if there is none.
func body(m *dissect.Message) *dissect.Body {
	if m == nil {
		return nil
	}
	return m.Body()
}
