// Package repository holds tests of the files that outsiders meet first: the forms for issues, the
// workflows, and the licence in files that are copied alone.
package repository
