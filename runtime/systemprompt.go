package runtime

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/runtime/tool/read"
	"society-tui/storage"
)

// A systemPrompt is the cached text sent before an agent's conversation. It stays the same over
// many turns, and the text is kept once a worker has made it.
type systemPrompt struct {
	at       circumstance
	contacts society.Contacts // as they were then
	prompt   protocol.Prompt  // without brief and warning

	mu     sync.Mutex
	text   string // "" until it was made
	weight int
}

// A circumstance is the key of a cached system prompt. The brief is not part of it,
// because it never changes.
type circumstance struct {
	role             *society.Role // replaced, never changed
	toolSet          *toolSet      // likewise
	step, stepPrompt string
	budgets          conversation.Budgets // of its model
	names            uint64               // State.Names, for those of the contacts
}

// systemPromptOf returns an agent's system prompt and tools, from the cache if nothing
// has changed. Only the loop calls it.
func (r *Runtime) systemPromptOf(a *society.Agent, at *graph.Work, c *cachedConversation) *systemPrompt {
	model, _ := r.modelOf(a, at)
	now := circumstance{role: r.state.Role(a.Role), toolSet: r.toolSetOf(a, at), budgets: conversation.BudgetsFor(model.Window), names: r.state.Names()}
	if node, ok := r.state.Node(a, at); ok {
		now.step, now.stepPrompt = cmp.Or(node.Title, node.Key), node.Prompt
	}
	if c.prompt == nil || c.prompt.at != now || !slices.Equal(c.prompt.contacts, a.Contacts) {
		c.prompt = &systemPrompt{at: now, contacts: slices.Clone(a.Contacts), prompt: r.promptOf(a, now)}
	}
	return c.prompt
}

// promptOf gathers what an agent's system prompt is made of, but for the brief and
// the warning.
func (r *Runtime) promptOf(a *society.Agent, now circumstance) protocol.Prompt {
	p := protocol.Prompt{
		ID: string(a.ID), Role: r.state.RoleName(a.ID), Addition: r.cfg.Addition, Tools: now.toolSet.names,
		Step: now.step, StepPrompt: now.stepPrompt,
	}
	if now.role != nil {
		p.RolePrompt = now.role.Prompt
	}
	p.Contacts = r.state.ListContacts(a.ID)
	p.Cut = cutBrief(r.state.Lang(), p.ID, now.budgets)
	return p
}

// cutBrief returns what cuts the brief of an agent to budgets.
func cutBrief(lang protocol.Lang, agent string, budgets conversation.Budgets) func(string) string {
	return func(text string) string {
		return shorten(lang, text, budgets.Message, read.Path(read.Brief, agent))
	}
}

// within returns the prompt with other budgets.
func (g *systemPrompt) within(lang protocol.Lang, budgets conversation.Budgets) *systemPrompt {
	tight := &systemPrompt{at: g.at, contacts: g.contacts, prompt: g.prompt}
	tight.at.budgets, tight.prompt.Cut = budgets, cutBrief(lang, g.prompt.ID, budgets)
	return tight
}

// system returns the system prompt without a warning, and its weight. It holds no lock
// while it reads: a store may hang.
func (g *systemPrompt) system(store storage.Store, lang protocol.Lang) (text string, weight int, err error) {
	if text, weight = g.made(); text != "" {
		return text, weight, nil
	}
	p := g.prompt
	err = store.View(func(tx storage.Tx) (err error) {
		p.Brief, err = tables.Brief(tx, society.AgentID(p.ID))
		return err
	})
	if err != nil {
		return "", 0, fmt.Errorf("read the brief of %s: %w", p.ID, err)
	}
	text = protocol.SystemPrompt(lang, p)
	weight = conversation.Weigh(text)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.text, g.weight = text, weight
	return text, weight, nil
}

func (g *systemPrompt) made() (text string, weight int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.text, g.weight
}
