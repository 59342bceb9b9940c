package chatapi

import (
	"errors"
	"net/http"
	"strings"
	"sync"

	openai "github.com/sashabaranov/go-openai"

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
}

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
}

func (l *learned) quirks() quirks {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known
}

// from adapts the quirks to an error about body, which was built with tried, and reports
// whether the request should be sent again at once. Each quirk changes at most twice, so
// the retries end.
func (l *learned) from(err error, tried quirks, body openai.ChatCompletionRequest) bool {
	better, found := tried.after(err, body)
	if !found {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known = l.known.and(better)
	return true
}

// and returns what is known from both: quirks only ever grow.
func (h quirks) and(o quirks) quirks {
	return quirks{
		limit:           max(h.limit, o.limit),
		noStreamOptions: h.noStreamOptions || o.noStreamOptions,
		noExtras:        h.noExtras || o.noExtras,
		shortIDs:        h.shortIDs || o.shortIDs,
		reasoning:       max(h.reasoning, o.reasoning),
	}
}

// notTaken matches how endpoints refuse a field, as opposed to its value.
var notTaken = lazyregexp.New(`unsupported|not supported|n.t support|extra|unrecogni[sz]ed|unknown|not permitted|not allowed|unexpected|instead|additional|forbidden|invalid (field|param|argument)`)

// notFound matches how endpoints demand a field.
var notFound = lazyregexp.New(`missing|required|must be (passed|provided|included|present)`)

var nineCharacters = lazyregexp.New(`length of 9|exactly 9|\{9\}|9 (alphanumeric|character)`)

func (h quirks) after(err error, body openai.ChatCompletionRequest) (quirks, bool) {
	if errors.Is(err, openai.ErrReasoningModelMaxTokensDeprecated) && h.limit == inMaxTokens {
		h.limit = inMaxCompletionTokens
		return h, true
	}
	refusal, ok := errors.AsType[*refusal](err)
	if !ok || (refusal.failure.Status != http.StatusBadRequest && refusal.failure.Status != http.StatusUnprocessableEntity) {
		return h, false
	}
	said := strings.ToLower(refusal.body)
	names := func(field string) bool { return strings.Contains(said, field) }
	foreign := notTaken.MatchString(said)

	switch {
	case body.StreamOptions != nil && names("stream_options"):
		h.noStreamOptions = true
	//lint:ignore SA1019 many endpoints know only the older field
	case body.MaxTokens > 0 && names("max_tokens") && foreign:
		h.limit = inMaxCompletionTokens
	case body.MaxCompletionTokens > 0 && names("max_completion_tokens") && foreign:
		h.limit = inNone
	case !h.shortIDs && names("tool") && names("id") && nineCharacters.MatchString(said):
		h.shortIDs = true
	case h.reasoning == asConfigured && names("reasoning_content") && notFound.MatchString(said):
		h.reasoning = demanded
	case h.reasoning != refused && names("reasoning_content") && foreign:
		h.reasoning = refused
	case !h.noExtras && (names("reasoning_details") || names("extra_content")) && foreign:
		h.noExtras = true
	default:
		return h, false
	}
	return h, true
}
