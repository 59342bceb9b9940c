package setupstep_test

import (
	"slices"
	"strings"
	"testing"

	"society-tui/llm/catalog"
	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/tui/setupstep"
)

// Who goes back sees the address without its query, which stays; another address has its own.
func TestTheQueryGoesWithItsAddress(t *testing.T) {
	t.Parallel()
	var d api.ModelDraft
	setupstep.Move(&d, api.ModelAddress{URL: "https://a/v1", Query: map[string]string{"v": "1"}})
	setupstep.Move(&d, api.ModelAddress{URL: "https://a/v1"})
	if d.Query["v"] != "1" {
		t.Errorf("after going back the query is %v", d.Query)
	}
	setupstep.Move(&d, api.ModelAddress{URL: "https://b/v1"})
	if len(d.Query) != 0 {
		t.Errorf("another address has the query %v", d.Query)
	}
}

func TestAKeyStaysUntilTheHostIsAnother(t *testing.T) {
	t.Parallel()
	d := api.ModelDraft{URL: "https://a.example", Key: api.KeyStays}
	for _, c := range []struct {
		url  string
		want api.KeyPlace
	}{{"https://a.example/v1", api.KeyStays}, {"https://A.example/v2", api.KeyStays}, {"http://a.example/v2", api.NoKey}} {
		if setupstep.Move(&d, api.ModelAddress{URL: c.url}); d.Key != c.want || d.URL != c.url {
			t.Errorf("Move to %s: the key is %q, want %q", c.url, d.Key, c.want)
		}
	}
}

// A new model is called as it is at its endpoint; one that is changed keeps its name, which roles
// know.
func TestAnotherModelOfAChangedOneKeepsTheName(t *testing.T) {
	t.Parallel()
	for before, want := range map[string]string{"": "gpt-y", "gpt-x": "gpt-x"} {
		d := api.ModelDraft{Before: before, Name: "gpt-x", Model: "gpt-x", Window: 5}
		if setupstep.Choose(&d, "gpt-y"); d.Name != want || d.Model != "gpt-y" || d.Window != 0 {
			t.Errorf("Choose, before %q: %+v, want the name %s", before, d, want)
		}
	}
}

func TestTheWindowOfADraftIsTheSettingElseWhatIsListed(t *testing.T) {
	t.Parallel()
	listed := []api.ListedModel{{ID: "gpt-x", Window: 7000}, {ID: "gpt-y"}}
	for _, c := range []struct {
		draft api.ModelDraft
		trial api.ModelTrial
		want  string
	}{
		{api.ModelDraft{Model: "gpt-x"}, api.ModelTrial{Window: 3000}, "7.0k"},
		{api.ModelDraft{Model: "gpt-x", Window: 5000}, api.ModelTrial{Window: 5000}, "5.0k"},
		{api.ModelDraft{Model: "gpt-y"}, api.ModelTrial{Window: 3000}, "3.0k"},
		{api.ModelDraft{Model: "else"}, api.ModelTrial{}, "unknown"},
	} {
		if got := setupstep.Size(i18n.Printer{}, c.draft, listed, &c.trial); !strings.HasPrefix(got, c.want) {
			t.Errorf("Size(%+v) = %q, want %s", c.draft, got, c.want)
		}
	}
}

func TestWhatIsKnownOfAListedModelIsTold(t *testing.T) {
	t.Parallel()
	in, out := 2.5, 10.0
	got := setupstep.About(i18n.Printer{}, api.ListedModel{Window: 7000, Input: &in, Output: &out, Old: true, Thinks: true, NoTools: true})
	if want := []string{"context of 7.0k tokens", "~2.5 in, 10 out", "thinks first", "no tools"}; !slices.Equal(got, want) {
		t.Errorf("About = %q, want %q", got, want)
	}
	if got := setupstep.About(i18n.Printer{}, api.ListedModel{}); len(got) != 0 {
		t.Errorf("About a model of which nothing is known = %q", got)
	}
}

func TestPlainHTTPIsAllowedForItsAddressOnly(t *testing.T) {
	t.Parallel()
	d := api.ModelDraft{URL: "http://a/v1", PlainHTTP: true}
	if setupstep.Move(&d, api.ModelAddress{URL: "http://a/v1"}); !d.PlainHTTP {
		t.Error("the same address has to be allowed again")
	}
	if setupstep.Move(&d, api.ModelAddress{URL: "http://b/v1"}); d.PlainHTTP {
		t.Error("another address is allowed as well")
	}
}

// A user knows a Chinese provider by its name in either language, or by its models, whatever the
// language of the screen.
func TestChineseProvidersAreFoundByEitherName(t *testing.T) {
	t.Parallel()
	var all []api.ModelProvider
	for _, p := range catalog.New("").Providers() {
		all = append(all, api.ModelProvider{Name: p.Name})
	}
	for zh, c := range map[string]struct {
		name string
		also []string
	}{
		"阿里云百炼":         {"Alibaba (China)", []string{"通义千问", "qwen", "阿里"}},
		"阿里云百炼（新加坡）":    {"Alibaba (Singapore)", []string{"通义千问", "qwen", "阿里"}},
		"阿里云百炼（美国）":     {"Alibaba (US)", []string{"百炼"}},
		"深度求索 DeepSeek": {"DeepSeek", []string{"深度求索", "deepseek"}},
		"月之暗面 Kimi":     {"Moonshot (China)", []string{"月之暗面", "KIMI"}},
		"月之暗面 Kimi（国际）": {"Moonshot", []string{"KIMI"}},
		"百度千帆":          {"Baidu Qianfan", []string{"文心", "ernie", "百度"}},
		"硅基流动":          {"SiliconFlow", []string{"硅基"}},
		"腾讯混元":          {"Tencent Hunyuan", []string{"混元", "腾讯"}},
		"火山方舟（豆包）":      {"Volcengine Ark", []string{"豆包", "doubao", "火山"}},
		"七牛云":           {"QiniuCloud", []string{"七牛", "qiniu"}},
		"智谱":            {"Zhipu", []string{"智谱", "zhipu"}},
		"智谱编程套餐":        {"Zhipu Coding", []string{"智谱清言", "GLM"}},
		"智谱国际 Z.AI":     {"Z.AI", []string{"z.ai", "智谱国际"}},
	} {
		p := api.ModelProvider{Name: c.name}
		if got := setupstep.ProviderName(i18n.Printer{Lang: protocol.Chinese}, p); got != zh {
			t.Errorf("ProviderName of %s in Chinese = %q, want %q", c.name, got, zh)
		}
		if got := setupstep.ProviderName(i18n.Printer{}, p); got != c.name {
			t.Errorf("ProviderName of %s in English = %q", c.name, got)
		}
		for _, text := range append(c.also, zh, c.name) {
			if found := setupstep.Called(all, text); !slices.Contains(found, p) {
				t.Errorf("Called(%q) = %v, want %s among them", text, found, c.name)
			}
		}
	}
}
