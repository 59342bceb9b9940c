package cli

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"society-tui/llm"
	"society-tui/llm/catalog"
	"society-tui/llm/discover"
	"society-tui/llm/registry"
	"society-tui/runtime/api"
	"society-tui/runtime/config"
)

// catalogOf returns what is known of models, with the user's own list beside the settings. It
// is read when it is first asked.
func catalogOf(s config.Settings) *catalog.Catalog {
	return catalog.New(filepath.Join(filepath.Dir(s.File), "catalogue.json"))
}

// askEndpoints returns what asks the endpoints of models what these can do.
func askEndpoints(s config.Settings) func(context.Context, *registry.Registry, bool) []api.Asked {
	known := catalogOf(s)
	return func(ctx context.Context, models *registry.Registry, all bool) []api.Asked {
		var asked []api.Asked
		for _, a := range discover.Learn(ctx, models, known, all) {
			one := api.Asked{Host: hostOf(a.Endpoint), Listed: a.Result.Listed, Models: len(a.Result.Models)}
			if e, ok := errors.AsType[*llm.Error](a.Err); ok {
				one.Problem = e.Error()
			} else if a.Err != nil {
				one.Problem = a.Err.Error()
			}
			asked = append(asked, one)
		}
		if err := known.Err(); err != nil && len(asked) > 0 {
			asked = append(asked, api.Asked{Host: "catalogue.json", Problem: err.Error()})
		}
		return asked
	}
}

func hostOf(endpoint string) string {
	_, rest, _ := strings.Cut(endpoint, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}
