package chatapi

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"society-tui/llm"
)

const (
	noOutput     = "(no output)" // several endpoints refuse an empty tool message
	unnamedTool  = "unnamed"
	longestName  = 64
	longestID    = 64
	shortID      = 9 // the only length that Mistral takes
	alphanumeric = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// extra holds fields that go-openai's types lack, to be merged into a message of the body
// or into one of its calls.
type extra struct {
	message int
	call    int // -1 for the message itself
	fields  json.RawMessage
}

// A request is one in the protocol's form, with what go-openai's types lack.
type request struct {
	body     openai.ChatCompletionRequest // without its messages
	messages []message
	extras   []extra
	options  []option // fields of the body
	marked   bool     // for the endpoint's cache
	effort   string   // as sent, "" for none
	tools    toolNames
}

// build returns req in the protocol's form, adapted to the endpoint's quirks.
func (m *Model) build(req llm.Request, h quirks) request {
	body := openai.ChatCompletionRequest{
		Model:  m.config.Model,
		Stream: true,
	}
	if !h.noStreamOptions {
		body.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	limit := req.MaxTokens
	if limit == 0 {
		limit = m.config.MaxTokens
	}
	switch h.limit {
	case inMaxTokens:
		//lint:ignore SA1019 many endpoints know only the older field
		body.MaxTokens = limit
	case inMaxCompletionTokens:
		body.MaxCompletionTokens = limit
	}
	tools := h.offered(req.Tools)
	for i := range tools {
		body.Tools = append(body.Tools, openai.Tool{
			Type: openai.ToolTypeFunction,
			Function: &openai.FunctionDefinition{
				Name: sentName(tools[i].Name), Description: tools[i].Description, Parameters: llm.ReducedParameters(tools[i].Parameters),
			},
		})
	}
	out := request{body: body, tools: namesOf(tools), marked: m.marks(h)}
	m.think(&out, cmp.Or(req.Effort, m.config.Effort), h)
	out.options = append(out.options, m.sampling(h)...)
	b := builder{quirks: h, policy: m.config.Reasoning, from: origin{m.origin, out.tools}, ids: ids{short: h.shortIDs}}
	b.system(req)
	out.messages, out.extras = b.messages, b.extras
	return out
}

// A builder turns the messages of one history into the protocol's.
type builder struct {
	quirks   quirks
	policy   ReasoningPolicy
	from     origin
	messages []message
	calls    []openai.ToolCall // of all messages
	extras   []extra
	ids      ids
}

// system adds the system prompt and the messages.
func (b *builder) system(req llm.Request) {
	calls := 0
	for i := range req.Messages {
		calls += len(req.Messages[i].Calls)
	}
	b.messages = make([]message, 0, len(req.Messages)+1)
	b.calls = make([]openai.ToolCall, 0, calls)
	b.ids.names, b.ids.taken = make(map[string]string, calls), make(map[string]bool, calls)
	prompt := req.System
	if prompt != "" && !b.quirks.noSystem {
		// Always "system": the newer "developer" is refused or, worse, ignored.
		b.messages = append(b.messages, message{Role: openai.ChatMessageRoleSystem, Content: textContent(&req.System)})
		prompt = ""
	}
	for i := range req.Messages {
		m := &req.Messages[i]
		if prompt != "" && m.Role == llm.User {
			first := *m
			first.Text, prompt = strings.TrimSpace(prompt+"\n\n"+m.Text), ""
			m = &first
		}
		b.add(m)
	}
}

func (b *builder) add(m *llm.Message) {
	switch m.Role {
	case llm.Tool:
		content := textContent(&m.Text)
		if content == nil {
			content = noOutput
		}
		b.append(m, message{
			Role: openai.ChatMessageRoleTool, Content: content, ToolCallID: b.ids.sent(m.CallID),
		})
	case llm.Assistant:
		if m.Text == "" && len(m.Calls) == 0 {
			return // it would be refused, and says nothing
		}
		sent := message{Role: openai.ChatMessageRoleAssistant, Content: textContent(&m.Text)}
		if b.wantsReasoning(m) {
			sent.ReasoningContent = m.Reasoning
		}
		begins := len(b.calls)
		for i := range m.Calls {
			b.calls = append(b.calls, b.call(&m.Calls[i], i))
		}
		sent.ToolCalls = slices.Clip(b.calls[begins:])
		b.append(m, sent)
	default:
		sent := message{Role: string(m.Role), Content: textContent(&m.Text)}
		if len(m.Images) > 0 {
			sent.Content = imageParts(m)
		}
		b.append(m, sent)
	}
}

// imageParts returns the text of a message, and behind it each image as a data URL.
func imageParts(m *llm.Message) []openai.ChatMessagePart {
	var parts []openai.ChatMessagePart
	if m.Text != "" { // an empty part is refused
		parts = append(parts, openai.ChatMessagePart{Type: openai.ChatMessagePartTypeText, Text: m.Text})
	}
	for i := range m.Images {
		parts = append(parts, openai.ChatMessagePart{Type: openai.ChatMessagePartTypeImageURL, ImageURL: &openai.ChatMessageImageURL{
			URL: "data:" + m.Images[i].Type + ";base64," + base64.StdEncoding.EncodeToString(m.Images[i].Data),
		}})
	}
	return parts
}

func (b *builder) append(m *llm.Message, sent message) {
	b.keep(m.Extra, -1)
	b.messages = append(b.messages, sent)
}

// keep records fields to be merged into the next message.
func (b *builder) keep(fields json.RawMessage, call int) {
	if len(fields) > 0 && !b.quirks.noExtras && !b.from.isAlien(fields) {
		b.extras = append(b.extras, extra{message: len(b.messages), call: call, fields: fields})
	}
}

func (b *builder) call(c *llm.Call, i int) openai.ToolCall {
	b.keep(c.Extra, i)
	return openai.ToolCall{
		ID:       b.ids.send(c),
		Type:     openai.ToolTypeFunction,
		Function: openai.FunctionCall{Name: b.from.tools.pastName(c.Name), Arguments: sendableArguments(c.Arguments)},
	}
}

func (b *builder) wantsReasoning(m *llm.Message) bool {
	switch {
	case b.quirks.reasoning != asConfigured:
		return b.quirks.reasoning == demanded
	case b.policy == ReasoningInToolRounds:
		return len(m.Calls) > 0
	}
	return b.policy == ReasoningAlways
}

// sendableName is a name that no endpoint refuses; the model may have written
// any.
func sendableName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '_' || r == '-' || strings.ContainsRune(alphanumeric, r)) {
			return r
		}
		return '_'
	}, name)
	switch {
	case name == "":
		return unnamedTool
	case name[0] == '-', name[0] >= '0' && name[0] <= '9':
		name = "_" + name
	}
	return name[:min(len(name), longestName)]
}

// sendableArguments is a JSON object: several endpoints parse the arguments in
// a history and fail for ever if a model once wrote something else.
func sendableArguments(arguments string) string {
	if strings.TrimSpace(arguments) == "" {
		return "{}"
	}
	if isObject([]byte(arguments)) {
		return arguments
	}
	wrapped, err := json.Marshal(map[string]string{"unreadable_arguments": arguments})
	if err != nil { // a map of strings can always be encoded
		return "{}"
	}
	return string(wrapped)
}

// ids decides under which id each call of one request is sent. The endpoint
// gets back its own unless that would not be unique or is of the wrong form.
type ids struct {
	short bool
	names map[string]string // by our id
	taken map[string]bool
}

func (s *ids) send(c *llm.Call) string {
	id := c.ProviderID
	if !isPlain(id) || s.taken[id] || (s.short && !isShort(id)) {
		id = c.ID
		if s.short {
			id = shorten(id)
		}
	}
	s.names[c.ID], s.taken[id] = id, true
	return id
}

// sent is under which id the call was sent.
func (s *ids) sent(id string) string {
	if name, known := s.names[id]; known {
		return name
	}
	return id
}

func isPlain(id string) bool {
	return id != "" && len(id) <= longestID && !strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' })
}

func isShort(id string) bool {
	return len(id) == shortID && !strings.ContainsFunc(id, func(r rune) bool { return !strings.ContainsRune(alphanumeric, r) })
}

// shorten gives the same short id for the same id, and to another id another.
func shorten(id string) string {
	sum := sha256.Sum256([]byte(id))
	digits := new(big.Int).SetBytes(sum[:]).Text(len(alphanumeric))
	return digits[:shortID]
}
