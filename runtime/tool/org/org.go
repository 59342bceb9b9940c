// Package org describes the tools with which agents organise themselves: roles,
// agents, messages, contacts, and their own context. They have no Call: the
// society decides them itself, in the transaction in which their effects happen.
package org

import (
	"encoding/json"
	"fmt"

	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"

	"github.com/google/jsonschema-go/jsonschema"
)

// The names of the tools.
const (
	CreateRole      = "create_role"
	FindRole        = "find_role"
	ListRoles       = "list_roles"
	SpawnAgent      = "spawn_agent"
	TerminateAgent  = "terminate_agent"
	SendMessage     = "send_message"
	ListContacts    = "list_contacts"
	GetOrg          = "get_org"
	CompressContext = "compress_context"
	ContextStatus   = "context_status"
)

// The groups of the tools. Organisation is a name for all three of them.
const (
	Organise     tool.Group = "organise" // roles and agents: to make and to end them
	Talk         tool.Group = "talk"     // messages, and whom there is to write to
	Context      tool.Group = "context"  // one's own context
	Organisation tool.Group = "organisation"
)

// Groups are the groups of the tools, in a fixed order.
func Groups() []tool.Group { return []tool.Group{Organise, Talk, Context} }

// GroupOf returns the group of a tool; ok is false for one that is not among
// these.
func GroupOf(name string) (g tool.Group, ok bool) {
	switch name {
	case CreateRole, FindRole, ListRoles, SpawnAgent, TerminateAgent:
		return Organise, true
	case SendMessage, ListContacts, GetOrg:
		return Talk, true
	case CompressContext, ContextStatus:
		return Context, true
	}
	return "", false
}

// DefaultKeep is how many entries compress_context keeps when it is not told.
const DefaultKeep = 10

// Specs returns the descriptions of the ten tools in a language, always in the
// same order. create_role offers what there is to choose from. The schemas check
// everything but taskBrief, payload and message_type, whose mistakes protocol
// reports field by field (spec/decisions.md 16 and 17).
func Specs(lang protocol.Lang, offer Offer) []tool.Spec {
	w := words{lang, offer}
	return []tool.Spec{
		w.createRole(), w.findRole(), w.listRoles(),
		w.spawnAgent(), w.terminateAgent(),
		w.sendMessage(), w.listContacts(), w.getOrg(),
		w.compressContext(), w.contextStatus(),
	}
}

// An Offer is what a role can be made with: several models, of which the first is
// the default, and graphs.
type Offer struct {
	Models []Model
	Graphs []Graph
}

// A Graph is one that the turns of a role's agents can run through.
type Graph struct{ Name, Description string }

// A Model is one that agents can be told to think with.
type Model struct {
	Name         string
	Capabilities []string
}

// words chooses the language of what a model reads.
type words struct {
	lang  protocol.Lang
	offer Offer
}

func (w words) say(english, chinese string) string {
	if w.lang == protocol.Chinese {
		return chinese
	}
	return english
}

// A property is one argument, in the order in which a model is to write it.
type property struct {
	name     string
	required bool
	schema   *jsonschema.Schema
}

func must(name string, s *jsonschema.Schema) property { return property{name, true, s} }

func may(name string, s *jsonschema.Schema) property { return property{name, false, s} }

func text(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: description}
}

func nonEmpty(description string) *jsonschema.Schema {
	s := text(description)
	s.MinLength = jsonschema.Ptr(1)
	return s
}

func texts(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}, Description: description}
}

// loose describes a value without checking it.
func loose(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Description: description}
}

func object(description string, properties ...property) *jsonschema.Schema {
	s := fields(&jsonschema.Schema{Description: description}, properties)
	s.Type = "object"
	return s
}

func fields(s *jsonschema.Schema, properties []property) *jsonschema.Schema {
	s.Properties = map[string]*jsonschema.Schema{}
	for _, p := range properties {
		s.Properties[p.name] = p.schema
		s.PropertyOrder = append(s.PropertyOrder, p.name)
		if p.required {
			s.Required = append(s.Required, p.name)
		}
	}
	return s
}

func spec(name, purpose string, risk tool.Risk, arguments ...property) tool.Spec {
	raw, err := json.Marshal(object("", arguments...))
	if err != nil {
		// The schemas are our own and constant; a test marshals each of them.
		panic(fmt.Sprintf("org: schema of %s: %v", name, err))
	}
	group, _ := GroupOf(name) // a test holds that each has one
	return tool.Spec{Name: name, Purpose: purpose, Parameters: raw, Risk: risk, Group: group}
}
