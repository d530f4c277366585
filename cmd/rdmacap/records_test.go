package main

import "github.com/rdmacap/rdmacap/internal/query"

// The records as the contract has them (docs/json.md). What stands beside the
// contract is in tables of its own.

var (
	segment = object(members{"handle": hex32, "length": integer, "offset": hex64}, nil)
	chunk   = object(members{"segments": listOf(segment)}, nil)

	readChunk = object(members{"position": integer, "segments": listOf(segment)}, nil)

	direction = oneOf("to_server", "to_client")

	privateData = object(members{
		"version": integer, "remote_invalidation": boolean, "send_size": integer, "receive_size": integer,
	}, nil)

	connectionRecord = object(members{
		"type":                oneOf("connection"),
		"id":                  integer,
		"transport":           oneOf("RoCEv2", "RoCEv1", "InfiniBand", "iWARP"),
		"client":              text,
		"server":              text,
		"setup":               oneOf("cm", "mpa", "inferred"),
		"service":             text,
		"client_private_data": nullOr(privateData),
		"server_private_data": nullOr(privateData),
		"inline_threshold": nullOr(object(members{
			"to_server": integer, "to_client": integer,
			"source": oneOf("private-data", "default", "characteristics"),
		}, nil)),
		"rpcrdma_version": nullOr(integer),
		"first_frame":     integer,
		"last_frame":      integer,
		"end":             oneOf("disconnect", "terminate", "reset", "open"),
		"frames":          integer,
		"bytes":           integer,
		"retransmissions": integer,
		"lost_in_capture": integer,
		"final":           boolean,
	}.with(members{ // beside the contract
		"rpcs": integer, "lost_on_wire": integer, "duplicates": integer, "reordered": integer,
		"naks": integer, "rnr_naks": integer, "bad_crc": integer, "roles_known": boolean,
	}), members{
		"client_qpn": nullOr(integer), "server_qpn": nullOr(integer), // not for iWARP
		"client_port": integer, "server_port": integer, "file": integer, "reject_reason": text,
		"terminate": text, "terminated_by": oneOf("client", "server"),
		"negotiation":            negotiation, // where another version than 1 was tried
		"client_characteristics": listOf(change), "server_characteristics": listOf(change),
	})

	messageMembers = members{
		"connection":    integer,
		"frame":         integer,
		"frames":        listOf(integer),
		"time":          nullOr(timestamp),
		"direction":     direction,
		"length":        integer,
		"header_length": integer,
		"xid":           hex32,
		"version":       integer,
		"credits":       integer,
		"proc":          matching(`RDMA_(MSG|NOMSG|MSGP|DONE|ERROR)|RDMA2_(MSG|NOMSG|ERROR|OPTIONAL)|rdma_proc \d+`),
		"invalidated":   nullOr(hex32),
		"reads":         listOf(readChunk),
		"writes":        listOf(chunk),
		"reply":         nullOr(chunk),
		"error": nullOr(object(members{"code": integer, "name": text}, members{
			"vers_low": integer, "vers_high": integer, "processed": boolean, "segment_index": integer, "length_needed": integer,
		})),
		"malformed": nullOr(text),
	}.with(members{"whole": boolean})

	messageOptional = members{"file": integer, "frame_files": listOf(integer), "missing": text}.with(version2Members)

	messageRecord = object(messageMembers.with(members{"type": oneOf("message")}), messageOptional.with(members{"details": listOf(exhibit)}))

	half = object(messageMembers.with(members{
		"rpc_length": integer,
		"transfer":   oneOf("inline", "chunked", "long"),
	}), messageOptional)

	rpcRecord = object(members{
		"type":           oneOf("rpc"),
		"connection":     integer,
		"xid":            hex32,
		"reverse":        boolean,
		"program":        nullOr(integer),
		"program_name":   text,
		"version":        nullOr(integer),
		"procedure":      nullOr(integer),
		"procedure_name": text,
		"auth":           nullOr(text),
		"call":           nullOr(half),
		"reply":          nullOr(half),
		"status":         text,
		"nfs_status":     text,
		"ops":            listOf(object(members{"op": text, "status": text}, nil)),
		"summary":        text,
		"latency_ns":     nullOr(integer),
		"parts_ns": nullOr(object(members{
			"credit_wait": nullOr(integer), "call": nullOr(integer), "read_chunks": integer, "server": nullOr(integer),
			"write_chunks": integer, "reply": integer, "retransmission": integer, "unattributed": integer,
		}, nil)),
		"rdma_read_bytes":  integer,
		"rdma_write_bytes": integer,
		"frames":           listOf(integer),
		"complete":         boolean,
	}, members{
		"gss_service": oneOf("none", "integrity", "privacy"),
		"frame_files": listOf(integer), "details": listOf(exhibit),
	}.with(besideContract()))

	frameRecord = object(members{
		"type":       oneOf("frame"),
		"frame":      integer,
		"time":       nullOr(timestamp),
		"length":     integer,
		"captured":   integer,
		"connection": nullOr(integer),
		"note":       nullOr(text),
		"message":    nullOr(object(messageMembers, messageOptional)),
		"malformed":  nullOr(text),
	}, members{
		"file": integer, "source": text, "destination": text, "protocol": text, "direction": direction,
		"transport": text, "opcode": text, "dest_qpn": integer, "psn": integer, "ack_request": boolean,
		"payload_length": integer, "rkey": hex32, "va": hex64, "dma_length": integer, "syndrome": text,
		"msn": integer, "swap": hex64, "compare": hex64, "original": hex64, "immediate": hex32, "invalidated": hex32, "icrc": oneOf("right", "wrong", "unchecked"),
		"missing_before": integer, "comments": listOf(text), "details": listOf(exhibit),
		"source_port": integer, "destination_port": integer, "tcp_seq": integer, "tcp_ack": integer,
		"tcp_flags": text, "units": listOf(unit),
	})

	fpdu = object(members{
		"kind": oneOf("fpdu"), "opcode": text, "summary": text, "ulpdu_length": integer,
		"payload_length": integer, "crc": oneOf("right", "wrong", "not used", "unchecked"), "markers": integer,
		"malformed": nullOr(text),
	}, members{
		"frame": integer, "last": boolean, "stag": hex32, "to": hex64, "qn": integer, "msn": integer, "mo": integer, "invalidated": hex32,
		"read_request": object(members{
			"sink_stag": hex32, "sink_to": hex64, "size": integer, "source_stag": hex32, "source_to": hex64,
		}, nil),
	})

	mpaFrame = object(members{
		"kind": oneOf("mpa_request", "mpa_reply"), "summary": text, "revision": integer, "markers": boolean,
		"crc": boolean, "reject": boolean, "enhanced": boolean, "malformed": nullOr(text),
	}, members{"frame": integer, "peer_to_peer": boolean, "ird": integer, "ord": integer})

	summaryRecord = object(members{
		"type":             oneOf("summary"),
		"files":            integer,
		"frames":           integer,
		"bytes":            integer,
		"connections":      integer,
		"messages":         integer,
		"rpcs":             integer,
		"incomplete_rpcs":  integer,
		"findings":         object(members{"error": integer, "warning": integer, "note": integer}, nil),
		"not_rdma_frames":  integer,
		"malformed_frames": integer,
		"bad_icrc":         integer,
		"lost_in_capture":  integer,
		"capture_seconds":  number,
		"elapsed_seconds":  number,
	}.with(members{ // beside the contract
		"lost_on_wire": integer, "retransmissions": integer, "duplicates": integer, "reordered": integer,
		"bad_crc": integer,
	}), members{
		"shown":   integer,                                 // with --filter
		"verdict": text, "overview": listOf(object(members{ // of check
			"rule": text, "severity": oneOf("error", "warning", "note"), "title": text, "connections": integer, "count": integer,
			"first_frame": integer, "worst": text,
		}, members{"first_file": integer})),
	})

	exhibit = object(members{"title": text, "fields": listOf(node)}, members{"octets": matching(`([0-9a-f]{2})*`)})
)

// unit is what a frame of iWARP completes: an FPDU, or an MPA frame.
func unit(v any) error {
	if m, ok := v.(map[string]any); ok && m["kind"] == "fpdu" {
		return fpdu(v)
	}
	return mpaFrame(v)
}

// node is a field of a details tree, and what is below it.
func node(v any) error {
	return object(members{"name": text, "start": integer, "end": integer},
		members{"key": text, "value": text, "fault": text, "fields": listOf(node)})(v)
}

var records = map[string]kind{
	"connection": connectionRecord,
	"frame":      frameRecord,
	"message":    messageRecord,
	"rpc":        rpcRecord,
	"summary":    summaryRecord,
}

// besideContract are the members of an rpc record that stand beside the contract, as the
// table of RPCs has them.
func besideContract() members {
	kinds := map[string]kind{"string": text, "number": integer, "boolean": boolean}
	list := make(members)
	for _, m := range query.RPCMembers() {
		if m.Member.Beyond {
			list[m.Member.Name] = kinds[m.Type()]
		}
	}
	return list
}
