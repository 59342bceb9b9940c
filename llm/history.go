package llm

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// mostTools is how many tools any provider takes.
const mostTools = 128

// IsToolName reports whether providers accept the name of a tool.
func IsToolName(name string) bool {
	return name != "" && len(name) <= 64 && !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
	})
}

// CheckHistory reports the first thing in req that a strict provider answers
// with 400: a call that is not answered exactly once directly after its
// message, an answer to no call, an id used twice, an empty message, a history
// that is empty or begins with an answer, an unusable tool.
//
// The names and arguments of calls are what a model wrote, so they are not checked here:
// the Model corrects them when it sends them.
func CheckHistory(req Request) error {
	if err := checkTools(req.Tools); err != nil {
		return err
	}
	if len(req.Messages) == 0 {
		return errors.New("the history is empty")
	}
	c := checker{used: make(map[string]bool)}
	for i, m := range req.Messages {
		if err := c.next(m); err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
	}
	if err := c.allAnswered(); err != nil {
		return fmt.Errorf("at the end: %w", err)
	}
	return nil
}

// A checker walks over a history.
type checker struct {
	used map[string]bool // ids of all calls so far
	open map[string]bool // calls of the last assistant message without an answer
}

func (c *checker) next(m Message) error {
	if m.Role != Tool {
		if err := c.allAnswered(); err != nil {
			return err
		}
		if m.CallID != "" {
			return fmt.Errorf("a %s message answers call %q", m.Role, m.CallID)
		}
	}
	if m.Role != Assistant && len(m.Calls) > 0 {
		return fmt.Errorf("a %s message has calls", m.Role)
	}
	switch m.Role {
	case User:
		if m.Text == "" && len(m.Images) == 0 {
			return errors.New("the user message is empty")
		}
		return nil
	case Tool:
		return c.answer(m)
	case Assistant:
		return c.call(m)
	}
	return fmt.Errorf("there is no role %q", m.Role)
}

func (c *checker) answer(m Message) error {
	switch {
	case m.Text == "":
		return fmt.Errorf("the answer to call %q is empty", m.CallID)
	case !c.open[m.CallID] && c.used[m.CallID]:
		return fmt.Errorf("call %q is answered again or too late", m.CallID)
	case !c.open[m.CallID]:
		return fmt.Errorf("there is no call %q to answer", m.CallID)
	}
	delete(c.open, m.CallID)
	return nil
}

func (c *checker) call(m Message) error {
	if m.Text == "" && len(m.Calls) == 0 {
		return errors.New("the assistant message has neither text nor calls")
	}
	c.open = make(map[string]bool, len(m.Calls))
	for _, call := range m.Calls {
		if call.ID == "" {
			return fmt.Errorf("the call of %q has no id", call.Name)
		}
		if c.used[call.ID] {
			return fmt.Errorf("the id %q belongs to an earlier call", call.ID)
		}
		c.used[call.ID], c.open[call.ID] = true, true
	}
	return nil
}

func (c *checker) allAnswered() error {
	if len(c.open) == 0 {
		return nil
	}
	return fmt.Errorf("call %q has no answer", slices.Min(slices.Collect(maps.Keys(c.open))))
}

func checkTools(tools []ToolSpec) error {
	if len(tools) > mostTools {
		return fmt.Errorf("there are %d tools, and no more than %d are taken", len(tools), mostTools)
	}
	names := make(map[string]bool, len(tools))
	for _, tool := range tools {
		if !IsToolName(tool.Name) {
			return fmt.Errorf("%q cannot be the name of a tool", tool.Name)
		}
		if names[tool.Name] {
			return fmt.Errorf("two tools are called %q", tool.Name)
		}
		names[tool.Name] = true
		if err := CheckSchema(tool.Parameters); err != nil {
			return fmt.Errorf("tool %q: %w", tool.Name, err)
		}
	}
	return nil
}
