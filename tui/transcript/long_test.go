package transcript_test

import "testing"

// The only match in a long conversation is far from its end, where the search begins.
func TestSearchLeadsToAFarMatchFromTheEnd(t *testing.T) {
	t.Parallel()
	sh := many(100_000)
	r := opened(plainly(), sh)
	sh.asked = nil
	searched(r, sh, "number 50000")
	shows(t, r.Rows(80, 24), "question number 50000", "1 of 1")
	if len(sh.asked) > 2 {
		t.Errorf("for one match it read %v", sh.asked)
	}
	if sh.scans > 60 {
		t.Errorf("it searched in %d parts", sh.scans)
	}
	r.EndSearch()
	sh.feed(r)
	shows(t, r.Rows(80, 24), "answer number 99999")
}
