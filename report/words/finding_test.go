package words

import "testing"

func TestSentence(t *testing.T) {
	for s, want := range map[string]string{
		"": "", "the server sent it": "The server sent it.", "It did.": "It did.",
		"rdma_credit is 0": "rdma_credit is 0.", "RDMA_MSG": "RDMA_MSG.", "0 credits": "0 credits.",
	} {
		if got := Sentence(s); got != want {
			t.Errorf("%q becomes %q, want %q", s, got, want)
		}
	}
}
