package stats

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// An Order says which operations of a table are listed, and in which order. The zero Order has all,
// the most called first.
type Order struct {
	by    *Column // nil for the calls
	least bool
	// Limit is how many are listed, 0 for all.
	Limit int
}

// ParseOrder reads the name of a column, the greatest figure of which comes first, or with "-"
// before it the least. Without a name the most called comes first.
func ParseOrder(name string, limit int) (o Order, err error) {
	if limit < 0 {
		return o, fmt.Errorf("--limit: %d operations cannot be listed", limit)
	}
	o.Limit = limit
	if name == "" {
		return o, nil
	}
	name, o.least = strings.CutPrefix(strings.ToLower(name), "-")
	columns := Columns()
	at := slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
	if at < 0 {
		return o, fmt.Errorf("--sort: there is no column %q: use %s", name, strings.Join(namesOf(columns), ", "))
	}
	o.by = &columns[at]
	return o, nil
}

func namesOf(columns []Column) (names []string) {
	for i := range columns {
		names = append(names, columns[i].Name)
	}
	return names
}

// Listed are the operations that an order lists, after them in one row those for which the table
// had no room, and how many it does not list. Those without the figure come last.
func (t *Table) Listed(o Order) (list []*Operation, more int) {
	list = t.Rows()
	if by := o.by; by != nil {
		slices.SortStableFunc(list, func(a, b *Operation) int {
			if has, other := by.Known(a), by.Known(b); !has || !other {
				return number(other) - number(has)
			}
			if o.least {
				a, b = b, a
			}
			return cmp.Compare(by.Of(b), by.Of(a))
		})
	}
	if o.Limit > 0 && len(list) > o.Limit {
		list, more = list[:o.Limit], len(list)-o.Limit
	}
	if t.Others != nil {
		list = append(list, t.Others)
	}
	return list, more
}
