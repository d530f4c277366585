package finding

import (
	"fmt"
	"strings"
)

// mostCauses is how many causes a verdict names: whoever reads it wants the first.
const mostCauses = 3

// Sentences are the verdict, for a person: what is at the root, how large it is, what it cost
// and what to do; then what else there is, in a sentence each. First is what they speak of first.
func (v *Verdict) Sentences(e *Ending) (list []string, first Lead) {
	causes := v.causes()
	worst := 0
	for _, c := range causes {
		if c.needless() {
			continue
		}
		if worst > 0 && c.weight <= 2*rankOf(Note, ordinary)+2 || c.weight <= 2*int(trivia)+1 {
			break // and all after it
		}
		switch worst++; {
		case worst == 1:
			first = leadOf(&c)
			list = append(list, c.whole(v.Several)...)
		case worst <= mostCauses:
			list = append(list, "Besides, "+lower(c.headline(v.Several)))
		}
	}
	if n := worst - mostCauses; n > 0 || v.more {
		list = append(list, "There are more findings.")
	}
	if worst == 0 {
		list = append(list, nothing(e, causes))
	}
	return list, first
}

// nothing is what is reported where nothing hurts.
func nothing(e *Ending, causes []cause) string {
	switch {
	case e.Frames == 0:
		return "Nothing was checked: there are no frames."
	case e.Connections == 0:
		return fmt.Sprintf("Nothing was checked: none of %s frames belongs to an RDMA connection.", count(e.Frames))
	}
	text := "Nothing wrong was found"
	switch {
	case e.Shown.OfRules():
		text = "The selected rules found nothing wrong"
	case e.Hidden != Tally{}:
		text = "Nothing at or above " + e.Shown.Least.String() + " was found"
	}
	in, notes := "", int64(0)
	if e.RPCs > 0 {
		in = " in " + plural(e.RPCs, "RPC", "RPCs")
	}
	text += in
	if hidden := e.Hidden.counts(); hidden != "" {
		text += "; " + hidden + " hidden"
	}
	text += "."
	for _, c := range causes {
		if c.needless() {
			text = "The only finding" + in + " is " + c.network.again()
		} else if c.one == nil || !c.one.usual {
			notes++
		}
	}
	if notes > 0 {
		text += fmt.Sprintf(" %s the peers, not what went wrong.", plural(notes, "note describes", "notes describe"))
	}
	return text
}

// needless reports whether it is frames that were sent again though nothing shows that any was lost.
func (c *cause) needless() bool { return c.network != nil && !c.network.guilty() }

// whole is all that is reported of the first cause.
func (c *cause) whole(several bool) []string {
	switch {
	case c.network != nil:
		return c.network.whole()
	case c.restart != nil:
		return c.restart.whole(several)
	}
	list := []string{c.headline(several)}
	if advice := firstSentences(c.one.advice, 2); advice != "" {
		list = append(list, advice)
	}
	return list
}

// headline is a cause in a sentence.
func (c *cause) headline(several bool) string {
	switch {
	case c.network != nil:
		return c.network.root()
	case c.restart != nil:
		return c.restart.headline(several)
	}
	x := c.one
	text := capital(strings.TrimSuffix(x.message, "."))
	var more []string
	if x.call != "" && x.took > 0 {
		more = append(more, fmt.Sprintf("XID %#08x", x.xid))
	}
	if !x.certain {
		more = append(more, "likely")
	}
	if x.first.Ref.Number != 0 {
		more = append(more, "frame\u00a0"+x.first.Ref.Name(several))
	}
	switch {
	case x.connections > 1:
		more = append(more, fmt.Sprintf("%s times on %s connections", count(x.count), count(x.connections)))
	case x.count > 1:
		more = append(more, fmt.Sprintf("%s times", count(x.count)))
	}
	return fmt.Sprintf("%s (%s: %s).", text, x.id, strings.Join(more, ", "))
}
