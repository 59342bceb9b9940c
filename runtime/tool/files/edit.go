package files

import (
	"context"
	"slices"
	"strings"

	"society-tui/runtime/workspace"
)

// editsMost bounds the edits of one call.
const editsMost = 100

// placesMost bounds the places that one edit replaces.
const placesMost = 100_000

// A replacement is one edit of a file.
type replacement struct {
	Old string `json:"old_string"`
	New string `json:"new_string"`
	All bool   `json:"replace_all"`
}

// edit is the tool edit: all of its replacements are made, each in what the earlier ones
// have left, or none.
func edit(_ context.Context, c *call) (*change, error) {
	var args struct {
		Path        string
		Edits       []replacement
		replacement // one may stand beside the path
	}
	if err := c.read(&args); err != nil {
		return nil, err
	}
	name, err := c.clean(args.Path)
	if err != nil {
		return nil, err
	}
	edits := args.Edits
	if args.Old != "" || args.New != "" {
		edits = slices.Insert(edits, 0, args.replacement)
	}
	switch {
	case len(edits) == 0:
		return nil, c.fail("invalid_arguments", textNoEdits)
	case len(edits) > editsMost:
		return nil, c.fail("too_many", textTooManyEdits, len(edits), editsMost)
	}
	file, err := c.current(name)
	if err != nil {
		return nil, err
	}
	if file.Hash == "" {
		return nil, &workspace.Error{Code: workspace.NotFound, Path: name}
	}
	if kind := binary(file.Content); kind != "" {
		return nil, c.fail("binary", textBinary, name, kind, len(file.Content))
	}
	content := string(file.Content)
	for i, e := range edits {
		if content, err = c.replace(content, name, e, i+1, len(edits)); err != nil {
			return nil, err
		}
	}
	if content == string(file.Content) {
		return nil, c.fail("no_change", textNoChange, name)
	}
	ch := c.replaced(name, file, []byte(content))
	ch.result = ch.summary + "\n" + bounded(ch.preview, diffMost, c.lang)
	return ch, nil
}

// replace makes one replacement in a text.
func (c *call) replace(content, name string, e replacement, number, of int) (string, error) {
	at := textFirst.In(c.lang)
	if of > 1 {
		at = textNumber.With(number, of).In(c.lang)
	}
	switch e.Old {
	case "":
		return "", c.fail("invalid_arguments", textEmptyOld, at)
	case e.New:
		return "", c.fail("no_change", textSameStrings, at)
	}
	found, e := find(content, e)
	switch {
	case len(found) > placesMost:
		return "", c.fail("too_large", textTooManyPlaces, at, placesMost, name)
	case len(found) == 0:
		f := c.fail("no_match", textNoMatch, at, name)
		if f.Nearest = nearest(content, e.Old); len(f.Nearest) > 0 {
			f.Message = textNoMatchNearest.With(at, name).In(c.lang)
		}
		return "", f
	case len(found) > 1 && !e.All:
		f := c.fail("ambiguous", textAmbiguous, at, len(found), name)
		for _, m := range found[:min(len(found), 20)] {
			f.Lines = append(f.Lines, 1+strings.Count(content[:m.from], "\n"))
		}
		return "", f
	}
	var b strings.Builder
	end, text := 0, withEnding(e.New, "\n")
	mixed := strings.Contains(text, "\n") && strings.Contains(content, "\r\n") // else it is the same everywhere
	for _, m := range found {
		b.WriteString(content[end:m.from])
		if mixed {
			text = withEnding(e.New, endingAt(content, m))
		}
		b.WriteString(text)
		end = m.to
		if size := b.Len() + len(content) - end; size > workspace.LargestFile { // several edits may grow a text without bound
			return "", c.fail("too_large", textWriteTooLarge, size, workspace.LargestFile)
		}
	}
	b.WriteString(content[end:])
	return b.String(), nil
}
