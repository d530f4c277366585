package main

// liveOptions are the flags of rdmacap live.
type liveOptions struct {
	inputOptions
	ruleOptions
	memoryOptions
	keepOptions
	topOptions
	metricsOptions
	parquetFlags
	place         placeOptions
	interfaces    []string
	from          string
	follow        bool
	captureFilter string
	hardware      bool
	format        string
	level         string
	filter        string
	brief         bool
	all           bool
	color         string
	bindings      []string
}

// metricsOptions are the flags of rdmacap live about monitoring.
type metricsOptions struct{ metrics string }

// keepOptions are the flags of rdmacap live about what is kept.
type keepOptions struct {
	dir       string
	ring      string
	onFinding string
	around    string
	evidence  string
}
