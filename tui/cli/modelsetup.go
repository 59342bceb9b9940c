package cli

import (
	"context"

	"society-tui/llm/demo"
	"society-tui/llm/registry"
	"society-tui/runtime"
	"society-tui/runtime/apikey"
	"society-tui/runtime/config"
	"society-tui/runtime/modelsetup"
)

// newModelSetup returns what sets models up while a society runs. Sessions that are opened
// later have the same models.
func (o opener) newModelSetup() *modelsetup.Setup {
	u := modelsetup.New(o.s)
	u.Sources, u.Keys, u.Hide = o.c.sources, apikey.SystemKeyring(), func(key string) { o.c.redactor.Add(key) }
	u.Catalog = catalogOf(o.s)
	u.Open = func(e config.Endpoint) (registry.Entry, error) {
		entry, _, err := o.c.openModel(o.s, e)
		return entry, err
	}
	return u
}

// setsUp has the models of the set-up taken by a society.
func (o opener) setsUp(running *runtime.Runtime) *modelsetup.Setup {
	o.setup.For(modelsetup.Society{
		Take: func(ctx context.Context, m modelsetup.Models) error {
			s := o.s
			s.Model.Offline = m.Offline
			models, _, err := o.c.registryOf(s, m.Endpoints)
			if err != nil {
				return err
			}
			return running.TakeModels(ctx, models, runtime.ModelChange{Same: append(m.Same, demo.Name), Before: m.Before, Now: m.Now})
		},
		Forget: running.ForgetRefusals, Trial: running.Trial,
	})
	return o.setup
}
