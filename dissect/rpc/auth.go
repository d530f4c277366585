package rpc

import "strconv"

// A Flavor is the flavor of a credential or verifier (RFC 5531, section 8.2).
type Flavor uint32

// Flavors of RFC 5531 section 14.6, RFC 2203 and RFC 9289. Those that no NFS
// peer uses keep their number as their name.
const (
	AuthNone  Flavor = 0 // AUTH_NONE
	AuthSys   Flavor = 1 // AUTH_SYS
	AuthShort Flavor = 2 // AUTH_SHORT
	AuthDH    Flavor = 3 // AUTH_DH
	RPCSECGSS Flavor = 6 // RPCSEC_GSS
	AuthTLS   Flavor = 7 // AUTH_TLS
)

// maxAuthBody is the most bytes that the body of a credential or verifier
// may have (RFC 5531, section 8.2).
const maxAuthBody = 400

// String is the flavor's name, or its number: "flavor 390003".
func (f Flavor) String() string { return nameOr(flavorName(uint64(f)), "flavor ", uint32(f)) }

func flavorName(v uint64) string { return nth(flavorNames[:], v) }

var flavorNames = [...]string{
	AuthNone:  "AUTH_NONE",
	AuthSys:   "AUTH_SYS",
	AuthShort: "AUTH_SHORT",
	AuthDH:    "AUTH_DH",
	RPCSECGSS: "RPCSEC_GSS",
	AuthTLS:   "AUTH_TLS",
}

// A GSSProc is gss_proc of an RPCSEC_GSS credential (RFC 2203, section 5;
// 4 is of RFC 5403, 5 and 6 of RFC 7861).
type GSSProc uint32

const (
	GSSData         GSSProc = iota // RPCSEC_GSS_DATA: a call of the program
	GSSInit                        // RPCSEC_GSS_INIT: this and the others are control messages
	GSSContinueInit                // RPCSEC_GSS_CONTINUE_INIT
	GSSDestroy                     // RPCSEC_GSS_DESTROY
	GSSBindChannel                 // RPCSEC_GSS_BIND_CHANNEL
	GSSCreate                      // RPCSEC_GSS_CREATE
	GSSList                        // RPCSEC_GSS_LIST
)

// String is the procedure's name, or its number: "gss_proc 9".
func (p GSSProc) String() string { return nameOr(gssProcName(uint64(p)), "gss_proc ", uint32(p)) }

func gssProcName(v uint64) string { return nth(gssProcNames[:], v) }

var gssProcNames = [...]string{
	GSSData:         "RPCSEC_GSS_DATA",
	GSSInit:         "RPCSEC_GSS_INIT",
	GSSContinueInit: "RPCSEC_GSS_CONTINUE_INIT",
	GSSDestroy:      "RPCSEC_GSS_DESTROY",
	GSSBindChannel:  "RPCSEC_GSS_BIND_CHANNEL",
	GSSCreate:       "RPCSEC_GSS_CREATE",
	GSSList:         "RPCSEC_GSS_LIST",
}

// A GSSService says how RPCSEC_GSS protects arguments and results (RFC 2203,
// section 5.2.2; channel protection: RFC 5403).
type GSSService uint32

const (
	ServiceNone        GSSService = 1 // none: only the header is authenticated
	ServiceIntegrity   GSSService = 2 // integrity: arguments and results carry a checksum
	ServicePrivacy     GSSService = 3 // privacy: arguments and results are encrypted
	ServiceChannelProt GSSService = 4 // channel_prot: a lower layer protects them
)

// String is the service's name, or its number: "service 9".
func (s GSSService) String() string { return nameOr(gssServiceName(uint64(s)), "service ", uint32(s)) }

func gssServiceName(v uint64) string { return nth(gssServiceNames[:], v) }

var gssServiceNames = [...]string{
	ServiceNone:        "none",
	ServiceIntegrity:   "integrity",
	ServicePrivacy:     "privacy",
	ServiceChannelProt: "channel_prot",
}

// nth is the name of number v, "" where there is none.
func nth(names []string, v uint64) string {
	if v < uint64(len(names)) {
		return names[v]
	}
	return ""
}

// nameOr is name, or what and the number where the number has no name.
func nameOr(name, what string, number uint32) string {
	if name != "" {
		return name
	}
	return what + strconv.FormatUint(uint64(number), 10)
}
