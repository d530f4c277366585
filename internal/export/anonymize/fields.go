package anonymize

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A fate is what becomes of a field.
type fate uint8

const (
	unknown fate = iota // it is not known, or computed anew
	number              // it stays
	address             // it is replaced as such, and so on
	station             // an address of a link in 8 bytes
	opaque
	id
)

// fates are those of the fields of all headers, by their full names.
func fates() map[string]fate {
	all := declared()
	for key, is := range special() {
		all[key] = is
	}
	return all
}

// declared are the fates by how fields are written. One that two tables have has the more careful one.
func declared() map[string]fate {
	all := make(map[string]fate)
	lists := [][]*field.Table{
		link.Tables(), rocev2.Tables(), rocev2.CMTables(), iwarp.Tables(), iwarp.MPATables(),
		rpcrdma.Tables(), rpc.Tables(), {rpcrdma.PrivateDataTable()},
	}
	for _, tables := range lists {
		for _, t := range tables {
			for i := range t.Fields {
				f := &t.Fields[i]
				key, is := t.Key+"."+f.Key, fateOf(f)
				if before, known := all[key]; !known || before == number || is == unknown {
					all[key] = is
				}
			}
		}
	}
	return all
}

// fateOf is that of a field by the way it is written.
func fateOf(f *field.Field) fate {
	switch f.Format {
	case field.Dec, field.Hex, field.Flag:
		return number
	case field.MAC, field.IP:
		return address
	}
	return unknown
}

// special are the fields of which the format does not say what they are.
func special() map[string]fate {
	return map[string]fate{
		// These are sums of what is replaced.
		"ip.checksum": unknown, "udp.checksum": unknown, "tcp.checksum": unknown, "icrc.icrc": unknown, "mpa.crc.crc": unknown, "gre.csum.checksum": unknown,
		// Time stamps and the like that are shown as bytes.
		"null.family": number, "erf.ts": number, "mpa.key": number,
		"sll.src": station, "sll2.src": station,
		// Data.
		"atomiceth.swapdt": unknown, "atomiceth.cmpdt": unknown, "atomicacketh.origremdt": unknown, "immdt.immdt": unknown,
		"rdmap.immediate.data": unknown, "rdmap.atomicreq.data": unknown, "rdmap.atomicreq.mask": unknown,
		"rdmap.atomicreq.compare": unknown, "rdmap.atomicreq.comparemask": unknown, "rdmap.atomicresp.original": unknown,
		// Made of the MAC address of an adapter.
		"cm.req.localcaguid": opaque, "cm.rep.localcaguid": opaque,
		"rpc.sys.stamp": opaque, "rpc.sys.uid": id, "rpc.sys.gid": id, "rpc.sys.gids": id,
	}
}

// A painter does to bytes what trees of fields say.
type painter struct {
	m     *Mapping
	fates map[string]fate
}

// nodes takes the fields in trees.
func (p *painter) nodes(d *plan, nodes []field.Node) {
	for i := range nodes {
		n := &nodes[i]
		if len(n.Children) > 0 {
			p.nodes(d, n.Children)
			continue
		}
		p.leaf(d, n)
	}
}

func (p *painter) leaf(d *plan, n *field.Node) {
	if n.Start < 0 || n.End > len(d.was) || n.Start >= n.End {
		return
	}
	is := d.was[n.Start:n.End]
	switch p.fates[n.Key] {
	case number:
		d.keep(n.Start, n.End)
	case address:
		d.replace(n.Start, p.m.address(is))
	case opaque:
		d.replace(n.Start, p.m.opaque(Opaque, is))
	case id:
		d.replace(n.Start, p.m.id(is))
	case station:
		if d.zeros(n.Start+6, n.End); len(is) >= 6 {
			d.replace(n.Start, p.m.address(is[:6]))
		}
	}
}

// fill takes runs of zeros that fill up what has a fixed size: pad, reserved fields, private data.
func (p *painter) fill(d *plan, nodes []field.Node) {
	for i := range nodes {
		n := &nodes[i]
		if len(n.Children) > 0 {
			p.fill(d, n.Children)
		} else if p.fates[n.Key] == unknown && n.Name != "Payload" {
			d.zeros(n.Start, n.End)
		}
	}
}
