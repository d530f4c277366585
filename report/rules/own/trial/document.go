package trial

import (
	"errors"
	"fmt"

	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/document"
	"github.com/rdmacap/rdmacap/report/rules/own"
)

// Rule plays the samples of a user's rule, at which no other looks, over each transport that
// they make sense for, and counts them. Faults are *document.Errors.
func Rule(r own.Rule) (played int, faults []error) {
	for i := range r.Samples {
		s := &r.Samples[i]
		for _, over := range transports(s) {
			played++
			faults = append(faults, sample(r, s, over)...)
		}
	}
	return played, faults
}

// transports are those that a sample makes sense for.
func transports(s *document.Sample) []scene.Transport {
	switch rules.Transport(s.Over) {
	case rules.RoCE:
		return []scene.Transport{scene.RoCE}
	case rules.IWARP:
		return []scene.Transport{scene.IWARP}
	}
	return []scene.Transport{scene.RoCE, scene.IWARP}
}

// sample plays one over one transport.
func sample(r own.Rule, s *document.Sample, over scene.Transport) (faults []error) {
	wrong := func(line int, reason string) {
		faults = append(faults, &document.Error{File: r.Document.File, Line: s.Line(line), Reason: fmt.Sprintf("%s, over %s: %s", s.Name, over, reason)})
	}
	found, fired, err := Play(r.Rule, s.Scene, over)
	var broken *scene.Error
	switch {
	case errors.As(err, &broken):
		wrong(broken.Line, broken.Reason)
		return faults
	case err != nil:
		return []error{err}
	}
	for _, f := range found {
		wrong(max(f.Line, 1), f.Reason)
	}
	switch {
	case s.Fires && len(fired) == 0:
		wrong(1, "it is under fires, but wants no "+r.ID)
	case !s.Fires && len(fired) > 0:
		wrong(1, "it is under silent, but wants "+r.ID)
	}
	return faults
}
