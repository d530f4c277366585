// Package layering holds the check that imports follow the direction in which
// data flows:
//
//	field, dissect/span, dissect/xdr      leaves: anyone may import them
//	dissect/xdr/syntax -> dissect/xdr/types -> dissect/xdr/walk -> dissect/xdr/view
//	capture/link -> capture -> rocev2 -> dissect/flow -> dissect/rpcrdma
//	  -> dissect/rpc -> dissect -> report/finding -> report/words
//	  -> report/lines -> report/rows -> report/rows/findings -> cmd/rdmacap
//	  -> report/record, report/page -> report/html -> internal/pipeline/pages
//	  -> internal/pipeline, internal/pipeline/pages -> internal/live -> cmd/rdmacap
//	dissect/flow -> dissect/flow/order -> dissect/flow/qp, dissect/flow/tcp -> dissect/flow/track
//	rocev2 -> rocev2/layers               for other programs; ours do not pay for it
//
// Nothing on the left imports anything on its right. The order itself stands in the
// test, as a table; what stands under internal and not in the table serves tests only,
// but for scene, which plays the samples of a user's rules too.
package layering
