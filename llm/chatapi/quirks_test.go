package chatapi

import (
	"reflect"
	"testing"
	"time"
)

// Two requests that fail at the same time learn different quirks: what either of them
// has learned must stay.
func TestQuirksOfTwoRequestsAreBothKept(t *testing.T) {
	t.Parallel()
	all := quirks{}
	each := []quirks{
		{limit: 1},
		{noStreamOptions: true},
		{noExtras: true},
		{shortIDs: true},
		{reasoning: demanded},
		{reasoning: refused},
		{noTemperature: true},
		{noTopP: true},
		{noEffort: true},
		{mustThink: true},
		{toolsNoEffort: true},
		{efforts: 2},
		{noCache: true},
		{noSystem: true},
		{withoutTools: [3]string{"f"}},
		{litellm: true},
	}
	if got, want := reflect.TypeFor[quirks]().NumField(), 15; got != want {
		t.Fatalf("quirks has %d fields, this test knows %d", got, want)
	}
	for _, h := range each {
		if got := (quirks{}).and(h); got != h {
			t.Errorf("none and %+v = %+v", h, got)
		}
		if got := h.and(quirks{}); got != h {
			t.Errorf("%+v and none = %+v", h, got)
		}
		all = all.and(h)
	}
	want := quirks{
		limit: 1, noStreamOptions: true, noExtras: true, shortIDs: true, reasoning: refused,
		noTemperature: true, noTopP: true, noEffort: true, mustThink: true, toolsNoEffort: true, efforts: 2,
		noCache: true, noSystem: true, withoutTools: [3]string{"f"}, litellm: true,
	}
	if all != want {
		t.Errorf("all = %+v, want %+v", all, want)
	}
}

// Of several status codes in an error the innermost, which is read first, is that of the
// failure: what wraps it is somebody else's.
func TestTheFirstStatusCodeOfAnErrorIsKept(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int{
		`{"error":{"message":"slow down","code":429},"code":500}`:             429,
		`{"error":{"message":"slow down","error":{"code":429}},"status":502}`: 429,
		`{"code":503,"error":{"message":"busy"}}`:                             503,
		`{"error":{"message":"no","code":7},"status":401}`:                    401,
	} {
		if got := (redactor{}).classify(0, nil, []byte(body), time.Now()); got.Status != want {
			t.Errorf("%s is of status %d, not %d", body, got.Status, want)
		}
	}
}

// Of several names the first code counts, wherever a type stands.
func TestTheCodeOfAnErrorIsKeptBesideItsType(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		names []string // a type begins with "t:"
		want  string
	}{
		{[]string{"t:invalid_request_error", "model_not_found"}, "model_not_found"},
		{[]string{"model_not_found", "t:invalid_request_error"}, "model_not_found"},
		{[]string{"model_not_found", "internal_error"}, "model_not_found"},
		{[]string{"t:invalid_request_error", "model_not_found", "internal_error"}, "model_not_found"},
		{[]string{"t:invalid_request_error", "t:other"}, "invalid_request_error"},
		{[]string{"invalid api key given", "t:auth"}, "auth"},
	} {
		var r report
		for _, name := range c.names {
			plain, isType := name, false
			if len(name) > 2 && name[:2] == "t:" {
				plain, isType = name[2:], true
			}
			r.called(plain, !isType)
		}
		if r.name != c.want {
			t.Errorf("called with %v: name = %q, want %q", c.names, r.name, c.want)
		}
	}
}
