package httpapi

import (
	"net/http"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
)

// A Model is one that roles can ask for.
type Model struct {
	Name         string     `json:"name"`
	ID           string     `json:"id,omitempty" jsonschema:"its name at the endpoint"`
	Host         string     `json:"host,omitempty" jsonschema:"of the endpoint; missing for one that is built in"`
	Default      bool       `json:"default" jsonschema:"agents whose roles name no other think with it"`
	Capabilities []string   `json:"capabilities" jsonschema:"by which roles can ask for it, too"`
	Window       int        `json:"window,omitempty" jsonschema:"tokens that its context has room for; missing if that is unknown"`
	WindowFrom   *Known     `json:"windowFrom,omitempty" jsonschema:"where the window is known from"`
	Price        *Price     `json:"price,omitempty" jsonschema:"missing if it is unknown, which is not nothing"`
	PriceFrom    *Known     `json:"priceFrom,omitempty" jsonschema:"where the price is known from"`
	Images       *bool      `json:"images,omitempty" jsonschema:"whether it takes images; missing if that is unknown"`
	Effort       string     `json:"effort,omitempty" jsonschema:"how much it thinks by its settings"`
	Adapted      []string   `json:"adapted,omitempty" jsonschema:"how its requests differ because its endpoint refused them"`
	Health       string     `json:"health,omitempty" jsonschema:"how its last call went: ok, or why it failed; missing if it was not asked"`
	Wait         *ModelWait `json:"wait,omitempty" jsonschema:"that holds its calls back"`
}

// A Known tells where something is known of a model from.
type Known struct {
	Source string     `json:"source" jsonschema:"setting, endpoint, catalogue or error"`
	At     *time.Time `json:"at,omitempty" jsonschema:"when it was found out"`
	Old    bool       `json:"old,omitempty" jsonschema:"a price may have changed since"`
}

// A Price is what a million tokens cost.
type Price struct {
	Input      float64  `json:"input"`
	Output     float64  `json:"output"`
	CacheRead  *float64 `json:"cacheRead,omitempty" jsonschema:"of tokens that are read from a cache; missing if it is unknown"`
	CacheWrite *float64 `json:"cacheWrite,omitempty" jsonschema:"of tokens that are written to a cache; missing if it is unknown"`
	Included   bool     `json:"included,omitempty" jsonschema:"they are paid for in another way"`
}

// A ModelWait is what calls of a model wait for.
type ModelWait struct {
	Until time.Time `json:"until"`
	For   string    `json:"for" jsonschema:"endpoint, which refused more requests, or own limit"`
}

// A DisabledModel is one of the settings that is not used.
type DisabledModel struct {
	Name   string `json:"name"`
	Reason string `json:"reason" jsonschema:"what is wrong in the settings and where, or that the offline model is the default"`
}

// An Asked is what an endpoint said when it was asked for its models.
type Asked struct {
	Host    string `json:"host" jsonschema:"empty for the built-in model"`
	Listed  bool   `json:"listed" jsonschema:"it has a list"`
	Models  int    `json:"models" jsonschema:"that are in it"`
	Problem string `json:"problem,omitempty" jsonschema:"why it said nothing"`
}

// A ModelTrial is how a model answered a request with a tool.
type ModelTrial struct {
	OK         bool     `json:"ok" jsonschema:"it answered"`
	Reached    string   `json:"reached" jsonschema:"yes, no or unknown, as the four below"`
	Key        string   `json:"key" jsonschema:"whether its key is accepted"`
	Stream     string   `json:"stream" jsonschema:"whether the answer ended as a stream does"`
	Tools      string   `json:"tools" jsonschema:"whether it called the tool"`
	Usage      string   `json:"usage" jsonschema:"whether the endpoint counts tokens"`
	DurationMS int64    `json:"durationMs"`
	Window     int      `json:"window,omitempty" jsonschema:"tokens that its context has room for"`
	Error      string   `json:"error,omitempty" jsonschema:"why it did not answer"`
	ErrorClass string   `json:"errorClass,omitempty" jsonschema:"of the error, as of an agent"`
	Near       []string `json:"near,omitempty" jsonschema:"models that the endpoint has and whose names are like its"`
}

// findings are the words for what a trial found.
var findings = map[api.Finding]string{api.NotFound: "unknown", api.Works: "yes", api.Fails: "no"}

func trialOf(t *api.ModelTrial) ModelTrial {
	v := ModelTrial{
		OK: t.Err == nil, Reached: findings[t.Reached], Key: findings[t.Key], Stream: findings[t.Stream], Tools: findings[t.Tools], Usage: findings[t.Usage],
		DurationMS: t.Milliseconds, Window: t.Window, ErrorClass: t.Class, Near: t.Near,
	}
	if t.Err != nil {
		v.Error = i18n.Error(protocol.English, t.Err)
	}
	return v
}

func knownOf(k api.Known) *Known {
	if k.Source == "" {
		return nil
	}
	v := Known{Source: string(k.Source), Old: k.Old}
	if !k.At.IsZero() {
		v.At = &k.At
	}
	return &v
}

func modelOf(m *api.Model, now *api.Changes) Model {
	v := Model{
		Name: m.Name, ID: m.ID, Host: m.Host, Default: m.Name == now.Model, Capabilities: append([]string{}, m.Capabilities...),
		Window: m.Window, WindowFrom: knownOf(m.WindowFrom), PriceFrom: knownOf(m.PriceFrom), Images: m.Images, Effort: m.Effort, Adapted: m.Adapted,
		Health: now.Health[m.Name],
	}
	if p := m.Price; p != nil {
		v.Price = &Price{p.Input, p.Output, p.CacheRead, p.CacheWrite, p.Included}
	}
	for i := range now.Rows { // the last that is waited for holds all others, too
		r := now.Rows[i].Retry
		if r == nil || r.Model != m.Name || v.Wait != nil && !r.At.After(v.Wait.Until) {
			continue
		}
		if what := waitFor(r); what != waitsToRetry {
			v.Wait = &ModelWait{r.At, what}
		}
	}
	return v
}

// The words for what a call waits for.
const (
	waitsForEndpoint = "endpoint"
	waitsForOwnLimit = "own limit"
	waitsToRetry     = "retry"
)

func waitFor(r *api.Retry) string {
	switch {
	case r.Attempt > 0:
		return waitsToRetry
	case r.Cause == api.WaitsForOwnLimit:
		return waitsForOwnLimit
	}
	return waitsForEndpoint
}

// modelRoutes read, ask and test models. Nothing here sets one up: that takes a key and may run
// a command, so it is done on a screen.
func (h *Handler) modelRoutes() []route {
	type list struct {
		Models   []Model         `json:"models"`
		Disabled []DisabledModel `json:"disabled" jsonschema:"models of the settings that are not used"`
		Currency string          `json:"currency,omitempty" jsonschema:"of the prices"`
	}
	type asked struct {
		Asked []Asked `json:"asked" jsonschema:"a line for each endpoint"`
	}
	type one struct {
		Name string `path:"name" json:"-" doc:"of the model"`
	}
	routes := []route{
		routeJSON(h, http.MethodGet, "/api/models", http.StatusOK, "List the models with what is known of them", func(c *call, _ nothing) (*list, error) {
			now, err := c.look()
			l := list{Models: []Model{}, Disabled: []DisabledModel{}, Currency: now.Currency}
			all := h.cfg.Society.Models()
			for i := range all {
				l.Models = append(l.Models, modelOf(&all[i], &now))
			}
			if h.cfg.Models == nil {
				return &l, err
			}
			for _, d := range h.cfg.Models.Disabled() {
				l.Disabled = append(l.Disabled, DisabledModel{d.Name, i18n.Error(protocol.English, d.Why)})
			}
			return &l, err
		}),
		routeJSON(h, http.MethodPost, "/api/models/update", http.StatusOK, "Ask the endpoints again what models they have and what those can do", func(c *call, _ nothing) (*asked, error) {
			all, err := h.cfg.Society.AskEndpoints(c)
			v := asked{Asked: []Asked{}}
			for _, a := range all {
				v.Asked = append(v.Asked, Asked(a))
			}
			return &v, err
		}),
	}
	if h.cfg.Models == nil {
		return routes
	}
	return append(routes, routeJSON(h, http.MethodPost, "/api/models/{name}/test", http.StatusOK, "Have a model of the settings answer a short request with a tool", func(c *call, in one) (*ModelTrial, error) {
		d, ok := h.cfg.Models.Draft(in.Name)
		if !ok {
			return nil, &Error{Status: http.StatusNotFound, Code: CodeNotFound, Message: "the settings have no [[models]] of this name; GET /api/models lists the models"}
		}
		t := h.cfg.Models.Try(c, d)
		v := trialOf(&t)
		return &v, nil
	}))
}
