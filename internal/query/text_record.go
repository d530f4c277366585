package query

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/filter"
)

// An rpcRecord is an RPC as filters ask it. The fields of texts come after the
// others; which events of a body have their values is worked out once for each
// plan that a body comes with.
type rpcRecord struct {
	record[*dissect.RPC]
	texts  []text
	needed []int // indices in texts of the fields that the filter names
	keys   []string
	plans  []planMarks
}

// planMarks says what a plan reports of the fields that are needed.
type planMarks struct {
	plan *walk.Plan
	// has says of each needed field, by mark, whether it has the mark's values.
	has [][]bool
}

// need notes the fields, by their indices in the Set, that will be asked for.
func (r *rpcRecord) need(fields []int) {
	for _, f := range fields {
		if i := f - len(r.list); i >= 0 {
			r.needed = append(r.needed, i)
			r.keys = append(r.keys, r.texts[i].keys...)
		}
	}
	slices.Sort(r.keys)
	r.keys = slices.Compact(r.keys)
}

// Values gives the values of the field with that index.
func (r *rpcRecord) Values(field int, to *filter.Values) {
	i := field - len(r.list)
	if i < 0 {
		r.record.Values(field, to)
		return
	}
	r.bodyValues(i, body(r.row.Call), to)
	if !r.texts[i].call && !to.Done() {
		r.bodyValues(i, body(r.row.Reply), to)
	}
}

// bodyValues gives the values of a field of texts in a body.
func (r *rpcRecord) bodyValues(i int, b *dissect.Body, to *filter.Values) {
	if b == nil {
		return
	}
	has := r.marks(b.Binding.Plan())[slices.Index(r.needed, i)]
	tell := r.texts[i].value
	for k := range b.Events {
		if e := &b.Events[k]; e.Kind == walk.Value && has[e.Mark] {
			tell(b, e, to)
		}
	}
}

// marks says what a plan reports.
func (r *rpcRecord) marks(p *walk.Plan) [][]bool {
	for i := range r.plans {
		if r.plans[i].plan == p {
			return r.plans[i].has
		}
	}
	m := planMarks{plan: p}
	for _, i := range r.needed {
		m.has = append(m.has, r.texts[i].marks(p))
	}
	r.plans = append(r.plans, m)
	return m.has
}

// marks are the marks of a plan that have the field's values.
func (t *text) marks(p *walk.Plan) []bool {
	has := make([]bool, len(p.Marks))
	for _, key := range t.keys {
		if i := p.Index(key); i >= 0 {
			has[i] = true
		}
	}
	for i, m := range p.Marks {
		if m.Path == "." && slices.Contains(t.types, m.Root.Name) {
			has[i] = true
		}
	}
	return has
}
