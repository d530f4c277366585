package main

import (
	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/metrics"
)

// A monitor counts for monitoring, and answers who asks; a nil one does nothing.
type monitor struct {
	*metrics.Metrics
	server *metrics.Server
}

func (m *monitor) close() {
	if m != nil {
		m.server.Close()
	}
}

// views adds the counts to those who are told what is written.
func (m *monitor) views(list []finding.LiveView) []finding.LiveView {
	if m == nil {
		return list
	}
	return append(list, m.Metrics)
}

// begin says that capturing has begun, and returns the source with what is read told.
func (m *monitor) begin(source capture.Source) capture.Source {
	if m == nil {
		return source
	}
	m.Began()
	if s, ok := source.(metrics.Source); ok {
		return m.Watch(s)
	}
	return source
}

// end says that no more frames come.
func (m *monitor) end() {
	if m != nil {
		m.Ended()
	}
}

// interfaceState is who is told of interfaces, nil for nobody.
func (m *monitor) interfaceState() func(name, why string) {
	if m == nil {
		return nil
	}
	return m.Interface
}
