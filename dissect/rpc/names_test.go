package rpc

import (
	"fmt"
	"testing"
)

func TestEnumNames(t *testing.T) {
	for want, got := range map[string]fmt.Stringer{
		"AUTH_NONE": AuthNone, "AUTH_SYS": AuthSys, "AUTH_SHORT": AuthShort, "AUTH_DH": AuthDH, "RPCSEC_GSS": RPCSECGSS, "AUTH_TLS": AuthTLS,
		"flavor 4": Flavor(4), "flavor 4294967295": Flavor(1<<32 - 1),
		"RPCSEC_GSS_DATA": GSSData, "RPCSEC_GSS_INIT": GSSInit, "RPCSEC_GSS_CONTINUE_INIT": GSSContinueInit, "RPCSEC_GSS_DESTROY": GSSDestroy,
		"RPCSEC_GSS_BIND_CHANNEL": GSSBindChannel, "RPCSEC_GSS_CREATE": GSSCreate, "RPCSEC_GSS_LIST": GSSList, "gss_proc 7": GSSProc(7),
		"none": ServiceNone, "integrity": ServiceIntegrity, "privacy": ServicePrivacy, "channel_prot": ServiceChannelProt, "service 0": GSSService(0),
		"SUCCESS": Success, "PROG_UNAVAIL": ProgUnavail, "PROG_MISMATCH": ProgMismatch, "PROC_UNAVAIL": ProcUnavail, "GARBAGE_ARGS": GarbageArgs,
		"SYSTEM_ERR": SystemErr, "accept_stat 6": AcceptStat(6),
		"RPC_MISMATCH": RPCMismatch, "AUTH_ERROR": AuthError, "reject_stat 2": RejectStat(2),
		"AUTH_OK": AuthStat(0), "AUTH_TOOWEAK": AuthStat(5), "AUTH_FAILED": AuthStat(7),
		"RPCSEC_GSS_CREDPROBLEM": GSSCredProblem, "RPCSEC_GSS_CTXPROBLEM": GSSCtxProblem, "auth_stat 15": AuthStat(15),
	} {
		if got.String() != want {
			t.Errorf("String() = %q, want %q", got.String(), want)
		}
	}
}

// TestProcedureNames holds the first, the last and the odd ones of every
// program and version against the numbers of their specifications.
func TestProcedureNames(t *testing.T) {
	for _, tt := range []struct {
		prog, vers, proc uint32
		want             string
	}{
		{100003, 2, 0, "NULL"}, {100003, 2, 3, "ROOT"}, {100003, 2, 7, "WRITECACHE"}, {100003, 2, 17, "STATFS"}, {100003, 2, 18, ""},
		{100003, 3, 1, "GETATTR"}, {100003, 3, 4, "ACCESS"}, {100003, 3, 6, "READ"}, {100003, 3, 7, "WRITE"}, {100003, 3, 10, "SYMLINK"}, {100003, 3, 17, "READDIRPLUS"}, {100003, 3, 21, "COMMIT"}, {100003, 3, 22, ""},
		{100003, 4, 0, "NULL"}, {100003, 4, 1, "COMPOUND"}, {100003, 4, 2, ""}, {100003, 1, 0, ""}, {100003, 5, 0, ""}, {100003, 1<<32 - 1, 0, ""},
		{100005, 1, 1, "MNT"}, {100005, 1, 6, "EXPORTALL"}, {100005, 1, 7, ""}, {100005, 2, 7, "PATHCONF"}, {100005, 3, 5, "EXPORT"}, {100005, 3, 6, ""},
		{100021, 1, 2, "LOCK"}, {100021, 1, 15, "GRANTED_RES"}, {100021, 2, 16, ""}, {100021, 3, 16, ""}, {100021, 3, 20, "SHARE"}, {100021, 4, 6, "TEST_MSG"}, {100021, 4, 23, "FREE_ALL"}, {100021, 4, 24, ""},
		{100024, 1, 2, "MON"}, {100024, 1, 6, "NOTIFY"}, {100024, 1, 7, ""},
		{100227, 2, 4, "ACCESS"}, {100227, 3, 1, "GETACL"}, {100227, 3, 2, "SETACL"}, {100227, 3, 3, ""},
		{100000, 2, 3, "GETPORT"}, {100000, 3, 3, "GETADDR"}, {100000, 3, 5, "CALLIT"}, {100000, 3, 9, ""}, {100000, 4, 5, "BCAST"}, {100000, 4, 12, "GETSTAT"}, {100000, 4, 13, ""},
		{0x40000000, 1, 0, "CB_NULL"}, {0x40000000, 1, 1, "CB_COMPOUND"}, {0x40000000, 4, 1, "CB_COMPOUND"}, {0x40000000, 1, 2, ""},
		{100300, 1, 0, ""},
	} {
		if got := ProcedureName(tt.prog, tt.vers, tt.proc); got != tt.want {
			t.Errorf("ProcedureName(%d, %d, %d) = %q, want %q", tt.prog, tt.vers, tt.proc, got, tt.want)
		}
	}
	if CallbackProcedureName(1) != "CB_COMPOUND" || CallbackProcedureName(2) != "" {
		t.Errorf("CallbackProcedureName = %q, %q", CallbackProcedureName(1), CallbackProcedureName(2))
	}
}

func TestProgramNames(t *testing.T) {
	for prog, want := range map[uint32]string{
		100003: "NFS", 100005: "MOUNT", 100021: "NLM", 100024: "NSM", 100227: "NFSACL", 100000: "rpcbind", 0x40000000: "NFS callback", 100300: "", 0: "",
	} {
		if got := ProgramName(prog); got != want {
			t.Errorf("ProgramName(%d) = %q, want %q", prog, got, want)
		}
	}
}

func TestLabels(t *testing.T) {
	for _, tt := range []struct {
		prog, vers, proc uint32
		want             string
	}{
		{100003, 3, 1, "NFS3 GETATTR"}, {100003, 4, 1, "NFS4 COMPOUND"}, {100005, 3, 1, "MOUNT3 MNT"}, {100227, 3, 1, "NFSACL3 GETACL"},
		{0x40000000, 1, 1, "NFS callback CB_COMPOUND"}, {0x40000000, 1, 9, "NFS callback proc 9"},
		{100003, 3, 99, "NFS3 proc 99"}, {100003, 7, 0, "NFS7 proc 0"}, {100300, 1, 7, "prog 100300 v1 proc 7"},
	} {
		if got := string(AppendLabel([]byte(">"), tt.prog, tt.vers, tt.proc)); got != ">"+tt.want {
			t.Errorf("label %q, want %q", got, ">"+tt.want)
		}
	}
	if got := string(AppendCallbackLabel(nil, 1)); got != "NFS callback CB_COMPOUND" {
		t.Errorf("callback label %q", got)
	}
}
