package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/llm/registry"
	"society-tui/runtime/api"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
)

// tested is a set-up with a model that can be tested, and one with a mistake. Whoever has it do
// anything else panics.
type tested struct{ api.ModelSetup }

func (tested) Draft(name string) (api.ModelDraft, bool) {
	return api.ModelDraft{Name: name, Key: api.KeyStays}, name == "known" || name == "a/b c"
}

func (tested) Try(_ context.Context, d api.ModelDraft) api.ModelTrial {
	if d.Name == "known" {
		return api.ModelTrial{Reached: api.Works, Key: api.Works, Stream: api.Works, Tools: api.Fails, Milliseconds: 3, Window: 8192}
	}
	return api.ModelTrial{Reached: api.Works, Key: api.Fails, Err: i18n.Text{EN: "wrong <key>", ZH: "密钥错误"}.With(), Class: "auth", Near: []string{"a"}}
}

func (tested) Disabled() []api.DisabledModel {
	return []api.DisabledModel{{Name: "bad", Why: i18n.Text{EN: "config.toml:3: no address", ZH: "没有地址"}.With()}}
}

// offering is a society with models.
type offering struct {
	httpapi.Society
	models []api.Model
}

func (o offering) Models() []api.Model { return o.models }

func (offering) AskEndpoints(context.Context) ([]api.Asked, error) {
	return []api.Asked{{Host: "h", Listed: true, Models: 2}, {Host: "down", Problem: "cannot be reached"}}, nil
}

func TestModelsAreListedWithWhatIsKnownOfThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		half, yes := 0.5, true
		models := []api.Model{
			{
				Name: "big", ID: "gpt-x", Host: "h", Window: 8192, WindowFrom: api.Known{Source: api.KnownFromEndpoint, At: time.Unix(0, 0).UTC()},
				Price: &api.Price{Input: 2, Output: 4, CacheRead: &half}, PriceFrom: api.Known{Source: api.KnownFromCatalogue, Old: true},
				Images: &yes, Effort: "low", Adapted: []string{"temperature"}, Capabilities: []string{"fast"},
			},
			{Name: "<b>"},
		}
		s := open(t, ground{model: whims(), society: func(inner httpapi.Society) httpapi.Society { return offering{inner, models} }})
		defer s.leave()
		got := s.serve(s.request(http.MethodGet, "/api/models", "")).body
		for _, want := range []string{
			`{"name":"big","id":"gpt-x","host":"h","default":false,"capabilities":["fast"],"window":8192,"windowFrom":{"source":"endpoint","at":"1970-01-01T00:00:00Z"},` +
				`"price":{"input":2,"output":4,"cacheRead":0.5},"priceFrom":{"source":"catalogue","old":true},"images":true,"effort":"low","adapted":["temperature"]}`,
			`{"name":"\u003cb\u003e","default":false,"capabilities":[]}`,
			`"disabled":[{"name":"bad","reason":"config.toml:3: no address"}]`,
		} {
			if !strings.Contains(got, want) {
				t.Errorf("GET /api/models = %s, want %s", got, want)
			}
		}
		want := `{"asked":[{"host":"h","listed":true,"models":2},{"host":"down","listed":false,"models":0,"problem":"cannot be reached"}]}` + "\n"
		if got := s.serve(s.request(http.MethodPost, "/api/models/update", "{}")); got.code != http.StatusOK || got.body != want {
			t.Errorf("POST /api/models/update = %d %s", got.code, got.body)
		}
	})
}

func TestModelsAreTestedByName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		for path, want := range map[string]struct {
			code int
			body string
		}{
			"known":     {200, `{"ok":true,"reached":"yes","key":"yes","stream":"yes","tools":"no","usage":"unknown","durationMs":3,"window":8192}`},
			"a%2Fb%20c": {200, `"error":"wrong \u003ckey\u003e","errorClass":"auth","near":["a"]}`},
			"none":      {404, `"error":"not_found"`},
			"..%2f..":   {404, `"error":"not_found"`},
		} {
			if got := s.serve(s.request(http.MethodPost, "/api/models/"+path+"/test", "{}")); got.code != want.code || !strings.Contains(got.body, want.body) {
				t.Errorf("POST /api/models/%s/test = %d %s, want %d %s", path, got.code, got.body, want.code, want.body)
			}
		}
		// A model cannot be handed over: what a request would set up is not even read.
		for _, body := range []string{`{"url":"http://evil.example/v1"}`, `{"key":"sk-a"}`, `{"name":"known"}`} {
			if got := s.serve(s.request(http.MethodPost, "/api/models/known/test", body)); got.code != http.StatusBadRequest {
				t.Errorf("a test with %s = %d %s", body, got.code, got.body)
			}
		}
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete} {
			if got := s.serve(s.request(method, "/api/models", `{"name":"a"}`)); got.code != http.StatusMethodNotAllowed {
				t.Errorf("%s /api/models = %d %s", method, got.code, got.body)
			}
		}
	})
}

// A call that waits for its endpoint, costs, and a budget that is spent are told alike by all
// routes.
func TestWaitsCostsAndBudgetsAreTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := llmtest.Script("priced",
			llmtest.Chunks(llm.Chunk{Text: "done", Done: true, Finish: llm.FinishStop, Usage: llm.Usage{InputTokens: 600_000, OutputTokens: 400_000}}),
			llmtest.Fail(&llm.Error{Class: llm.Rate, Status: 429, RetryAfter: time.Minute, Text: "slow down"}),
		)
		models, err := registry.New(registry.Entry{Name: "priced", Model: answers, Facts: llm.Facts{
			Price: llm.Fact[llm.Price]{Value: llm.Price{Input: 1, Output: 1}, Source: llm.FromSetting},
		}})
		if err != nil {
			t.Fatal(err)
		}
		s := open(t, ground{models: models})
		defer s.leave()
		_, first := s.ask(http.MethodPost, "/api/submit", `{"text":"go"}`)
		settle()
		if got := s.serve(s.request(http.MethodGet, "/api/agents", "")).body; !strings.Contains(got, `"usage":{"input":600000,"output":400000,"cost":1,"currency":"€"}`) {
			t.Errorf("the agent that answered is %s", got)
		}
		do(s, society.SetBudget{Agent: society.Root, Limit: society.Amount{Cost: 2 * society.Currency}})
		if got := s.serve(s.request(http.MethodGet, "/api/budgets", "")).body; !strings.Contains(got, `{"agentId":"root","limit":{"cost":2},`) || !strings.Contains(got, `"percent":50,"holds":false`) {
			t.Errorf("GET /api/budgets = %s", got)
		}
		usage := s.serve(s.request(http.MethodGet, "/api/usage", "")).body
		of := `"usage":{"input":600000,"output":400000,"cost":1,"currency":"€"}`
		for _, want := range []string{
			`"currency":"€"`, `"agents":[{"agentId":"root",` + of + `}]`, `"tasks":[{"name":"` + first["taskId"].(string) + `",` + of + `}]`, //nolint:forcetypeassert // the schema says so
			`"days":[{"name":"` + time.Now().Format(time.DateOnly) + `",` + of + `}]`, `"models":[{"name":"priced",` + of + `}]`,
		} {
			if !strings.Contains(usage, want) {
				t.Errorf("GET /api/usage = %s, want %s", usage, want)
			}
		}

		s.ask(http.MethodPost, "/api/submit", `{"text":"again"}`)
		settle()
		agents, all := s.serve(s.request(http.MethodGet, "/api/agents/root", "")), s.serve(s.request(http.MethodGet, "/api/models", ""))
		if !strings.Contains(agents.body, `"for":"endpoint"`) || !strings.Contains(all.body, `"wait":{"until":`) || !strings.Contains(all.body, `"for":"endpoint"}`) {
			t.Errorf("while it waits the agent is %s, the models are %s", agents.body, all.body)
		}

		do(s, society.SetBudget{Agent: society.Root, Limit: society.Amount{Tokens: 10}})
		time.Sleep(2 * time.Minute)
		settle()
		held := s.serve(s.request(http.MethodGet, "/api/agents/root", "")).body
		if !strings.Contains(held, `"paused":"budget"`) || !strings.Contains(held, `"budget":{"agentId":"root","limit":{"tokens":10},`) || !strings.Contains(held, `"holds":true}`) {
			t.Errorf("the agent whose budget is spent is %s", held)
		}
	})
}

func TestTheClassOfAnErrorIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, llmtest.Func("refuses", llmtest.Fail(&llm.Error{Class: llm.Auth, Status: 401, Code: "invalid_api_key", Text: "no such key"})))
		defer s.leave()
		s.ask(http.MethodPost, "/api/submit", `{"text":"go"}`)
		settle()
		if got := s.serve(s.request(http.MethodGet, "/api/agents", "")).body; !strings.Contains(got, `"errorClass":"auth","errorCode":"invalid_api_key"`) {
			t.Errorf("the agent is %s", got)
		}
	})
}
