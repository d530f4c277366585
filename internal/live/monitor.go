package live

import (
	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/report/metrics"
)

// A monitor counts for monitoring, and answers who asks; a nil one does nothing.
type monitor struct {
	*metrics.Metrics
	server *metrics.Server
}

// An AddressError is what kept a session from answering for monitoring.
type AddressError struct{ Err error }

func (e *AddressError) Error() string { return e.Err.Error() }

func (e *AddressError) Unwrap() error { return e.Err }

// newMonitor answers on an address, unless that is "".
func newMonitor(address string, o metrics.Options, tell func(line string)) (*monitor, error) {
	if address == "" {
		return nil, nil
	}
	m := metrics.New(o)
	server, err := m.Serve(address)
	if err != nil {
		return nil, &AddressError{err}
	}
	tell("metrics are on http://" + server.Address + "/")
	return &monitor{m, server}, nil
}

func (m *monitor) close() {
	if m != nil {
		m.server.Close()
	}
}

// beginMonitoring says that capturing has begun, and returns the source with what is read told.
func (m *monitor) beginMonitoring(source capture.Source) capture.Source {
	if m == nil {
		return source
	}
	m.Began()
	if s, ok := source.(metrics.Source); ok {
		return m.Watch(s)
	}
	return source
}

// endMonitoring says that no more frames come.
func (m *monitor) endMonitoring() {
	if m != nil {
		m.Ended()
	}
}

// state is who receives interfaces, nil for nobody.
func (m *monitor) state() func(name, why string) {
	if m == nil {
		return nil
	}
	return m.Interface
}
