package ulb

import (
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/size"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// kept is what the rules of the family remember of a connection.
type kept struct {
	rests   []rest   // ULB-006
	newest  *session // the one that was created on the connection last
	granted uint64   // ULB-014: the most credits
	calls   int      // ULB-016: those that count as its first
	used    bool     // ULB-017: NFS version 4 was
	turns   *turns   // ULB-018: nil before the first SEQUENCE
	down    *down    // ULB-020: nil before a server says that the back channel is down, or a client asks for one
}

// state is where each connection keeps it.
const state = rules.ConnSlot[kept](rules.KeepsULB)

// shared is what the rules use on all connections.
type shared struct {
	*fields
	compound compound
	readings readings
	trial    trial
	back     *values.BackChannel // ULB-020
}

// sharedSlot is where a Checker keeps it.
const sharedSlot = rules.CaptureSlot[shared](rules.KeepsULB)

// crossConnections is what they keep across connections.
type crossConnections struct {
	sessions sessions
	slots    slots  // ULB-016
	askers   askers // ULB-017
	users    users  // ULB-018
	copies   copies // ULB-020
}

// crossSlot is where CrossConnection keeps it.
const crossSlot = rules.CrossSlot[crossConnections](rules.KeepsULB)

func crossState(a *rules.CrossConnection) *crossConnections {
	return crossSlot.Of(a)
}

// fields are the values that the rules read.
type fields struct {
	contents, eof, data, holes                     values.Field // of the result of READ_PLUS
	plusOffset, plusCount, readOffset              values.Field
	create, attributes, callbackAttributes         values.Field
	boundTo, copySynchronous, copyCallback         values.Field // of results
	offloaded, askedFor, cancelled                 values.Field // of the arguments of CB_OFFLOAD, OFFLOAD_STATUS and OFFLOAD_CANCEL
	id, response, slots, backRequest, backResponse values.Field // of the result of CREATE_SESSION
}

func all(c *rules.Conn) *shared {
	s := sharedSlot.Of(c.Capture)
	if s.fields == nil {
		s.fields = &fields{
			contents: values.FieldOf(plusContents), eof: values.FieldOf(plusEOF), data: values.FieldOf(plusData), holes: values.FieldOf(plusHole),
			plusOffset: values.FieldOf(plusOffset), plusCount: values.FieldOf(plusCount), readOffset: values.FieldOf(readOffset),
			boundTo: values.FieldOf(boundTo), copySynchronous: values.FieldOf(copySynchronous), copyCallback: values.FieldOf(copyCallback), offloaded: values.FieldOf(offloaded), askedFor: values.FieldOf(askedFor), cancelled: values.FieldOf(cancelled),
			create: values.FieldOf(openCreate), attributes: values.FieldOf(size.GetattrRequest), callbackAttributes: values.FieldOf(cbGetattrRequest),
			id: values.FieldOf(sessionName), response: values.FieldOf(foreResponse), slots: values.FieldOf(foreRequests),
			backRequest: values.FieldOf(backRequestBytes), backResponse: values.FieldOf(backResponseBytes),
		}
	}
	return s
}
