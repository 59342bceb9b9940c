package template

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"regexp"

	"society-tui/runtime/tomlfile"
)

// asksForModel matches where a template names a model: for a role, or for a node of a graph.
var asksForModel = regexp.MustCompile(`^(roles\[\d+\]|graphs\[\d+\](\.nodes\[\d+\]\.graph)*\.nodes\[\d+\])\.model$`)

// RenameModel has the user's own templates name a model as it is called now. Comments and order
// stay. It changes all files that it can; the error names the others.
func (s Source) RenameModel(ctx context.Context, before, now string) error {
	var all []error
	for _, path := range s.files() {
		text, err := os.ReadFile(path)
		if err != nil || len(namesOf(text, before)) == 0 {
			continue // the list of templates says why it cannot be read
		}
		err = tomlfile.Rewrite(ctx, path, func(text []byte, _ fs.FileMode) ([]byte, error) {
			document := tomlfile.NewDocument(text)
			for _, table := range namesOf(text, before) {
				if err := document.Set(table, "model", tomlfile.Literal(now)); err != nil {
					return nil, err
				}
			}
			return document.Text(), nil
		})
		if err != nil {
			all = append(all, textUnchanged.With(path, err))
		}
	}
	return errors.Join(all...)
}

// namesOf returns the tables of a template that name a model.
func namesOf(text []byte, model string) []string {
	var tables []string
	for path, at := range tomlfile.Places(text) {
		if at.Value == model && model != "" && asksForModel.MatchString(path) {
			tables = append(tables, path[:len(path)-len(".model")])
		}
	}
	return tables
}
