package web

import (
	"bytes"
	"context"
	"mime"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gabriel-vasile/mimetype"
	"golang.org/x/net/html/charset"

	"society-tui/runtime/picture"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// result returns what the model reads of a page, from a line of its text on.
func (r *response) result(ctx context.Context, lang protocol.Lang, offset int) (tool.Result, error) {
	seen := picture.Is(r.body) && !r.cut
	kind, _, err := mime.ParseMediaType(r.kind)
	if seen || err != nil || kind == "application/octet-stream" {
		kind, _, _ = mime.ParseMediaType(mimetype.Detect(r.body).String())
	}
	if seen {
		return tool.Result{
			Text:  r.head(lang, kind, "", textData.In(lang)),
			Image: &tool.Image{Name: r.name(), Data: r.body, Artifact: true},
		}, nil
	}
	if !isText(kind) || bytes.IndexByte(r.body[:min(len(r.body), 1024)], 0) >= 0 {
		return tool.Result{Text: r.head(lang, kind, "", textBinary.In(lang))}, nil
	}
	text := decoded(r.body, r.kind, r.cut)
	title := ""
	if kind == "text/html" || kind == "application/xhtml+xml" {
		if title, text, err = markdown(ctx, text, r.at.URL); err != nil {
			return tool.Result{}, err
		}
	}
	return r.page(lang, kind, title, text, offset)
}

// page is a text with its head.
func (r *response) page(lang protocol.Lang, kind, title, text string, offset int) (tool.Result, error) {
	if strings.TrimSpace(text) == "" {
		return tool.Result{Text: r.head(lang, kind, title, textEmpty.In(lang))}, nil
	}
	lines := strings.SplitAfter(strings.TrimRight(text, "\n"), "\n")
	if offset > len(lines) {
		return tool.Result{}, tool.Fail(lang, "invalid_arguments", textPastTheEnd.With(len(lines), offset))
	}
	var more []string
	if offset > 1 {
		more = append(more, textFrom.With(offset, len(lines), len(lines)).In(lang))
	}
	head := r.head(lang, kind, title, append(more, textData.In(lang))...)
	return tool.Result{Text: head + "\n\n" + strings.Join(lines[offset-1:], "") + "\n"}, nil
}

// head returns the lines above a page: its address, title, type and size. It has no word of the page's but its title and its type.
func (r *response) head(lang protocol.Lang, kind, title string, more ...string) string {
	list := []string{r.at.String()}
	if title = oneLine(title); title != "" {
		list = append(list, textTitle.With(title).In(lang))
	}
	size := textSize
	if r.cut {
		size = textCut
	}
	list = append(list, size.With(oneLine(kind), len(r.body)).In(lang))
	return strings.Join(append(list, more...), "\n")
}

// name is what an image is called. It has the host in it, so that no page replaces what an
// agent or another host has put.
func (r *response) name() string {
	const longest = 150 // of ASCII alone, since it is escaped
	name := r.at.host + r.at.RequestURI()
	return name[:min(len(name), longest)]
}

// oneLine is a foreign text for one line of a result.
func oneLine(s string) string {
	const longest = 200
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) }), " ")
	for i := range s {
		if i > longest {
			return s[:i] + "…"
		}
	}
	return s
}

// isText reports whether what has a type can be read as text.
func isText(kind string) bool {
	switch kind {
	case "application/json", "application/xml", "application/xhtml+xml", "application/javascript", "application/ecmascript",
		"application/yaml", "application/x-yaml", "application/toml", "application/sql", "application/x-sh", "application/x-ndjson":
		return true
	}
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml")
}

// decoded returns a page's text, whatever its characters are written in. What reads as
// UTF-8 is that, unless the server says otherwise: pages name the wrong one more often than
// another one reads as UTF-8 by chance.
func decoded(body []byte, kind string, cut bool) string {
	if cut {
		body = withoutHalf(body)
	}
	encoding, _, certain := charset.DetermineEncoding(body, kind)
	text := body
	if certain || !utf8.Valid(body) {
		if written, err := encoding.NewDecoder().Bytes(body); err == nil {
			text = written
		}
	}
	return strings.TrimPrefix(strings.ToValidUTF8(string(text), "\uFFFD"), "\uFEFF")
}

// withoutHalf takes away the beginning of a character of which the end is missing.
func withoutHalf(body []byte) []byte {
	for i := 1; i < utf8.UTFMax && i < len(body); i++ {
		if last := body[len(body)-i:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return body[:len(body)-i]
			}
			break
		}
	}
	return body
}
