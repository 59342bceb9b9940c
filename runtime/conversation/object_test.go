package conversation

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestShortenedArgumentsSayWhatTheCallIsAbout(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("第", 1<<15)
	for _, c := range []struct{ arguments, want string }{
		{`{"path":"a.go","content":"` + long + `"}`, `{"content":"` + long[:198] + `","path":"a.go"}`},
		{`{"items":[` + strings.Repeat(`"x",`, 300) + `"y"],"n":3}`, `{"n":3}`},
		{`{"to":["a","b"]}`, `{"to":["a","b"]}`},
		{`not an object`, `not an object`},
		{long, ""},
		{"", ""},
	} {
		if got := Shorten(c.arguments); got != c.want {
			t.Errorf("Shorten(%.40s) = %.300s, want %.300s", c.arguments, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		members := rapid.MapOf(rapid.String(), rapid.SliceOf(rapid.String())).Draw(t, "members")
		written, _ := json.Marshal(members)
		got := Shorten(string(written))
		if got != string(written) && got != "" && (Members(got) == nil || len(got) > 16<<10) {
			t.Fatalf("Shorten(%s) = %s", written, got)
		}
	})
}
