package httpapi_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"

	"society-tui/runtime/propertytest"
)

// bodies returns the schemas of the bodies of all POST routes, by a path of each.
func bodies() map[string]*jsonschema.Schema {
	all := map[string]*jsonschema.Schema{}
	for path, methods := range documented().paths {
		if o, ok := methods["post"]; ok {
			schema := o.RequestBody.Content["application/json"].Schema
			id := "root"
			if strings.HasPrefix(path, "/api/approvals/") {
				id = "1"
			}
			all[strings.ReplaceAll(path, "{id}", id)] = &schema
		}
	}
	return all
}

// A member is one of a JSON object; its name and value are JSON.
type member struct{ name, value string }

func object(members []member) string {
	var parts []string
	for _, m := range members {
		parts = append(parts, m.name+":"+m.value)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// valid returns the members of a body that a route decodes, and the name of one that can be
// spoilt, "" for none.
func valid(t *rapid.T, schema *jsonschema.Schema) (members []member, name string) {
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		value := quote(texts().Draw(t, name))
		switch schema.Properties[name].Type {
		case "boolean":
			value = fmt.Sprint(rapid.Bool().Draw(t, name))
		case "array":
			value = "[]"
		case "integer":
			value = fmt.Sprint(rapid.IntRange(0, 9).Draw(t, name))
		}
		members = append(members, member{quote(name), value})
	}
	if len(members) > 0 {
		name = rapid.SampledFrom(slices.Sorted(maps.Keys(schema.Properties))).Draw(t, "field")
	}
	return members, name
}

// A spoiler makes a body that does not fit of one that does. It returns the field that is to
// be named, and whether it found something to spoil.
type spoiler func(members []member, name string, is *jsonschema.Schema) (body, field string, ok bool)

// with returns the members with another value for one of them.
func with(members []member, name, value string) string {
	members = slices.Clone(members)
	for i := range members {
		if members[i].name == quote(name) {
			members[i].value = value
		}
	}
	return object(members)
}

func spoilers() map[string]spoiler {
	value := func(value string) spoiler {
		return func(members []member, name string, _ *jsonschema.Schema) (string, string, bool) {
			return with(members, name, value), name, name != ""
		}
	}
	text := func(value string) spoiler {
		return func(members []member, name string, is *jsonschema.Schema) (string, string, bool) {
			return with(members, name, value), name, name != "" && is.Properties[name].Type == "string"
		}
	}
	whole := func(body string) spoiler {
		return func([]member, string, *jsonschema.Schema) (string, string, bool) { return body, "", true }
	}
	return map[string]spoiler{
		"unknown": func(members []member, _ string, _ *jsonschema.Schema) (string, string, bool) {
			return object(append(members, member{`"other"`, `1`})), "other", true
		},
		"unknown beside nothing": func([]member, string, *jsonschema.Schema) (string, string, bool) {
			return `{"__proto__":{}}`, "__proto__", true
		},
		"twice": func(members []member, name string, _ *jsonschema.Schema) (string, string, bool) {
			return object(append(members, member{quote(name), `"again"`})), name, name != ""
		},
		"twice, once escaped": func(members []member, name string, _ *jsonschema.Schema) (string, string, bool) {
			if name == "" {
				return "", "", false
			}
			return object(append(members, member{fmt.Sprintf(`"\u%04x%s"`, name[0], name[1:]), `"again"`})), name, true
		},
		"miscased": func(members []member, name string, _ *jsonschema.Schema) (string, string, bool) {
			if name == "" {
				return "", "", false
			}
			other := strings.ToUpper(name[:1]) + name[1:]
			return object(append(members, member{quote(other), `"again"`})), other, true
		},
		"null": value(`null`), "object": value(`{"a":"b"}`),
		"number": func(members []member, name string, is *jsonschema.Schema) (string, string, bool) {
			return with(members, name, `7`), name, name != "" && is.Properties[name].Type != "integer"
		},
		"array": func(members []member, name string, is *jsonschema.Schema) (string, string, bool) {
			if name == "" {
				return "", "", false
			}
			if is.Properties[name].Type == "array" {
				return with(members, name, `[{}]`), name + ".0", true // in which no item fits
			}
			return with(members, name, `["a"]`), name, true
		},
		"a null within": func(members []member, name string, _ *jsonschema.Schema) (string, string, bool) {
			return with(members, name, `{"a":[1,null]}`), name + ".a.1", name != ""
		},
		"boolean": text(`true`), "not UTF-8": text("\"\xff\""), "lone surrogate": text(`"\ud800"`), "reversed surrogates": text(`"\udc00\ud800"`), "raw NUL": text("\"\x00\""), "raw newline": text("\"\n\""),
		"trailing data": func(members []member, _ string, _ *jsonschema.Schema) (string, string, bool) {
			return object(members) + " x", "", true
		},
		"a second object": func(members []member, _ string, _ *jsonschema.Schema) (string, string, bool) {
			return object(members) + object(members), "", true
		},
		"cut short": func(members []member, _ string, _ *jsonschema.Schema) (string, string, bool) {
			body := object(members)
			return body[:len(body)-1], "", true
		},
		"only null": whole(`null`), "only an array": whole(`[{}]`), "only a text": whole(`"{}"`), "only a number": whole(`0`), "not JSON": whole(`text=go`), "a BOM": whole("\ufeff{}"), "a comment": whole(`{/**/}`), "very deep": whole(strings.Repeat(`{"a":`, 20_000)),
		"missing": func(members []member, name string, is *jsonschema.Schema) (string, string, bool) {
			return object(slices.DeleteFunc(members, func(m member) bool { return m.name == quote(name) })), name, slices.Contains(is.Required, name)
		},
	}
}

// Whatever is wrong with a body, the reply names the field and nothing happens.
func TestABodyThatDoesNotFitIsRefusedOnEveryRouteWithItsField(t *testing.T) {
	all, wrongs := bodies(), spoilers()
	wanted := propertytest.Met[string]{}
	for name := range wrongs {
		wanted[name] = 1
	}
	for path := range all {
		wanted[path] = 1
	}
	check(t, 2, wanted, func(t *rapid.T, met propertytest.Met[string]) {
		s := open(t, ground{model: whims()})
		defer s.leave()
		before := get[struct{ Next uint64 }](s, "/api/timeline").Next
		for range 5 {
			path := rapid.SampledFrom(slices.Sorted(maps.Keys(all))).Draw(t, "path")
			wrong := rapid.SampledFrom(slices.Sorted(maps.Keys(wrongs))).Draw(t, "wrong")
			members, name := valid(t, all[path])
			body, field, ok := wrongs[wrong](members, name, all[path])
			if !ok {
				continue
			}
			met[wrong]++
			met[path]++
			refuses(t, s, path, body, field)
		}
		if after := get[struct{ Next uint64 }](s, "/api/timeline").Next; after != before || len(s.quits) > 0 {
			t.Fatalf("a refused body had an effect")
		}
	})
}

// refuses checks that a body is refused with the name of a field, or of one within it.
func refuses(t *rapid.T, s *site, path, body, field string) {
	got := s.serve(s.request(http.MethodPost, path, body))
	fields, _ := got.json["fields"].([]any)
	if got.code != http.StatusBadRequest || got.json["error"] != "invalid_arguments" || len(fields) != 1 {
		t.Fatalf("POST %s %.200q = %d %s", path, body, got.code, got.body)
	}
	if name := fields[0].(map[string]any)["field"]; name != field && field != "" { //nolint:forcetypeassert // the schema says so
		t.Fatalf("POST %s %.200q names the field %q, want %q: %s", path, body, name, field, got.body)
	}
}

// Every text of valid Unicode arrives as it was sent, however it was escaped, and comes back
// as it was, also of an agent.
func TestTextsArriveAndComeBackExactly(t *testing.T) {
	check(t, 3, propertytest.Once("NUL", "ESC", "bidi"), func(t *rapid.T, met propertytest.Met[string]) {
		s := open(t, ground{model: echo()})
		defer s.leave()
		text := texts().Filter(func(s string) bool { return strings.TrimSpace(s) != "" }).Draw(t, "text")
		for what, c := range map[string]string{"NUL": "\x00", "ESC": "\x1b", "bidi": "\u202e"} {
			if strings.Contains(text, c) {
				met[what]++
			}
		}
		sent := quote(text)
		if rapid.Bool().Draw(t, "escape all") {
			sent = escaped(text)
		}
		code, task := s.ask(http.MethodPost, "/api/submit", `{"text":`+sent+`}`)
		if code != http.StatusOK {
			t.Fatalf("submit %s = %d %v", sent, code, task)
		}
		settle()
		got := s.serve(s.request(http.MethodGet, fmt.Sprintf("/api/messages/%s", task["taskId"]), ""))
		var page messageList
		if err := json.Unmarshal([]byte(got.body), &page); err != nil {
			t.Fatal(err)
		}
		if len(page.Messages) != 1 || page.Messages[0].Text != text {
			t.Fatalf("%q was echoed as %+v", text, page.Messages)
		}
		if strings.ContainsFunc(strings.TrimSuffix(got.body, "\n"), func(c rune) bool { return c < ' ' || c == '\u2028' }) {
			t.Fatalf("the reply has a raw control character: %q", got.body)
		}
		if entries := get[conversationPart](s, "/api/agents/root/conversation").Entries; entries[0].Text != text {
			t.Fatalf("%q is in the conversation as %q", text, entries[0].Text)
		}
	})
}

// escaped returns a text as JSON in which every character is escaped.
func escaped(text string) string {
	var b strings.Builder
	for _, c := range text {
		if c > 0xffff {
			c -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+c>>10, 0xdc00+c&0x3ff)
			continue
		}
		fmt.Fprintf(&b, `\u%04x`, c)
	}
	return `"` + b.String() + `"`
}

func TestBodiesOfOtherMediaAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		for _, media := range []string{"", "text/plain", "text/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json; charset=utf-16", "application/json; charset=latin1", "application/jsonx", "application/json, text/plain", "application/", ";"} {
			for path := range bodies() {
				for _, body := range []string{`{"text":"go"}`, ""} {
					if media == "" && body == "" {
						continue // a command without fields
					}
					r := s.request(http.MethodPost, path, body)
					r.Header.Set("Content-Type", media)
					if media == "" {
						r.Header.Del("Content-Type")
					}
					if got := s.serve(r); got.code != http.StatusUnsupportedMediaType || got.json["error"] != "unsupported_media_type" {
						t.Errorf("POST %s as %q = %d %s", path, media, got.code, got.body)
					}
				}
			}
		}
		for _, encoding := range []string{"gzip", "br", "identity", "gzip, gzip"} {
			if code, reply := s.ask(http.MethodPost, "/api/submit", `{"text":"go"}`, "Content-Encoding", encoding); code != http.StatusUnsupportedMediaType {
				t.Errorf("encoded with %q = %d %v", encoding, code, reply)
			}
		}
		for _, media := range []string{"application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"} {
			if code, reply := s.ask(http.MethodPost, "/api/submit", `{"text":"go"}`, "Content-Type", media); code != http.StatusOK {
				t.Errorf("as %q = %d %v", media, code, reply)
			}
		}
	})
}

// The body of a GET would be ignored, so it is refused.
func TestAGetWithABodyIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		for _, path := range []string{"/api/agents", "/api/health", "/api/events", "/api/backup"} {
			if code, reply := s.ask(http.MethodGet, path, `{"state":"idle"}`); code != http.StatusBadRequest {
				t.Errorf("GET %s with a body = %d %v", path, code, reply)
			}
		}
	})
}

func TestABodyOverItsLimitIsTooLarge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		inner := s.handler
		s.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Body = http.MaxBytesReader(w, r.Body, 100)
			inner.ServeHTTP(w, r)
		})
		code, reply := s.ask(http.MethodPost, "/api/submit", `{"text":"`+strings.Repeat("x", 100)+`"}`)
		if code != http.StatusRequestEntityTooLarge || reply["error"] != "too_large" {
			t.Errorf("submit = %d %v", code, reply)
		}
	})
}
