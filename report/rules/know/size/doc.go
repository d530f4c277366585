// Package size estimates how large the reply to a call can become, by what the
// call asks for and by the XDR texts of its program. Rules about reply resources
// share it.
//
//	            Least                       Most
//	|───────────────|─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─|
//	what the arguments allow    the longest that the result's type can be
//
// The longest reply that a call permits lies between the two. A rule that there is
// too little room asks Least; one that there is too much asks Most.
package size
