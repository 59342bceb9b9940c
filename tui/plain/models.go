package plain

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/sanitize"
	"society-tui/tui/setupstep"
	"society-tui/tui/symbols"
)

// modelsCommand is the command of the screen, which in line mode does something to a model too.
func modelsCommand(env agentcommand.Env) *command.Command {
	c := env.Models()
	c.Args = []command.Arg{{Label: i18n.Text{EN: "[update|forget [NAME]|test NAME|use NAME|remove NAME]", ZH: "[update|forget [名称]|test 名称|use 名称|remove 名称]"}}}
	return c
}

// models lists the models, asks their endpoints what these can do, forgets what the endpoint of
// one or those of all have taught, or tests one, makes it the default or removes it.
func (f *frontend) models(in command.Input) {
	verb, name, _ := strings.Cut(strings.TrimSpace(in.Text), " ")
	name = strings.TrimSpace(name)
	all := f.cfg.Society.Models()
	known := slices.ContainsFunc(all, func(m api.Model) bool { return m.Name == name })
	if !known && f.cfg.ModelSetup != nil { // it waits while the offline one is the default
		_, known = f.cfg.ModelSetup.Draft(name)
	}
	switch {
	case verb == "":
		f.listModels(all)
	case verb == agentcommand.UpdateModels && name == "":
		f.act(f.actions.AskEndpoints())
	case verb == "forget" && name == "" && f.cfg.ModelSetup != nil:
		f.act(f.actions.ForgetLearnt("", f.cfg.ModelSetup.Forget))
	case !slices.Contains([]string{"test", "use", "remove", "forget"}, verb) || name == "":
		f.say(f.printer.T(textModelsUsage))
	case f.cfg.ModelSetup == nil:
		f.notify(action.Notice{Level: action.Warned, Text: f.printer.T(textModelsElsewhere)})
	case !known:
		f.notify(action.Notice{Level: action.Warned, Text: f.printer.T(textNoSuchModel, sanitize.Line(name, nameCells))})
	case verb == "forget":
		f.act(f.actions.ForgetLearnt(name, f.cfg.ModelSetup.Forget))
	case verb == "test":
		f.testModel(name)
	case verb == "remove":
		f.removeModel(name)
	default:
		f.useModel(name)
	}
}

func (f *frontend) listModels(all []api.Model) {
	for i, m := range all {
		parts := []string{}
		if i == 0 {
			parts = append(parts, f.printer.T(textDefaultModel))
		}
		if m.Host != "" {
			parts = append(parts, sanitize.Line(m.Host, nameCells))
		}
		if m.Window > 0 {
			parts = append(parts, f.printer.T(setupstep.ContextOf, symbols.Tokens(m.Window))+f.from(m.WindowFrom))
		}
		if m.Price != nil {
			parts = append(parts, symbols.PerMillion(f.printer, m.Price, m.PriceFrom, f.replica.Currency())+f.from(m.PriceFrom))
		}
		parts = append(parts, setupstep.Adapted(f.printer, m.Adapted)...)
		f.say(symbols.ModelName(f.printer, sanitize.Line(m.Name, nameCells)) + f.printer.T(symbols.TextColon) + strings.Join(parts, f.printer.T(symbols.TextComma)))
	}
	if f.cfg.ModelSetup == nil {
		return
	}
	for _, d := range f.cfg.ModelSetup.Disabled() {
		f.say(sanitize.Line(d.Name, nameCells) + f.printer.T(symbols.TextColon) + sanitize.Line(i18n.Error(f.printer.Lang, d.Why), doingCells))
	}
}

// from says in brackets where something is known from.
func (f *frontend) from(k api.Known) string {
	if k.Source == "" {
		return ""
	}
	return f.printer.T(symbols.TextAside, symbols.From(f.printer, k, time.Now()))
}

// testModel has a model answer, and tells how it did.
func (f *frontend) testModel(name string) {
	d, ok := f.cfg.ModelSetup.Draft(name)
	if !ok {
		f.notify(action.Notice{Level: action.Warned, Text: f.printer.T(textNotTested, sanitize.Line(name, nameCells))})
		return
	}
	later(f, func(ctx context.Context) (api.ModelTrial, error) { return f.cfg.ModelSetup.Try(ctx, d), nil }, func(t api.ModelTrial, err error) {
		if err = errors.Join(err, t.Err); err != nil {
			said := f.printer.T(textTestFailed, sanitize.Line(name, nameCells), sanitize.Line(i18n.Error(f.printer.Lang, err), doingCells))
			f.notify(action.Notice{Level: action.Warned, Text: said + " " + f.printer.T(setupstep.Next(t.Class))})
			return
		}
		said := textTestTools
		if t.Tools != api.Works {
			said = textTestNoTools
		}
		f.say(f.printer.T(said, sanitize.Line(name, nameCells), t.Milliseconds))
	})
}

// useModel makes a model the default.
func (f *frontend) useModel(name string) {
	later(f, func(ctx context.Context) (api.ModelSaved, error) { return f.cfg.ModelSetup.MakeDefault(ctx, name) }, func(saved api.ModelSaved, err error) {
		if err != nil {
			f.notify(f.actions.NoticeFor(err))
			return
		}
		f.say(f.printer.T(textUsesNow, sanitize.Line(name, nameCells)))
		f.tellSaved(saved)
		f.awaitChanges()
	})
}

// removeModel takes a model out of the settings, after a question.
func (f *frontend) removeModel(name string) {
	f.say(f.printer.T(textRemoves, sanitize.Line(name, nameCells)) + " " + f.printer.T(setupstep.Goes) + " " + f.printer.T(textYesOrNo))
	f.asks = &question{answer: func(line string) {
		if !among(yes, line) {
			f.declined(line)
			return
		}
		later(f, func(ctx context.Context) (api.ModelSaved, error) { return f.cfg.ModelSetup.Remove(ctx, name) }, func(saved api.ModelSaved, err error) {
			if err != nil {
				f.warn(sanitize.Line(i18n.Error(f.printer.Lang, err), doingCells))
				return
			}
			f.say(f.printer.T(textRemovedModel, sanitize.Line(name, nameCells)))
			f.tellSaved(saved)
			f.awaitChanges()
		})
	}}
}

// later runs work that waits, and handles its result afterwards.
func later[T any](f *frontend, work func(context.Context) (T, error), then func(T, error)) {
	f.work(func(ctx context.Context) func() {
		result, err := work(ctx)
		return func() { then(result, err) }
	})
}
