package main

// What version 2 adds to the records.
var (
	xcharName = oneOf("XCHAR_RBSIZ", "XCHAR_RQREMINV", "XCHAR_BRS", "")

	version2Members = members{
		"rdma_direction": nullOr(matching(`CALL|REPLY|rdma_direction \d+`)),
		"inv_handle":     nullOr(hex32),
		"option": nullOr(object(members{
			"type":            integer,
			"name":            oneOf("INIT_XCHAR", "REQ_XCHAR", "RESP_XCHAR", "UPD_XCHAR", ""),
			"characteristics": listOf(object(members{"id": integer, "name": xcharName, "value": scalar}, nil)),
			"no_change":       listOf(integer), "done": listOf(integer), "rejected": listOf(integer), "pending": listOf(integer),
			"pending_clear": boolean,
		}, members{"octets": text})),
	}

	negotiation = object(members{"tried": nullOr(integer), "refused": boolean, "agreed": nullOr(integer)}, members{"vers_low": integer, "vers_high": integer})

	change = object(members{
		"frame": integer, "by": oneOf("INIT_XCHAR", "RESP_XCHAR", "UPD_XCHAR"), "id": integer, "name": xcharName,
		"value": nullOr(scalar), "no_change": boolean,
	}, nil)
)

// scalar is a number, a Boolean or text.
func scalar(v any) error {
	if integer(v) == nil || boolean(v) == nil {
		return nil
	}
	return text(v)
}
