package rpcrdma

import (
	"encoding/hex"
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// body2 adds what follows the fixed words of a version 2 header.
func (v *view) body2(root *field.Node) {
	switch v.h.Proc {
	case RDMAError:
		v.error2Nodes(root)
	case RDMA2Optional:
		v.optionNodes(root)
	default:
		v.fieldsTo(root, &directionTable, v.start+min(v.h.Length, FixedSize+directionTable.Size()))
		if v.h.part == partBody {
			v.fault(root)
			return
		}
		v.lists(root)
	}
}

func (v *view) error2Nodes(root *field.Node) {
	e := field.Node{Key: error2Table.Key, Name: error2Table.Title, Start: v.at, End: v.at}
	if v.h.ErrorDirected {
		v.fields(&e, &errorDirectionTable)
	}
	if v.h.Length > v.at-v.start {
		e.Value = v.h.ErrorName()
		v.fields(&e, &error2Table)
	}
	switch {
	case v.h.Fault.Bad():
		v.fault(&e)
	case v.h.Error == ErrVers:
		v.fields(&e, &versionsTable)
	case v.h.Error == Err2CantReply:
		v.fields(&e, &cantReplyTable)
	}
	root.Add(e)
}

// optionNodes adds the words of an RDMA2_OPTIONAL and what is known of
// rdma_optinfo.
func (v *view) optionNodes(root *field.Node) {
	h, o := &v.h, v.h.option
	n := field.Node{Key: optionalTable.Key, Name: optionalTable.Title, Start: v.at, End: v.at}
	if o.Start == 0 { // the words before it are not all here, or one is wrong
		v.fieldsTo(&n, &optionalTable, v.start+h.Length)
		v.fault(&n)
		root.Add(n)
		return
	}
	n.Value = o.Type.String()
	v.fields(&n, &optionalTable)
	if h.Fault.Bad() && h.Fault.Offset < o.Start {
		// The length is wrong; what there is of the bytes is shown all the same.
		n.Children[len(n.Children)-1].Fault = v.reason()
	}
	v.info(&n)
	if h.Fault.Bad() && h.Fault.Offset >= o.Start {
		n.Add(field.Node{Name: "Malformed", Value: "padding", Start: v.at, End: len(v.b), Fault: v.reason()})
	} else if end := v.start + h.Length; end > v.at {
		n.Add(field.Node{Name: "padding", Value: counted(end-v.at, "byte"), Start: v.at, End: end})
		v.at = end
	}
	root.Add(n)
}

// info adds rdma_optinfo.
func (v *view) info(n *field.Node) {
	o := v.h.option
	start, end := v.start+o.Start, v.start+o.Start+len(o.Info)
	switch o.Type {
	case InitXchar:
		v.spec(n, "optixc_start")
		v.subset(n, "optixc_nochg", o.NoChange)
	case ReqXchar:
		v.spec(n, "optrqxc_want")
	case RespXchar:
		v.subset(n, "optrsxc_done", o.Done)
		v.subset(n, "optrsxc_rej", o.Rejected)
		v.subset(n, "optrsxc_pend", o.Pending)
	case UpdXchar:
		for _, x := range o.Characteristics {
			v.xcharval(n, x)
		}
		if len(o.Characteristics) > 0 && end-v.at >= 4 {
			v.fields(n, &pendclrTable)
			v.mark(&n.Children[len(n.Children)-1])
		}
	}
	if v.at < end {
		rest := field.Node{Name: "rdma_optinfo", Value: counted(end-v.at, "byte"), Start: v.at, End: end}
		if v.at > start {
			rest.Name = "Bytes after the known fields"
		}
		v.mark(&rest)
		n.Add(rest)
		v.at = end
	}
	if f := o.Fault; f.Bad() && v.start+f.Offset >= end { // bytes are missing
		last := field.Node{Name: "Malformed", Start: end, End: end}
		v.mark(&last)
		n.Add(last)
	}
}

// mark puts the option's fault on the node that its byte is in.
func (v *view) mark(n *field.Node) {
	f := v.h.option.Fault
	f.Offset += v.start
	if v.h.option.Fault.Bad() && f.Offset >= n.Start && f.Offset < max(n.End, n.Start+1) {
		n.Fault = f.String()
	}
}

// spec adds an xcharspec.
func (v *view) spec(n *field.Node, name string) {
	o := v.h.option
	if v.start+o.Start+len(o.Info)-v.at < 4 {
		return
	}
	spec := field.Node{Key: specTable.Key, Name: name, Value: counted(len(o.Characteristics), "characteristic"), Start: v.at, End: v.at}
	v.fields(&spec, &specTable)
	v.mark(&spec.Children[0])
	for _, x := range o.Characteristics {
		v.xcharval(&spec, x)
	}
	n.Add(spec)
}

// xcharval adds a characteristic.
func (v *view) xcharval(n *field.Node, x Characteristic) {
	o := v.h.option
	value := field.Node{Key: xcharvalTable.Key, Name: x.ID.String(), Value: string(o.AppendValue(nil, x)), Start: v.at, End: v.at}
	v.fields(&value, &xcharvalTable)
	v.mark(&value.Children[1])
	data, end := v.start+o.Start+x.Start, v.start+o.Start+x.Start+x.Length
	if t := valueTable(x.ID); t != nil && x.Length >= 4 {
		v.fields(&value, t)
		v.mark(&value.Children[2])
	}
	if v.at < end {
		rest := field.Node{Name: "xchv_data", Value: hex.EncodeToString(o.Bytes(x)[v.at-data:]), Start: v.at, End: end}
		value.Add(rest)
		v.at = end
	}
	if pad := min(-x.Length&3, v.start+o.Start+len(o.Info)-v.at); pad > 0 {
		value.Add(field.Node{Name: "padding", Value: counted(pad, "byte"), Start: v.at, End: v.at + pad})
		v.at += pad
	}
	n.Add(value)
}

// subset adds an xcharsubset that was read whole.
func (v *view) subset(n *field.Node, name string, s Subset) {
	o := v.h.option
	if v.at != v.start+o.Start+s.Start {
		return // a fault is before it
	}
	if end := v.start + o.Start + len(o.Info); end-v.at < 4 || s.Words > (end-v.at-4)/4 {
		return
	}
	subset := field.Node{Key: subsetTable.Key, Name: name, Value: o.elements(s), Start: v.at, End: v.at}
	v.fields(&subset, &subsetTable)
	v.mark(&subset.Children[0])
	for range s.Words {
		v.fields(&subset, &wordTable)
	}
	n.Add(subset)
}

// elements lists what is in a subset, as "{0, 2}".
func (o *Option) elements(s Subset) string {
	b := []byte{'{'}
	o.Elements(s, func(n int) bool {
		if len(b) > 1 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(b, int64(n), 10)
		return true
	})
	return string(append(b, '}'))
}

// fieldsTo adds the fields of a table that end before a byte of b.
func (v *view) fieldsTo(n *field.Node, t *field.Table, end int) {
	for _, child := range t.Node(v.b[:end], v.at).Children {
		n.Add(child)
		v.at = child.End
	}
}
