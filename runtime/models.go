package runtime

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"society-tui/llm"
	"society-tui/llm/registry"
	"society-tui/runtime/api"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool/org"
)

// Models returns the models that roles can ask for, the default first. It may be
// called from any goroutine.
func (r *Runtime) Models() []api.Model {
	var list []api.Model
	now := time.Now()
	for _, e := range r.models.All() {
		m := api.Model{
			Name: e.Name, Host: hostOf(e.Endpoint), Window: e.Window, Capabilities: e.Capabilities, ID: e.Model.Name(), Effort: e.Effort,
			WindowFrom: known(e.Facts.Window, now), PriceFrom: known(e.Facts.Price, now), Efforts: e.Facts.Efforts.Value,
		}
		if p := e.Facts.Price; p.IsKnown() {
			price := api.Price(p.Value)
			m.Price = &price
		}
		if i := e.Facts.Images; i.IsKnown() {
			m.Images = &i.Value
		}
		if a, ok := e.Model.(llm.Adapter); ok {
			m.Adapted = a.Adapted()
			m.Efforts = effortsOf(m.Adapted, m.Efforts)
		}
		m.Adapted = append(m.Adapted, r.sight.adapted(windowKey(e))...)
		list = append(list, m)
	}
	return list
}

// effortsOf returns the efforts that a model takes: as its endpoint said when it refused one, else
// those that are known.
func effortsOf(adapted, known []string) []string {
	for _, what := range adapted {
		if list, found := strings.CutPrefix(what, llm.AdaptedEfforts+":"); found {
			return strings.Split(list, ", ")
		}
	}
	if slices.Contains(adapted, llm.AdaptedNoEffort) {
		return []string{}
	}
	return known
}

func known[T any](f llm.Fact[T], now time.Time) api.Known {
	return api.Known{Source: api.KnownFrom(f.Source), At: f.At, Old: f.IsOld(now)}
}

// AskEndpoints asks the endpoints of the models anew. It may be called from any goroutine.
func (r *Runtime) AskEndpoints(ctx context.Context) ([]api.Asked, error) {
	return r.askEndpoints(ctx, true)
}

func (r *Runtime) askEndpoints(ctx context.Context, all bool) ([]api.Asked, error) {
	if r.cfg.AskEndpoints == nil {
		return nil, nil
	}
	asked := r.cfg.AskEndpoints(ctx, r.models, all)
	if err := ctx.Err(); err != nil {
		return asked, err
	}
	return asked, r.inLoop(ctx, func(*society.State) { r.publishAll() }) // rows have the windows
}

// keepAsking asks the endpoints when the society starts, when it has other models, and when the
// key of one was found because it is used, until ctx is done.
func (r *Runtime) keepAsking(ctx context.Context) {
	for {
		asked, err := r.askEndpoints(ctx, false)
		if err != nil {
			return
		}
		for _, a := range asked {
			if a.Problem != "" {
				r.log.Info("models not listed", "host", a.Host, "problem", a.Problem)
			} else {
				r.log.Debug("models listed", "host", a.Host, "listed", a.Listed, "models", a.Models)
			}
		}
		select {
		case <-r.otherModels:
		case <-ctx.Done():
			return
		}
	}
}

// A ModelChange tells what has become of the models that are taken.
type ModelChange struct {
	// Same are the names of those that are as they were: how they have answered still holds.
	Same []string
	// Before is the name of a model that is called Now, or is removed if Now is "". Roles, nodes of
	// graphs and agents that ask for it by name then ask for the other, or as if they named none.
	Before, Now string
}

// TakeModels replaces the models by those of another registry: roles that name models find
// them anew, and the next request of each agent goes to what it finds. Calls that run go on
// with the model that they have. It may be called from any goroutine while the society runs.
func (r *Runtime) TakeModels(ctx context.Context, models *registry.Registry, change ModelChange) error {
	follows := false
	err := r.inLoop(ctx, func(*society.State) {
		before := r.models.All()
		if err := r.models.Replace(models); err != nil {
			r.log.Warn("connections of former models not closed", "err", err)
		}
		r.tellWindows()
		r.totals.health = maps.Clone(r.totals.health)
		for _, e := range before { // what a model of that name answered says nothing of the new one
			if !slices.Contains(change.Same, e.Name) {
				delete(r.totals.health, e.Name)
			}
		}
		r.resting.forget()
		r.workers.limits.Reconsider() // who waits may ask another now
		if follows = change.Before != "" && change.Before != change.Now; follows {
			r.renamed.Store(new(append(slices.Clone(*r.renamed.Load()), society.RenameModel{Before: change.Before, Now: change.Now})))
		}
		r.describe()
		if follows { // before what was sent meanwhile
			r.queue.add(&pendingCommand{cmd: society.RenameModel{Before: change.Before, Now: change.Now}, done: make(chan struct{})})
		}
		r.findMissing()
		r.log.Info("models changed", "model", models.All()[0].Name, "models", len(models.All()))
		r.publishAll()
		r.wakeAsking()
	})
	if err != nil || !follows {
		return err
	}
	return r.inLoop(ctx, func(*society.State) {
		r.findMissing()
		r.publishAll()
	})
}

func (r *Runtime) findMissing() {
	missing := r.missingModels()
	r.missing.Store(&missing)
}

func (r *Runtime) wakeAsking() {
	select {
	case r.otherModels <- struct{}{}:
	default: // it is to ask anyway
	}
}

// ForgetRefusals forgets what the endpoint of a model has refused or demanded, also of others that
// are the same model there; of all models for the name "". What a model knows of its window is
// forgotten by society.ForgetWindow. It may be called from any goroutine while the society runs.
func (r *Runtime) ForgetRefusals(ctx context.Context, name string) error {
	return r.inLoop(ctx, func(*society.State) {
		all := r.models.All()
		at := slices.IndexFunc(all, func(e registry.Entry) bool { return e.Name == name })
		for _, e := range all {
			if name != "" && (at < 0 || windowKey(e) != windowKey(all[at])) {
				continue
			}
			if a, ok := e.Model.(llm.Adapter); ok {
				a.ForgetAdapted()
			}
			r.sight.forget(windowKey(e))
		}
		r.publishAll()
	})
}

// hostOf returns the host of an endpoint's address, or "" if it has none.
func hostOf(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	return u.Host
}

// tellModels gives the rules the models that roles may ask for, and returns those that
// agents are offered.
func (r *Runtime) tellModels() []org.Model {
	var names, capabilities []string
	var offered []org.Model
	seen := map[string]bool{}
	for _, e := range r.models.All() {
		names = append(names, e.Name)
		if !e.Unoffered {
			offered = append(offered, org.Model{Name: e.Name, Capabilities: e.Capabilities})
		}
		for _, c := range e.Capabilities {
			if !seen[c] {
				seen[c] = true
				capabilities = append(capabilities, c)
			}
		}
	}
	r.state.SetModels(names, capabilities)
	r.state.SetWaiting(r.cfg.ModelWaits)
	r.state.SetModelName(func(model, capability string) string {
		e, _ := r.models.For(model, capability)
		return e.Name
	})
	r.state.SetWindow(func(model, capability string) int {
		e, _ := r.models.For(model, capability)
		return e.Window
	})
	return offered
}

// modelOf is the model that an agent's role asks for; ok is false if it is not
// set up. Only the loop calls it.
func (r *Runtime) modelOf(a *society.Agent, at *graph.Work) (e registry.Entry, ok bool) {
	return r.models.For(r.state.Wants(a, at))
}

// missingModel says, to the agent and to whoever hears how its turn ended, that
// its model is not set up. Only the loop calls it.
func (r *Runtime) missingModel(a *society.Agent, at *graph.Work) string {
	model, capability := r.state.Wants(a, at)
	var names []string
	for _, e := range r.models.All() {
		names = append(names, e.Name)
	}
	key, who := protocol.NoSuchModel, r.state.RoleName(a.ID)
	switch node, ok := r.state.Node(a, at); {
	case model == "":
		key = protocol.NoCapableModel
	case ok && node.Model != "":
		return protocol.Sentence(r.state.Lang(), protocol.NoNodeModel, node.Key, who, model, strings.Join(names, ", "))
	case a.Model == model:
		key, who = protocol.NoOwnModel, string(a.ID)
	}
	return protocol.Sentence(r.state.Lang(), key, who, cmp.Or(model, capability), strings.Join(names, ", "))
}

// asksFor returns the model or capability that a role asks for, "" for the default.
func asksFor(r *society.Role) string { return cmp.Or(r.Model, r.Capability) }

// MissingModels returns what was asked for and was not there when the society was
// opened, or when the tools last changed. It may be called from any goroutine.
func (r *Runtime) MissingModels() []api.MissingModel { return slices.Clone(*r.missing.Load()) }

// missingModels returns the models and tools that roles of living agents and nodes of
// graphs ask for and that are not there. Turns that need one fail until it is there, or
// until they ask for something else. It also returns graphs of roles that the library no
// longer has; their agents go on with them.
func (r *Runtime) missingModels() []api.MissingModel {
	var list []api.MissingModel
	graphs, names, seen := r.library(r.lang), r.state.GraphNames(), map[string]bool{}
	for _, role := range r.state.Roles() {
		if r.state.AgentsOf(role.ID) == 0 {
			continue
		}
		if _, ok := r.models.For(role.Model, role.Capability); !ok {
			list = append(list, api.MissingModel{Role: role.Name, Model: asksFor(role)})
		}
		if role.Graph != nil {
			graphs = append(graphs, *role.Graph)
			if !role.OwnGraph && !slices.Contains(names, role.Graph.Name) {
				list = append(list, api.MissingModel{Role: role.Name, Graph: role.Graph.Name})
			}
		}
	}
	for _, id := range r.state.Agents() {
		a := r.state.Agent(id)
		if _, ok := r.models.For(a.Model, ""); !ok && !a.Status.Ended() {
			list = append(list, api.MissingModel{Agent: id, Model: a.Model})
		}
	}
	for i := range graphs {
		for _, u := range r.state.MissingRequirements(&graphs[i]) {
			w := api.MissingModel{Graph: graphs[i].Name, Node: u.Node, Model: u.Model, Tool: u.Tool}
			if key := fmt.Sprintf("%q", w); !seen[key] {
				seen[key] = true
				list = append(list, w)
			}
		}
	}
	return list
}
