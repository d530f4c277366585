package main

import (
	"math/rand/v2"

	"github.com/rdmacap/rdmacap/internal/damage"
)

// A treatment is a way to capture badly.
type treatment struct {
	name string
	late bool   // the setup is missing
	only string // only the frames of one end are there
	// between says that frames are lost between the call and the reply of what fires.
	between bool
	// tries are the frames that are missing, each try others; none where the treatment
	// takes no single frames.
	tries []func(s *scenario, rnd *rand.Rand) func(x *statement) bool
}

// treatments are the seven.
func treatments() []treatment {
	type loses = []func(s *scenario, rnd *rand.Rand) func(x *statement) bool
	return []treatment{
		{name: "begun late", late: true},
		{name: "to server only", only: "client"},
		{name: "to client only", only: "server"},
		{name: "one lost long ago", tries: loses{longAgo(false), longAgo(true)}},
		{name: "near the call", tries: loses{nearCall(false), nearCall(true)}},
		{name: "near the reply", between: true, tries: loses{nearReply(false), nearReply(true)}},
		{name: "1 % lost", tries: loses{share, share}},
	}
}

// half is one half of the healthy RPC with a number.
func half(rpc int, reply bool) func(x *statement) bool {
	return func(x *statement) bool { return x.rpc == rpc && x.reply == reply }
}

// longAgo loses the first frame of a call or reply that thirty others follow.
func longAgo(reply bool) func(*scenario, *rand.Rand) func(*statement) bool {
	return func(s *scenario, _ *rand.Rand) func(*statement) bool { return half(s.before[9], reply) }
}

// nearCall loses one of the last RPC before the sample.
func nearCall(reply bool) func(*scenario, *rand.Rand) func(*statement) bool {
	return func(s *scenario, _ *rand.Rand) func(*statement) bool { return half(s.before[healthyRPCs-1], reply) }
}

// nearReply loses one of the RPC right before what fires.
func nearReply(reply bool) func(*scenario, *rand.Rand) func(*statement) bool {
	return func(s *scenario, _ *rand.Rand) func(*statement) bool { return half(s.beside, reply) }
}

// share loses the first frame of each call and reply in a hundred, and of one at least.
func share(s *scenario, rnd *rand.Rand) func(*statement) bool {
	lost := map[[2]int]bool{}
	for len(lost) == 0 {
		for _, n := range s.before {
			for half := range 2 {
				if rnd.IntN(100) == 0 {
					lost[[2]int{n, half}] = true
				}
			}
		}
	}
	return func(x *statement) bool {
		half := 0
		if x.reply {
			half = 1
		}
		return lost[[2]int{x.rpc, half}]
	}
}

// texts are the scenes of a scenario that was treated.
func (t *treatment) texts(s *scenario) (list []string) {
	if len(t.tries) == 0 {
		return []string{s.render(t, nil)}
	}
	for i, try := range t.tries {
		list = append(list, s.render(t, try(s, damage.Random(s.String(), t.name, i))))
	}
	return list
}
