package read

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

func TestTheToolIsDescribedInEveryLanguage(t *testing.T) {
	t.Parallel()
	description := regexp.MustCompile(`"description":"((?:[^"\\]|\\.)*)"`)
	for _, lang := range protocol.Langs() {
		s := Spec(lang)
		if s.Name != Name || s.In() != tool.Read || s.Risk() != tool.Reads {
			t.Errorf("%s: %s is in %q and %s", lang, s.Name, s.In(), s.Risk())
		}
		schema := string(s.Schema())
		if bare := description.ReplaceAllString(schema, "…"); bare != `{"type":"object","properties":{"path":{"type":"string",…},"offset":{"type":"integer",…},"limit":{"type":"integer",…}},"required":["path"]}` {
			t.Errorf("%s: %s", lang, bare)
		}
		texts := description.FindAllString(schema, -1)
		for _, text := range append(texts, s.Purpose) {
			if han := strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }); han != (lang == protocol.Chinese) {
				t.Errorf("%s: %q", lang, text)
			}
		}
	}
}

func TestACallIsReadAsItIsMeant(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]Request{
		`{"path":"message:01J"}`:                           {Message, "01J", "message:01J", 1, 2000},
		`{"path":" result:call_7 ","offset":12,"limit":3}`: {Result, "call_7", "result:call_7", 12, 3},
		`{"path":"call:a:b","offset":1e3,"limit":null}`:    {Call, "a:b", "call:a:b", 1000, 2000},
		`{"path":"entry:7","offset":"250","limit":0}`:      {Entry, "7", "entry:7", 250, 1},
		`{"path":"entry:7","offset":1e300}`:                {Entry, "7", "entry:7", 1 << 30, 2000},
	} {
		if got, why := Parse(protocol.English, arguments); got != want || why != nil {
			t.Errorf("Parse(%s) = %+v, %v, want %+v", arguments, got, why, want)
		}
	}
	for arguments, want := range map[string]protocol.Key{
		`{}`: protocol.BadArguments, `{"path":7}`: protocol.BadArguments, `{"path":" "}`: protocol.BadArguments,
		`{"path":"entry:7","limit":1.5}`: protocol.BadArguments, `{"path":"entry:7","offset":-1}`: protocol.BadArguments, `[]`: protocol.BadArguments,
		`{"path":"plan.md"}`: protocol.NoPath, `{"path":"message:"}`: protocol.NoPath, `{"path":"artifact:"}`: protocol.NoPath,
	} {
		if got, why := Parse(protocol.English, arguments); why == nil || why.Key != want {
			t.Errorf("Parse(%s) = %+v, %v, want %s", arguments, got, why, want)
		}
	}
}
