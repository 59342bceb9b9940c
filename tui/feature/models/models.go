// Package models lists the models, explains how to set up more, and sets the
// model of a role.
package models

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/replica"
	"society-tui/tui/sanitize"
	"society-tui/tui/setupstep"
	"society-tui/tui/symbols"
)

// SetUp is the command that sets a model up, as it is written.
const SetUp = "/setup"

// setUpRow is the id of the row that explains how to set up a model.
const setUpRow = ""

// A Config has where models are set up.
type Config struct {
	// Setup sets models up; nil if that is not possible.
	Setup api.ModelSetup
	Look  bool          // nothing can be changed
	File  func() string // the settings file, or ""
}

// A Feature lists models and sets those of roles.
type Feature struct {
	*page.Deps
	cfg     Config
	list    *page.List
	roles   []api.Role // as last read
	choices *page.List // the choices for a role
	role    api.Role   // whose model is chosen

	// The lists of the steps in which a model is set up, and of roles that can have one.
	providers, places, listed, assign *page.List
	flow                              *flow // nil while no model is set up
	begun                             *flow // the set-up that was begun last, nil once it is saved
	serial                            int
	assigned                          string // the model for a role of assign
}

// New returns the feature.
func New(deps *page.Deps, cfg Config) *Feature {
	f := &Feature{Deps: deps, cfg: cfg}
	f.list = deps.NewList(page.Choosing{Take: f.takeMarked, Takes: page.HintChoose})
	f.choices = deps.NewList(page.Choosing{Take: f.chooseMarked, Takes: page.HintChoose, Cancels: true})
	steps := func(take, back func() tea.Cmd) *page.List {
		return deps.NewList(page.Choosing{Take: take, Takes: page.HintChoose, By: page.BestFirst, Back: back})
	}
	f.providers = steps(f.takeProvider, f.leave)
	f.places = deps.NewList(page.Choosing{Take: f.takePlace, Takes: page.HintChoose, Types: f.typeKey, Back: func() tea.Cmd {
		f.places.Close()
		return f.back(keyStep, f.backToAddress)()
	}})
	f.listed = steps(f.takeListed, func() tea.Cmd {
		f.listed.Close()
		return f.backToModels()
	})
	f.assign = steps(f.takeUser, func() tea.Cmd { return f.open() })
	return f
}

func (f *Feature) Commands() []*command.Command {
	return command.Grouped(command.GroupRoles, []*command.Command{
		{
			ID: "model", Title: i18n.Text{EN: "Choose the role's model…", ZH: "选择角色的模型…"}, Also: i18n.Text{EN: "llm switch assign", ZH: "切换 分配 大模型"}, Keys: command.Keys(command.List, "m"), AnyPane: true, Changes: true, Blocked: f.NotYou,
			Run: command.Run(f.openForRecipient),
		},
		{
			Slash: SetUp, Title: i18n.Text{EN: "Set up a model…", ZH: "设置模型…"}, Changes: true,
			Also: i18n.Text{EN: "add provider key api endpoint openai ollama", ZH: "添加 提供商 密钥 接口"}, Run: command.Run(f.begin),
		},
		f.models(),
	})
}

// models is the command that lists the models, or asks their endpoints.
func (f *Feature) models() *command.Command {
	c := agentcommand.Env{}.Models()
	c.Run = func(in command.Input) tea.Cmd {
		if in.Has(agentcommand.UpdateModels) {
			return f.Screen.Act(f.Actions.AskEndpoints())
		}
		return f.open()
	}
	return c
}

func (f *Feature) openForRecipient() tea.Cmd {
	return f.WithRole(func(r api.Role) tea.Cmd { return f.Open(r, nil) })
}

// List opens the list of models.
func (f *Feature) List() tea.Cmd { return f.open() }

// open lists the models with the roles that use them.
func (f *Feature) open() tea.Cmd {
	return f.ReadRoles(func(m page.RolesRead) tea.Cmd {
		if m.Err != nil {
			return f.Explain(m.Err)
		}
		f.roles = m.Roles
		f.list.Show(f.Text(title), "", f.items())
		if api.IsOffline(f.Society.Models()) && !f.anyWaits() {
			f.list.Pick(setUpRow)
		} else if row, _ := f.Replica.Row(f.Screen.Recipient()); row.Error != "" {
			f.list.Pick(row.Model) // on which it has failed
		}
		return nil
	})
}

// Changed updates the open list with the health of models.
func (f *Feature) Changed(_ *api.Changes, did replica.Applied) {
	if did.Health && f.list.IsOpen() {
		f.list.Renew(f.items())
	}
}

func (f *Feature) items() []list.Item {
	asking := f.rolesByModel()
	var items []list.Item
	for i, m := range f.Society.Models() {
		items = append(items, f.item(m, i == 0, asking[m.Name]))
	}
	row := list.Item{ID: setUpRow, Name: f.Text(setUpAnother), Text: f.Text(setUpSays, f.cfg.File())}
	if api.IsOffline(f.Society.Models()) && !f.anyWaits() {
		row.Name = f.Text(setUpReal)
	}
	if f.cfg.Setup != nil {
		row.Text = f.Text(setUpHere)
		for _, d := range f.cfg.Setup.Disabled() {
			item := list.Item{ID: disabledRow + d.Name, Name: sanitize.Line(d.Name, page.NameCells), Note: f.Text(isDisabled), Text: f.inWords(d.Why), Bad: true}
			if d.Waits {
				item.ID, item.Note, item.Bad = d.Name, f.Text(waits), false
			}
			items = append(items, item)
		}
	}
	return append(items, row)
}

// anyWaits reports whether models are set up that the offline one answers for.
func (f *Feature) anyWaits() bool {
	return f.cfg.Setup != nil && slices.ContainsFunc(f.cfg.Setup.Disabled(), func(d api.DisabledModel) bool { return d.Waits })
}

// disabledRow is what the ids of rows of disabled models begin with, which no name does.
const disabledRow = "\n"

// item shows where a model is, its health, and who uses it.
func (f *Feature) item(m api.Model, first bool, roles []string) list.Item {
	item := list.Item{ID: m.Name, Name: symbols.ModelName(f.Printer, sanitize.Line(m.Name, page.NameCells))}
	var note []string
	if first {
		note = append(note, f.Text(byDefault))
	}
	if m.Host == "" {
		note = append(note, f.Text(page.TextBuiltIn))
	} else {
		note = append(note, sanitize.Line(m.Host, page.NameCells))
	}
	item.Note = strings.Join(note, f.Dot)

	var text []string
	switch health := f.Replica.Health(m.Name); {
	case health == "" && f.isAsked(m.Name):
		text = append(text, f.Text(asked))
	case health == "":
		text = append(text, f.Text(notUsed))
	case health == "ok":
		text = append(text, f.Text(answered))
	default:
		text, item.Bad = append(text, f.Text(failed, health)), true
	}
	if len(m.Capabilities) > 0 {
		text = append(text, f.Printer.List(m.Capabilities))
	}
	if m.Effort != "" {
		text = append(text, f.Text(effort, sanitize.Line(m.Effort, page.NameCells)))
	}
	text = append(text, setupstep.Adapted(f.Printer, m.Adapted)...)
	alone := f.namesOf(f.having(m.Name))
	if len(roles) > 0 {
		text = append(text, f.Text(usedBy, f.Printer.List(roles)))
	}
	if len(alone) > 0 {
		text = append(text, f.Text(usedAlone, f.Printer.List(alone)))
	}
	if len(roles)+len(alone) == 0 {
		text = append(text, f.Text(noRoles))
	}
	if m.Window > 0 {
		text = append(text, f.Text(setupstep.ContextOf, symbols.Tokens(m.Window))+f.from(m.WindowFrom))
	}
	if m.Price != nil {
		text = append(text, symbols.PerMillion(f.Printer, m.Price, m.PriceFrom, f.Replica.Currency())+f.from(m.PriceFrom))
	}
	item.Text = strings.Join(text, f.Dot)
	return item
}

// having returns the agents that were given a model alone, in the order of the tree.
func (f *Feature) having(model string) []society.AgentID {
	return slices.DeleteFunc(slices.Clone(f.Replica.Subtree(society.Root)), func(id society.AgentID) bool {
		row, _ := f.Replica.Row(id)
		return !row.OwnModel || row.Model != model
	})
}

// isAsked reports whether an agent waits for the answer of a model: its health is known afterwards.
func (f *Feature) isAsked(model string) bool {
	return slices.ContainsFunc(f.Replica.Subtree(society.Root), func(id society.AgentID) bool {
		row, _ := f.Replica.Row(id)
		return row.Model == model && row.State == society.WaitingLLM
	})
}

func (f *Feature) namesOf(ids []society.AgentID) []string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = f.Replica.Name(id)
	}
	return names
}

// from says in brackets where something is known from.
func (f *Feature) from(k api.Known) string {
	if k.Source == "" {
		return ""
	}
	return f.Text(symbols.TextAside, symbols.From(f.Printer, k, time.Now()))
}

// rolesByModel returns the names of the roles that use each model: by name, by
// capability, or as the default.
func (f *Feature) rolesByModel() map[string][]string {
	asking := make(map[string][]string)
	for i := range f.roles {
		r := &f.roles[i]
		at := slices.IndexFunc(f.Society.Models(), func(m api.Model) bool {
			switch {
			case r.Model != "":
				return m.Name == r.Model
			case r.Capability != "":
				return slices.Contains(m.Capabilities, r.Capability)
			}
			return true
		})
		if at >= 0 {
			name := f.Society.Models()[at].Name
			asking[name] = append(asking[name], sanitize.Line(r.Name, page.NameCells))
		}
	}
	return asking
}

// takeMarked explains how to make the selected model the default, or how to set
// up another.
func (f *Feature) takeMarked() tea.Cmd {
	item, ok := f.list.Picked()
	switch {
	case !ok:
	case strings.HasPrefix(item.ID, disabledRow):
		return f.Warn(item.Text, f.Text(hintFile, f.cfg.File()))
	case f.cfg.Look:
		return f.Explain(api.ErrLookOnly)
	case item.ID == setUpRow:
		f.list.Close()
		begun := f.begin()
		if f.flow != nil {
			f.flow.fromList = true
		}
		return begun
	case f.cfg.Setup != nil:
		return f.manage(item)
	case item.ID == f.Society.Models()[0].Name:
		return f.Inform(f.Text(isDefault, item.Name), f.Text(hintRole))
	default:
		at := slices.IndexFunc(f.Society.Models(), func(m api.Model) bool { return m.Name == item.ID })
		return f.showDefault(item.Name, f.Society.Models()[at].Host == "")
	}
	return nil
}
