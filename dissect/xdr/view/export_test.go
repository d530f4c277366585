package view

// MaxSummary is what a line has at most of several operations.
const MaxSummary = maxSummary
