// Package numbers has the numbers of the operations, procedures and statuses of NFS as constants.
// They are generated from the texts in XDR language of package nfs: nothing has to be
// parsed to compare a number with OpReadPlus.
package numbers

//go:generate go run ../../../internal/nfsgen numbers.go

// OperationName is the name of an operation of NFS version 4 ("READ_PLUS"), "" if it
// has none.
func OperationName(op uint64) string {
	if op < uint64(len(operationNames)) {
		return operationNames[op]
	}
	return ""
}
