package mcp

import (
	"cmp"
	"encoding/json"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// result returns the result of a call as the model is to read it: the texts, what else there is
// by name, and the first image.
func (t *remote) result(lang protocol.Lang, from *sdk.CallToolResult, questions []string) tool.Result {
	var parts []string
	var image *tool.Image
	for _, content := range from.Content {
		part, shows := t.part(lang, content)
		if shows != nil && image == nil {
			image = shows
			continue // it is announced where it is shown
		}
		if part != "" {
			parts = append(parts, part)
		}
	}
	if len(from.Content) == 0 && from.StructuredContent != nil {
		if raw, err := json.Marshal(from.StructuredContent); err == nil {
			parts = append(parts, string(raw))
		}
	}
	text := strings.ToValidUTF8(strings.Join(parts, "\n\n"), "\uFFFD")
	if len(text) > resultBytes {
		kept := strings.ToValidUTF8(text[:resultBytes], "")
		text = kept + "\n" + textCut.With(len(text)-len(kept), resultBytes).In(lang)
	}
	for _, q := range questions {
		text = strings.TrimSpace(text + "\n\n" + textDeclined.With(t.server.cfg.Name, q).In(lang))
	}
	if text == "" && image == nil {
		text = textEmpty.With(t.server.cfg.Name).In(lang)
	}
	if from.IsError {
		return tool.Result{Text: text, Failed: true}
	}
	return tool.Result{Text: text, Image: image}
}

// part returns a part of a result as a text, or as an image.
func (t *remote) part(lang protocol.Lang, content sdk.Content) (string, *tool.Image) {
	switch c := content.(type) {
	case *sdk.TextContent:
		return c.Text, nil
	case *sdk.ImageContent:
		return t.image(lang, c.MIMEType, c.Data)
	case *sdk.AudioContent:
		return textAudio.With(line(c.MIMEType, 100), len(c.Data)).In(lang), nil
	case *sdk.ResourceLink:
		said := textLink.With(line(cmp.Or(c.Title, c.Name), 200), line(c.URI, 2000)).In(lang)
		if c.Description != "" {
			said += " " + line(c.Description, descriptionBytes)
		}
		return said, nil
	case *sdk.EmbeddedResource:
		r := c.Resource
		switch {
		case r == nil:
			return "", nil
		case strings.HasPrefix(r.MIMEType, "image/") && len(r.Blob) > 0:
			return t.image(lang, r.MIMEType, r.Blob)
		case len(r.Blob) > 0:
			return textBlob.With(line(r.URI, 2000), line(r.MIMEType, 100), len(r.Blob)).In(lang), nil
		}
		return line(r.URI, 2000) + "\n" + r.Text, nil
	}
	return textOther.In(lang), nil
}

// image returns an image, with the text that stands for it where it cannot be shown.
func (t *remote) image(lang protocol.Lang, kind string, data []byte) (string, *tool.Image) {
	_, ending, _ := strings.Cut(line(kind, 40), "/")
	name := t.spec.Name + "." + cmp.Or(ending, "image")
	said := textImage.With(name, line(kind, 40), len(data)).In(lang)
	switch kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return said, &tool.Image{Name: name, Data: data}
	}
	return said, nil
}
