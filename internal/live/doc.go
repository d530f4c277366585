// Package live follows traffic as it happens: it has frames captured on interfaces, or reads what
// another tool captures; divides memory among the rings, what is kept and what follows
// connections; leaves out whole connections where that is too little, or time is; keeps frames,
// and what was around a finding; and answers for monitoring.
//
//	interfaces, device, growing file ──> keeper ──> pipeline ──> check.Check ──> form, views
//	                     evidence <── keeper <── findings <──────────────┘
//
// A Session puts that together. It knows no flags, and writes to people only by Options.Notify.
package live
