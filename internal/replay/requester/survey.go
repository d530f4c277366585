package requester

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
	"github.com/rdmacap/rdmacap/internal/replay/effect"
	"github.com/rdmacap/rdmacap/internal/replay/script"
)

// A survey looks for what no binder will be able to replace: it is reported beforehand. A root handle
// is asked of the live server. Calls are judged by what is going to be replaced in them.
type survey struct {
	*bind.Survey
	effects map[*script.Call]effect.Verdict
	counts  map[*Plan]map[string]int
	kinds   map[*Plan][]string
}

// newSurvey looks through the steps of all plans in their order.
func newSurvey(f *following, o *Options) (*survey, error) {
	own, err := f.beginning(o)
	if err != nil {
		return nil, err
	}
	of, err := bind.NewSurvey(o.Specs...)
	if err != nil {
		return nil, err
	}
	for i := range own.Before {
		c, err := of.Call(own.Before[i].Call)
		if err != nil {
			return nil, err
		}
		of.Reply(c, own.Before[i].Reply)
	}
	s := &survey{of, make(map[*script.Call]effect.Verdict), make(map[*Plan]map[string]int), make(map[*Plan][]string)}
	if err := f.survey(of, s.see); err != nil {
		return nil, err
	}
	for _, p := range f.plans {
		s.finish(p)
	}
	switch {
	case o.RootPath == "" || s.Root() != nil || len(own.Assumed) > len(o.Exports):
		return s, nil
	case len(own.Lacking) > 0:
		return nil, fmt.Errorf("--export %s may be any of several directories: %s", o.RootPath, strings.Join(own.Lacking, "; "))
	}
	return nil, fmt.Errorf("--export %s has no effect: the capture starts at the root of the server's tree, which every server has (PUTROOTFH)", o.RootPath)
}

// see notes what a call of a plan is.
func (s *survey) see(p *Plan, x *step, bound *bind.Call) {
	if root := s.Root(); root != nil && s.counts[nil] == nil {
		p.Root = root // who needs it first asks for it
		s.counts[nil] = make(map[string]int)
	}
	s.effects[x.call] = p.effectOf(x.message, bound.Kept)
	for _, u := range bound.Unbound {
		if u.Kind == types.Handles.String() && s.Root() != nil && string(u.Value) == string(s.Root()) {
			continue
		}
		line := fmt.Sprintf("the %s in %s %s", u.Kind, u.Field, u.Reason)
		if s.counts[p] == nil {
			s.counts[p] = make(map[string]int)
		}
		if s.counts[p][line]++; s.counts[p][line] == 1 {
			s.kinds[p] = append(s.kinds[p], line)
		}
	}
}

// finish says what was found of a plan.
func (s *survey) finish(p *Plan) {
	p.Unbound = append(p.Unbound, p.Own.Lacking...)
	for _, line := range s.kinds[p] {
		p.Unbound = append(p.Unbound, fmt.Sprintf("%s: sent as captured in %s", line, field.Counted(s.counts[p][line], "place")))
	}
	if p.Options.RootPath == "" {
		p.Options.RootPath = s.Export()
	}
	if p.Options.RootPath == "" {
		p.Options.RootPath = "/"
	}
}

// A surveyor looks through the calls and replies of a conversation.
type surveyor interface {
	Call(bind.Message) (*bind.Call, error)
	Reply(*bind.Call, bind.Message)
}

// survey gives the calls and replies of all plans to a surveyor, in the order of the capture, and
// each call to see.
func (f *following) survey(s surveyor, see func(*Plan, *step, *bind.Call)) error {
	calls := make(map[*script.Call]*bind.Call)
	at := make([]int, len(f.plans)) // the next step of each
	for _, t := range f.turns {
		if t.dial {
			continue
		}
		p := f.plans[t.plan]
		x := &p.steps[at[t.plan]]
		at[t.plan]++
		if x.call == nil || !x.call.HasHeader {
			continue
		}
		if x.kind == stepAwait {
			if before := capturedReply(&Exchange{Call: x.call}); before != nil && calls[x.call] != nil {
				s.Reply(calls[x.call], *before)
			}
			continue
		}
		data, _ := x.call.Message()
		m := bindMessage(x.call, data)
		m.Reads = readChunks(x.call)
		bound, err := s.Call(m)
		if err != nil {
			return err
		}
		calls[x.call] = bound
		see(p, x, bound)
	}
	return nil
}
