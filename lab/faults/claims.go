package main

import "regexp"

// What a verdict may claim. A claim about one direction has that after it: "lost-before/to-server".
const (
	lostBeforeTap = "lost-before"
	lostBehindTap = "lost-behind"
	unanswered    = "unanswered" // sent several times: lost, or what acknowledges it was
	onlyLarge     = "only-large"
	overtaken     = "overtaken"
	changed       = "changed"
	twice         = "twice"
	slowWay       = "slow-way"
	slowRate      = "slow-rate"
	serverTurn    = "server-did-not-answer"
	restarted     = "restarted"
	serverLeft    = "server-left"
	clientLeft    = "client-left"
	rejected      = "rejected"
	noAnswer      = "no-answer"
	noSpace       = "no-space"
	readOnlyFS    = "read-only"
	staleHandle   = "stale"
	unsupported   = "version"
)

// claimed are the claims in a text.
func claimed(text string) (list []string) {
	const from, host = `from the (client|server)`, ` \S+`
	for _, x := range []struct{ claim, words string }{
		{lostBeforeTap, `lost at least \S+ frames? ` + from + `[^:;]* before (?:it|they) reached`},
		{lostBeforeTap, `they reached the capture point: at least \S+ to the (server) and`},
		{lostBeforeTap, `they reached the capture point: at least \S+ to the server and \S+ to the (client)`},
		{lostBeforeTap, `[Tt]he (client|server) reset the connection, which it no longer had`},
		{lostBehindTap, `lost frames ` + from + `[^:;]* beyond the capture point`},
		{unanswered, `[Ff]rames? ` + from + `[^:;]* (?:was|were) (?:retransmitted|sent \d+ times)`},
		{onlyLarge, `[Ff]rames ` + from + `[^;]* All of them carry`},
		{overtaken, `[Ff]rames? ` + from + `[^:;]* (?:was|were) (?:overtaken|reordered)`},
		{changed, `[Ff]rames? ` + from + `[^:;]* (?:was|were) corrupted in transit`},
		{changed, `[Ff]rames? ` + from + `[^:;]* with a wrong check value`},
		{twice, `frames of the (client|server) appear twice`},
		{slowWay, `the path there and back is slow`},
		{slowRate, `calls waited for it, the (client|server)'s data moved at`},
		{serverTurn, `the server had acknowledged it and did not answer`},
		{restarted, `NFS service of the server\S* \S+ was restarted`},
		{serverLeft, `[Tt]he server (?:ended|resets?) the connection`},
		{clientLeft, `[Tt]he client (?:ended|resets?) the connection`},
		{rejected, `rejected the connection|refused the connection|nobody listens`},
		{noAnswer, `[Tt]he client's \S+(?: \S+)? to port \d+ was sent \d+ times in [^,]*, and the capture has no answer`},
		{noAnswer, `[Tt]he client's \S+(?: \S+)? was sent \d+ times in \S+ \S+ before an answer was captured`},
		{noAnswer, `was requested \d+ times, and nothing answered`},
		{noSpace, `ERR_NOSPC`},
		{readOnlyFS, `ERR_ROFS`},
		{staleHandle, `ERR_STALE\b|ERR_ACC|denied`},
		{unsupported, `message of version|ERR_VERS`},
	} {
		for _, m := range regexp.MustCompile(x.words).FindAllStringSubmatch(text, -1) {
			claim := x.claim
			if len(m) > 1 {
				claim += wayOf(x.words, m[1])
			}
			list = append(list, claim)
		}
	}
	return list
}

// wayOf is the direction of what an end sent, or of what was lost to it.
func wayOf(words, end string) string {
	to := map[string]string{"client": "/" + toServer, "server": "/" + toClient}
	if regexp.MustCompile(`to the \((client|server)\)`).MatchString(words) {
		to = map[string]string{"client": "/" + toClient, "server": "/" + toServer}
	}
	return to[end]
}

// claimsOf are the claims that name a kind of fault in a direction, and others that are no lie: what a fault of one
// direction does to acknowledgements, and what comes with losses.
func claimsOf(name, way string) (right, may []string) {
	back := map[string]string{toServer: toClient, toClient: toServer}[way]
	of := func(claim string) string { return claim + "/" + way }
	other := func(claim string) string { return claim + "/" + back }
	switch name {
	case "loss-before":
		return []string{of(lostBeforeTap)}, []string{other(unanswered)}
	case "burst-before":
		return []string{of(lostBeforeTap), other(unanswered)}, []string{clientLeft}
	case "loss-behind":
		return []string{of(lostBehindTap), of(unanswered)}, nil
	case "burst-behind":
		return []string{of(lostBehindTap), of(unanswered)}, []string{clientLeft}
	case "link-down":
		all := []string{}
		for _, c := range []string{lostBehindTap, unanswered} {
			all = append(all, c+"/"+toServer, c+"/"+toClient)
		}
		return all, []string{clientLeft}
	case "mtu":
		return []string{of(onlyLarge)}, []string{of(lostBehindTap), of(unanswered)}
	case "delay":
		return []string{slowWay}, []string{of(slowRate)}
	case "rate":
		return []string{of(slowRate)}, []string{slowWay}
	case "reorder":
		return []string{of(overtaken)}, nil
	case "duplicate":
		return []string{of(twice)}, nil
	case "corrupt":
		return []string{of(changed)}, nil
	case "frozen":
		return []string{serverTurn}, []string{clientLeft}
	case "restart", "restart-v3":
		return []string{restarted, serverLeft}, []string{rejected}
	case "reset":
		return []string{serverLeft}, nil
	case "full":
		return []string{noSpace}, nil
	case "read-only":
		return []string{readOnlyFS}, nil
	case "withdrawn":
		return []string{staleHandle}, []string{serverTurn} // it asks who may do what
	case "refused":
		return []string{rejected}, nil
	case "unreachable":
		return []string{noAnswer}, nil
	case "version":
		return []string{unsupported}, nil
	}
	return nil, nil
}
