package rpc

// An AcceptStat is accept_stat of an accepted reply (RFC 5531, section 9).
type AcceptStat uint32

const (
	Success      AcceptStat = iota // SUCCESS: the results follow
	ProgUnavail                    // PROG_UNAVAIL
	ProgMismatch                   // PROG_MISMATCH, with the range of versions
	ProcUnavail                    // PROC_UNAVAIL
	GarbageArgs                    // GARBAGE_ARGS
	SystemErr                      // SYSTEM_ERR
)

// String is the status's name, or its number: "accept_stat 9".
func (s AcceptStat) String() string { return nameOr(acceptName(uint64(s)), "accept_stat ", uint32(s)) }

func acceptName(v uint64) string { return nth(acceptNames[:], v) }

var acceptNames = [...]string{
	Success:      "SUCCESS",
	ProgUnavail:  "PROG_UNAVAIL",
	ProgMismatch: "PROG_MISMATCH",
	ProcUnavail:  "PROC_UNAVAIL",
	GarbageArgs:  "GARBAGE_ARGS",
	SystemErr:    "SYSTEM_ERR",
}

// A RejectStat is reject_stat of a denied reply (RFC 5531, section 9).
type RejectStat uint32

const (
	RPCMismatch RejectStat = iota // RPC_MISMATCH, with the range of versions
	AuthError                     // AUTH_ERROR, with an auth_stat
)

// String is the status's name, or its number: "reject_stat 9".
func (s RejectStat) String() string { return nameOr(rejectName(uint64(s)), "reject_stat ", uint32(s)) }

func rejectName(v uint64) string { return nth(rejectNames[:], v) }

var rejectNames = [...]string{
	RPCMismatch: "RPC_MISMATCH",
	AuthError:   "AUTH_ERROR",
}

// An AuthStat is auth_stat: why a server refused a credential or verifier
// (RFC 5531, section 9; 13 and 14 are of RFC 2203). Its values are in a
// registry that grows, so that none is a fault.
type AuthStat uint32

// The values that RPCSEC_GSS uses to ask for a new context.
const (
	GSSCredProblem AuthStat = 13 // RPCSEC_GSS_CREDPROBLEM
	GSSCtxProblem  AuthStat = 14 // RPCSEC_GSS_CTXPROBLEM
)

// String is the status's name, or its number: "auth_stat 99".
func (s AuthStat) String() string { return nameOr(authStatName(uint64(s)), "auth_stat ", uint32(s)) }

func authStatName(v uint64) string { return nth(authStatNames[:], v) }

var authStatNames = [...]string{
	"AUTH_OK",
	"AUTH_BADCRED",
	"AUTH_REJECTEDCRED",
	"AUTH_BADVERF",
	"AUTH_REJECTEDVERF",
	"AUTH_TOOWEAK",
	"AUTH_INVALIDRESP",
	"AUTH_FAILED",
	"AUTH_KERB_GENERIC",
	"AUTH_TIMEEXPIRE",
	"AUTH_TKT_FILE",
	"AUTH_DECODE",
	"AUTH_NET_ADDR",
	GSSCredProblem: "RPCSEC_GSS_CREDPROBLEM",
	GSSCtxProblem:  "RPCSEC_GSS_CTXPROBLEM",
}
