package chatapi

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	openai "github.com/sashabaranov/go-openai"

	"society-tui/llm"
	"society-tui/llm/lazyregexp"
)

// quirks are what an endpoint has refused or demanded. The first request uses the zero
// value.
type quirks struct {
	limit           limitField
	noStreamOptions bool
	noExtras        bool
	shortIDs        bool
	reasoning       reasoningQuirk
	noTemperature   bool
	noTopP          bool
	noEffort        bool
	mustThink       bool      // an effort of none is refused
	toolsNoEffort   bool      // with tools the effort must be none
	efforts         effortSet // those that are taken, if that was said
	noCache         bool
	noSystem        bool
	withoutTools    [mostRefused]string // tools that are refused, "" for none
	litellm         bool                // it says that it is a LiteLLM
}

// mostRefused limits how many tools of a model are left out because they were refused.
const mostRefused = 3

// limitField is the field that bounds the answer. Which one an endpoint takes cannot be
// told from its address or the name of the model.
type limitField int

const (
	inMaxTokens limitField = iota
	inMaxCompletionTokens
	inNone
)

type reasoningQuirk int

const (
	asConfigured reasoningQuirk = iota
	demanded
	refused
)

// learned holds the quirks of one endpoint and model, for all goroutines that ask it.
type learned struct {
	mu    sync.Mutex
	known quirks
	keep  func(adapted []string) // gets each change; may be nil
}

func (l *learned) quirks() quirks {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known
}

// from adapts the quirks to an error about a request, which was built with tried, and reports
// whether the request should be sent again at once. A retry needs a quirk that has grown
// beyond tried, and none shrinks unless the user has them forgotten, so there are at most as
// many retries as quirks can grow: 18.
func (l *learned) from(err error, tried quirks, sent *request) bool {
	better, found := tried.after(err, sent)
	better = tried.and(better)
	if !found || better == tried {
		return false
	}
	l.add(better)
	if l.keep != nil {
		l.keep(l.quirks().names())
	}
	return true
}

func (l *learned) forget() {
	l.mu.Lock()
	l.known = quirks{}
	l.mu.Unlock()
	if l.keep != nil {
		l.keep(nil)
	}
}

func (l *learned) add(q quirks) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known = l.known.and(q)
}

// fromHeader learns from what an answer says of the endpoint.
func (l *learned) fromHeader(h http.Header) {
	if h.Get("X-Litellm-Version") != "" || h.Get("X-Litellm-Model-Id") != "" || h.Get("X-Litellm-Call-Id") != "" {
		l.add(quirks{litellm: true})
	}
}

// adaptations are the names of quirks that are shown and kept.
var adaptations = []struct {
	name string
	is   func(quirks) bool
	set  func(*quirks)
}{
	{llm.AdaptedLimit, func(q quirks) bool { return q.limit == inMaxCompletionTokens }, func(q *quirks) { q.limit = inMaxCompletionTokens }},
	{llm.AdaptedNoLimit, func(q quirks) bool { return q.limit == inNone }, func(q *quirks) { q.limit = inNone }},
	{llm.AdaptedNoUsage, func(q quirks) bool { return q.noStreamOptions }, func(q *quirks) { q.noStreamOptions = true }},
	{llm.AdaptedNoExtras, func(q quirks) bool { return q.noExtras }, func(q *quirks) { q.noExtras = true }},
	{llm.AdaptedShortIDs, func(q quirks) bool { return q.shortIDs }, func(q *quirks) { q.shortIDs = true }},
	{llm.AdaptedThoughts, func(q quirks) bool { return q.reasoning == demanded }, func(q *quirks) { q.reasoning = demanded }},
	{llm.AdaptedNoThoughts, func(q quirks) bool { return q.reasoning == refused }, func(q *quirks) { q.reasoning = refused }},
	{llm.AdaptedNoTemperature, func(q quirks) bool { return q.noTemperature }, func(q *quirks) { q.noTemperature = true }},
	{llm.AdaptedNoTopP, func(q quirks) bool { return q.noTopP }, func(q *quirks) { q.noTopP = true }},
	{llm.AdaptedNoEffort, func(q quirks) bool { return q.noEffort }, func(q *quirks) { q.noEffort = true }},
	{llm.AdaptedMustThink, func(q quirks) bool { return q.mustThink }, func(q *quirks) { q.mustThink = true }},
	{llm.AdaptedToolsNoEffort, func(q quirks) bool { return q.toolsNoEffort }, func(q *quirks) { q.toolsNoEffort = true }},
	{llm.AdaptedNoCache, func(q quirks) bool { return q.noCache }, func(q *quirks) { q.noCache = true }},
	{llm.AdaptedNoSystem, func(q quirks) bool { return q.noSystem }, func(q *quirks) { q.noSystem = true }},
}

// names lists the quirks by the names of llm.Adapter.
func (h quirks) names() []string {
	var list []string
	for _, a := range adaptations {
		if a.is(h) {
			list = append(list, a.name)
		}
	}
	if h.efforts != 0 {
		list = append(list, llm.AdaptedEfforts+":"+strings.Join(h.efforts.names(), ", "))
	}
	for _, name := range h.withoutTools {
		if name != "" {
			list = append(list, llm.AdaptedNoTool+":"+name)
		}
	}
	return list
}

// quirksOf returns the quirks with these names. Others are passed over: they are of a newer
// version.
func quirksOf(names []string) (h quirks) {
	for _, name := range names {
		kind, of, _ := strings.Cut(name, ":")
		switch kind {
		case llm.AdaptedEfforts:
			for effort := range strings.SplitSeq(of, ", ") {
				if i := slices.Index(llm.Efforts(), effort); i >= 0 {
					h.efforts |= 1 << i
				}
			}
		case llm.AdaptedNoTool:
			h, _ = h.without(of)
		default:
			for _, a := range adaptations {
				if a.name == name {
					a.set(&h)
				}
			}
		}
	}
	return h
}

// Adapted implements llm.Adapter.
func (m *Model) Adapted() []string { return m.learned.quirks().names() }

// ForgetAdapted implements llm.Adapter.
func (m *Model) ForgetAdapted() { m.learned.forget() }

// and returns what is known from both.
func (h quirks) and(o quirks) quirks {
	both := quirks{
		limit:           max(h.limit, o.limit),
		noStreamOptions: h.noStreamOptions || o.noStreamOptions,
		noExtras:        h.noExtras || o.noExtras,
		shortIDs:        h.shortIDs || o.shortIDs,
		reasoning:       max(h.reasoning, o.reasoning),
		noTemperature:   h.noTemperature || o.noTemperature,
		noTopP:          h.noTopP || o.noTopP,
		noEffort:        h.noEffort || o.noEffort,
		mustThink:       h.mustThink || o.mustThink,
		toolsNoEffort:   h.toolsNoEffort || o.toolsNoEffort,
		efforts:         h.efforts,
		noCache:         h.noCache || o.noCache,
		noSystem:        h.noSystem || o.noSystem,
		withoutTools:    h.withoutTools,
		litellm:         h.litellm || o.litellm,
	}
	if both.efforts == 0 {
		both.efforts = o.efforts
	}
	for _, name := range o.withoutTools {
		both, _ = both.without(name)
	}
	return both
}

// without returns the quirks with one more tool that is refused, false if there is no room
// for it, or if it is one of them.
func (h quirks) without(name string) (quirks, bool) {
	free := slices.Index(h.withoutTools[:], "")
	if name == "" || free < 0 || slices.Contains(h.withoutTools[:], name) {
		return h, false
	}
	h.withoutTools[free] = name
	return h, true
}

// offered returns the tools that are not refused, as many as every endpoint takes.
func (h quirks) offered(tools []llm.ToolSpec) []llm.ToolSpec {
	if h.withoutTools[0] != "" {
		tools = slices.DeleteFunc(slices.Clone(tools), func(t llm.ToolSpec) bool { return slices.Contains(h.withoutTools[:], t.Name) })
	}
	return tools[:min(len(tools), llm.MostTools)]
}

var (
	// notTaken matches how endpoints refuse a field, as opposed to its value.
	notTaken = lazyregexp.New(`unsupported|not supported|n.t support|extra|unrecogni[sz]ed|unknown|not permitted|not allowed|unexpected|instead|additional|forbidden|invalid (field|param|argument)`)
	// notFound matches how endpoints demand a field.
	notFound       = lazyregexp.New(`missing|required|must be (passed|provided|included|present)`)
	nineCharacters = lazyregexp.New(`length of 9|exactly 9|\{9\}|9 (alphanumeric|character)`)
	// systemRefused matches how endpoints refuse a system prompt.
	systemRefused = lazyregexp.New(`(system|developer) (role|instruction|message|prompt)s? (is|are)? ?not (supported|enabled|allowed|permitted)|` +
		`(not|n.t) support (the )?['"]?system|role ['"]?system['"]? (is )?not|(unknown|invalid|unsupported|unexpected) role:? ['"]?system`)
	// effortTools matches how endpoints refuse an effort beside tools.
	effortTools = lazyregexp.New(`function tools with reasoning_effort|reasoning_effort.{0,40}(with|and) (function )?tools`)
	// mandatory matches how endpoints refuse an effort of none.
	mandatory = lazyregexp.New(`mandatory|cannot be (disabled|turned off)|can.t be (disabled|turned off)|must be enabled`)
	// listOfValues matches the words before the efforts that an endpoint takes.
	listOfValues = lazyregexp.New(`supported values (are|is)?:?|must be (one of|either)|expected (one of|either)|allowed values (are|is)?:?|should be (one of|either)|valid values (are|is)?:?|input should be`)
	// ofTool matches that an error is about a tool, and toolAt its number.
	ofTool = lazyregexp.New(`function|tool|schema|parameters`)
	toolAt = lazyregexp.New(`\btools(?:\[|\.)(\d{1,3})\b`)
)

// after returns the quirks adapted to an error, false if it teaches nothing.
func (h quirks) after(err error, sent *request) (quirks, bool) {
	switch {
	case errors.Is(err, openai.ErrReasoningModelMaxTokensDeprecated) && h.limit == inMaxTokens:
		h.limit = inMaxCompletionTokens
		return h, true
	case errors.Is(err, openai.ErrReasoningToolsRequireResponses) && !h.toolsNoEffort:
		h.toolsNoEffort = true
		return h, true
	}
	refusal, ok := errors.AsType[*refusal](err)
	if !ok || (refusal.failure.Status != http.StatusBadRequest && refusal.failure.Status != http.StatusUnprocessableEntity) {
		return h, false
	}
	said := strings.ToLower(refusal.body)
	if better, found := h.afterField(said, sent); found {
		return better, true
	}
	if better, found := h.afterOption(said, sent); found {
		return better, true
	}
	return h.without(sent.refusedTool(said))
}

// afterField adapts to a refusal of what each request has.
func (h quirks) afterField(said string, sent *request) (quirks, bool) {
	names := func(field string) bool { return strings.Contains(said, field) }
	foreign := notTaken.MatchString(said)
	switch {
	case sent.body.StreamOptions != nil && names("stream_options"):
		h.noStreamOptions = true
	//lint:ignore SA1019 many endpoints know only the older field
	case sent.body.MaxTokens > 0 && names("max_tokens") && foreign:
		h.limit = inMaxCompletionTokens
	case sent.body.MaxCompletionTokens > 0 && names("max_completion_tokens") && foreign:
		h.limit = inNone
	case !h.shortIDs && names("tool") && names("id") && nineCharacters.MatchString(said):
		h.shortIDs = true
	case h.reasoning == asConfigured && names("reasoning_content") && notFound.MatchString(said):
		h.reasoning = demanded
	case h.reasoning != refused && names("reasoning_content") && foreign:
		h.reasoning = refused
	case !h.noExtras && (names("reasoning_details") || names("extra_content") || names("thinking_blocks")) && foreign:
		h.noExtras = true
	case !h.noSystem && sent.hasSystem() && systemRefused.MatchString(said):
		h.noSystem = true
	default:
		return h, false
	}
	return h, true
}

// afterOption adapts to a refusal of what the settings or the user have asked for.
func (h quirks) afterOption(said string, sent *request) (quirks, bool) {
	names := func(field string) bool { return strings.Contains(said, field) }
	switch {
	case sent.has(temperature) && names(temperature):
		h.noTemperature = true
	case sent.has(topP) && names(topP):
		h.noTopP = true
	case sent.marked && names(cacheControl):
		h.noCache = true
	case len(sent.body.Tools) > 0 && !h.toolsNoEffort && effortTools.MatchString(said):
		h.toolsNoEffort = true
	case sent.effort == "" || !names("reasoning") && !names("thinking") && !names("effort") && !names("chat_template_kwargs"):
		return h, false
	case sent.effort == noEffort && !h.mustThink && mandatory.MatchString(said):
		h.mustThink = true
	case h.efforts == 0 && effortsIn(said) != 0 && effortsIn(said).nearest(sent.effort) != sent.effort:
		h.efforts = effortsIn(said)
	case !h.noEffort && (notTaken.MatchString(said) || mandatory.MatchString(said) || names("invalid")):
		h.noEffort = true
	default:
		return h, false
	}
	return h, true
}

func (r *request) has(name string) bool {
	return slices.ContainsFunc(r.options, func(o option) bool { return o.name == name })
}

func (r *request) hasSystem() bool {
	return len(r.messages) > 0 && r.messages[0].Role == openai.ChatMessageRoleSystem
}

// refusedTool returns the own name of the tool that an error names, in quotes or by its
// number; "" for none, or if it names several.
func (r *request) refusedTool(said string) string {
	if !ofTool.MatchString(said) {
		return ""
	}
	found := ""
	for _, t := range r.body.Tools {
		name := strings.ToLower(t.Function.Name)
		for _, quote := range []string{`'`, `\"`, "`"} {
			if strings.Contains(said, quote+name+quote) && found != t.Function.Name {
				if found != "" {
					return ""
				}
				found = t.Function.Name
			}
		}
	}
	if at := toolAt.FindStringSubmatch(said); found == "" && at != nil {
		if n, err := strconv.Atoi(at[1]); err == nil && n < len(r.body.Tools) {
			found = r.body.Tools[n].Function.Name
		}
	}
	return r.tools[found]
}
