package metrics

import "github.com/rdmacap/rdmacap/capture"

// A Source is what frames of network interfaces come from.
type Source interface {
	capture.Source
	capture.Ready
	capture.Keeper
}

// Watch returns the source with Metrics told of what is read from it, which may be by
// another goroutine than the rest. One that is not of interfaces it returns as it is.
func (m *Metrics) Watch(s Source) Source {
	if m.opts.Interfaces == nil {
		return s
	}
	return &watched{s, m}
}

type watched struct {
	Source
	metrics *Metrics
}

// Next is that of the source. Of frames that come together the first is reported.
func (w *watched) Next(f *capture.Frame) error {
	with := w.Source.Ready()
	err := w.Source.Next(f)
	if err == nil && !with {
		w.metrics.guard.Lock()
		w.metrics.lag.read(f.Time)
		w.metrics.guard.Unlock()
	}
	return err
}

// Began says that capturing has begun, on all interfaces if there are any.
func (m *Metrics) Began() {
	m.guard.Lock()
	defer m.guard.Unlock()
	m.capturing = true
	for i := range m.interfaces {
		if x := &m.interfaces[i]; x.why == "" {
			x.up = true
		}
	}
}

// Interface says that an interface is up, or in words why nothing is captured on it.
func (m *Metrics) Interface(name, why string) {
	m.guard.Lock()
	defer m.guard.Unlock()
	for i := range m.interfaces {
		if x := &m.interfaces[i]; x.name == name {
			x.up, x.why = why == "", why
		}
	}
}

// Ended says that no more frames come.
func (m *Metrics) Ended() {
	m.guard.Lock()
	defer m.guard.Unlock()
	m.ended = true
}

// Ready is "" while frames are captured, on every interface; else why they are not.
func (m *Metrics) Ready() string {
	m.guard.Lock()
	defer m.guard.Unlock()
	return m.state.ready()
}
