package plain

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/sanitize"
	"society-tui/tui/setupstep"
	"society-tui/tui/symbols"
	"society-tui/tui/terminal"
)

// mostListed is how many models are read out.
const mostListed = 20

// A setup is a model that is being set up, question by question. Nothing is written before the
// last answer.
type setup struct {
	*frontend
	setupstep.Keys

	draft  api.ModelDraft
	listed api.ModelList
	trial  api.ModelTrial
}

// setUpCommand is the command that sets a model up.
func (f *frontend) setUpCommand() *command.Command {
	return &command.Command{
		Slash: "/setup", Group: command.GroupRoles, Title: i18n.Text{EN: "Set up a model", ZH: "设置模型"}, Changes: true,
		Run: command.With(func(command.Input) { f.setUp() }),
	}
}

func (f *frontend) setUp() {
	if f.cfg.ModelSetup == nil {
		f.warn(f.printer.T(textModelsElsewhere))
		return
	}
	f.say(f.printer.T(textSetUp))
	later(f, func(ctx context.Context) (setupstep.Keys, error) {
		return setupstep.Keys{Providers: f.cfg.ModelSetup.Providers(ctx), NoKeyring: f.cfg.ModelSetup.NoKeyring(ctx) != nil, Others: setupstep.Drafts(f.cfg.Society.Models(), f.cfg.ModelSetup.Draft)}, nil
	}, func(found setupstep.Keys, _ error) {
		s := &setup{frontend: f, Keys: found}
		s.askProvider()
	})
}

// ask asks a question of one line, which is no command. The words that end or go back are
// answered to here.
func (s *setup) ask(text string, back func(), answer func(line string)) {
	s.say(text)
	s.await(nil, back, func() { s.ask(text, back, answer) }, answer)
}

// await waits for an answer; shown is called with it, and again asks once more.
func (s *setup) await(shown, back, again func(), answer func(line string)) {
	s.asks = &question{whole: true, dropped: shown, answer: func(line string) {
		if shown != nil {
			shown()
		}
		switch {
		case among(cancels, line):
			s.say(s.printer.T(textNothingDone))
		case among(backs, line) && back != nil:
			back()
		case line == "?":
			again()
		default:
			answer(line)
		}
	}}
}

func (s *setup) name(text string) string { return sanitize.Line(text, nameCells) }

func (s *setup) inWords(err error) string {
	return s.sentence(strings.TrimRight(sanitize.Line(i18n.Error(s.printer.Lang, err), doingCells), ".。"))
}

// askProvider reads out the likely providers, and takes a number, a name or an address.
func (s *setup) askProvider() {
	s.draft = api.ModelDraft{}
	s.askAmong(nil, slices.DeleteFunc(slices.Clone(s.Providers), func(p api.ModelProvider) bool { return !p.Local && !p.KeySet }))
}

// askAmong asks for the provider after what is said; a number takes one of near.
func (s *setup) askAmong(said []string, near []api.ModelProvider) {
	for i, p := range near {
		about := s.name(p.Address)
		if p.KeySet {
			about += s.printer.T(symbols.TextComma) + s.printer.T(textVariableIsSet, p.KeyEnv)
		}
		said = append(said, s.printer.T(textNumbered, i+1, s.name(setupstep.ProviderName(s.printer, p)), about))
	}
	says := s.printer.T(textProvider, len(s.Providers))
	if len(near) > 0 {
		says += " " + s.printer.T(textOrNumber)
	}
	first := func() {
		s.say(s.printer.T(textFirstQuestion))
		s.askAmong(nil, near)
	}
	s.ask(strings.Join(append(said, says), "\n"), first, func(line string) {
		if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(near) {
			s.take(near[n-1])
			return
		}
		called := setupstep.Called(s.Providers, line)
		switch {
		case line == "":
			s.askProvider()
		case len(called) == 1:
			s.take(called[0])
		case len(called) > 1 && !setupstep.IsAddress(line):
			s.askAmong([]string{s.printer.T(textSeveral, len(called))}, called)
		case setupstep.IsAddress(line):
			s.Provider = api.ModelProvider{}
			s.onAddress(line)
		default:
			s.say(s.printer.T(textNoProvider, s.name(line)))
			s.askProvider()
		}
	})
}

func (s *setup) take(p api.ModelProvider) {
	s.Provider = p
	if !setupstep.IsWhole(p.Address) {
		s.say(s.printer.T(setupstep.OwnAddress, s.name(setupstep.ProviderName(s.printer, p))))
		s.askAddress()
		return
	}
	s.onAddress(p.Address)
}

func (s *setup) askAddress() {
	s.ask(s.printer.T(setupstep.Address), s.askProvider, func(line string) {
		if line == "" {
			s.askAddress()
			return
		}
		s.onAddress(line)
	})
}

func (s *setup) onAddress(text string) {
	at, err := s.cfg.ModelSetup.Address(text)
	if err != nil {
		s.say(s.inWords(err))
		s.askAddress()
		return
	}
	setupstep.Move(&s.draft, at)
	for _, note := range at.Mended {
		s.say(s.inWords(note))
	}
	if !at.Plain || s.draft.PlainHTTP {
		s.askPlace()
		return
	}
	says := setupstep.PlainSays
	if at.Public {
		says = setupstep.PublicSays
	}
	s.ask(s.printer.T(says, s.name(at.URL))+" "+s.printer.T(textPlainKey), s.askAddress, func(line string) {
		withKey := among(yes, line)
		s.draft.PlainHTTP = withKey || at.Public
		if withKey {
			s.askPlace()
			return
		}
		s.draft.Key, s.draft.Entered = api.NoKey, ""
		s.findModels()
	})
}

// askPlace asks where the key is.
func (s *setup) askPlace() {
	places := s.Places(s.draft)
	said := []string{s.printer.T(textPlace)}
	for i, p := range places {
		said = append(said, s.printer.T(textNumbered, i+1, p.Label(s.printer), p.About(s.printer)))
	}
	s.ask(strings.Join(said, "\n"), s.askAddress, func(line string) {
		n := 1
		if line != "" {
			n, _ = strconv.Atoi(line)
		}
		if n < 1 || n > len(places) {
			s.askPlace()
			return
		}
		p := places[n-1]
		s.draft.Key, s.draft.Entered = p.Is, api.Entered(p.In)
		if p.In == "" && setupstep.IsEntered(p.Is) {
			s.askKey()
			return
		}
		s.findModels()
	})
}

// askKey asks for the key, which the terminal does not show, or for what leads to it.
func (s *setup) askKey() {
	says, _ := setupstep.Asks(s.draft.Key)
	var shown func()
	s.say(s.printer.T(says))
	if s.draft.Key == api.KeyInKeyring || s.draft.Key == api.KeyInFile {
		if in, ok := s.cfg.Input.(*os.File); ok {
			shown = terminal.HideInput(in)
		}
	}
	s.await(shown, s.askPlace, s.askKey, func(line string) {
		if line == "" {
			s.say(s.printer.T(setupstep.Needs(s.draft.Key)))
			s.askKey()
			return
		}
		s.draft.Entered = api.Entered(line)
		s.findModels()
	})
}

// findModels asks the endpoint for its models.
func (s *setup) findModels() {
	s.say(s.printer.T(setupstep.AsksList, s.name(s.draft.URL)))
	d := s.draft
	later(s.frontend, func(ctx context.Context) (api.ModelList, error) { return s.cfg.ModelSetup.List(ctx, d) }, func(found api.ModelList, err error) {
		s.listed = found
		if err != nil {
			s.say(s.inWords(err) + " " + s.printer.T(setupstep.Next(found.Class)))
			if len(found.Models) > 0 {
				s.say(s.printer.T(textKnownNames, s.printer.List(s.modelNames(mostListed))))
			}
			s.askFailed(found.Class, s.findModels, textUnlisted)
			return
		}
		s.askModel()
	})
}

// modelNames returns the names of the first of the models to choose from.
func (s *setup) modelNames(most int) (names []string) {
	for _, m := range s.listed.Models[:min(len(s.listed.Models), most)] {
		names = append(names, s.name(m.ID))
	}
	return names
}

// askFailed asks what to do after a failure of a class. An empty line is what usually helps; what
// is no word of those is the name of a model.
func (s *setup) askFailed(class string, again func(), text i18n.Text) {
	words, usual := agains, again
	switch setupstep.Helps(class) {
	case setupstep.OtherKey:
		words, usual = keys, s.askPlace
	case setupstep.OtherAddress:
		words, usual = addresses, s.askAddress
	case setupstep.GoBack, setupstep.AskAgain, setupstep.OtherModel:
	}
	word := i18n.Text{EN: words[0], ZH: words[1]}
	s.ask(s.printer.T(text)+" "+s.printer.T(textUsually, s.printer.T(word)), s.askPlace, func(line string) {
		switch {
		case line == "":
			usual()
		case among(agains, line):
			again()
		case among(keys, line):
			s.askPlace()
		case among(addresses, line):
			s.askAddress()
		case among(saves, line) && s.draft.Model != "":
			s.askName()
		default:
			s.onTyped(line, func() { s.askFailed(class, again, text) })
		}
	})
}

// onTyped is onModel for a name as it was typed; again asks for another.
func (s *setup) onTyped(name string, again func()) {
	if wrong := setupstep.CheckModel(name, s.listed.Models); wrong != nil {
		s.say(s.inWords(wrong))
		again()
		return
	}
	s.onModel(name)
}

func (s *setup) askModel() {
	said := []string{}
	for i, m := range s.listed.Models[:min(len(s.listed.Models), mostListed)] {
		about := setupstep.About(s.printer, m)
		said = append(said, s.printer.T(textModelNumbered, i+1, s.name(m.ID), strings.Join(about, s.printer.T(symbols.TextComma))))
	}
	switch n := len(s.listed.Models); {
	case n == 0:
		said = append(said, s.printer.T(setupstep.NoList)+" "+s.printer.T(setupstep.TypeModel))
	default:
		said = append(said, s.printer.T(textWhichModel, n))
	}
	s.ask(strings.Join(said, "\n"), s.askPlace, func(line string) {
		n, err := strconv.Atoi(line)
		switch {
		case line == "":
			s.askModel()
		case err == nil && n >= 1 && n <= min(len(s.listed.Models), mostListed):
			s.onModel(s.listed.Models[n-1].ID)
		default:
			s.onTyped(line, s.askModel)
		}
	})
}

// onModel has a model answer.
func (s *setup) onModel(name string) {
	setupstep.Choose(&s.draft, name)
	s.try()
}

func (s *setup) try() {
	s.say(s.printer.T(setupstep.AsksModel, s.name(s.draft.Model)))
	d := s.draft
	later(s.frontend, func(ctx context.Context) (api.ModelTrial, error) { return s.cfg.ModelSetup.Try(ctx, d), nil }, func(t api.ModelTrial, _ error) {
		s.trial = t
		var parts []string
		for _, p := range setupstep.Parts(&t) {
			parts = append(parts, s.printer.T(p.Name)+s.printer.T(symbols.TextColon)+s.printer.T(p.InWords()))
		}
		parts = append(parts, s.printer.T(setupstep.Context)+s.printer.T(symbols.TextColon)+setupstep.Size(s.printer, d, s.listed.Models, &t))
		s.say(s.sentence(strings.Join(parts, s.printer.T(symbols.TextComma))))
		if t.Err != nil {
			s.say(s.inWords(t.Err) + " " + s.printer.T(setupstep.Next(t.Class)))
			s.askFailed(t.Class, s.try, textTrialFailed)
			return
		}
		if t.Tools != api.Works {
			s.say(s.printer.T(setupstep.NoTools))
		}
		s.askName()
	})
}

func (s *setup) askName() {
	s.ask(s.printer.T(textSetUpName, s.name(s.draft.Name)), s.askModel, func(line string) {
		d := s.draft
		if line != "" {
			d.Name = line // in the draft once it is saved: it may be refused
		}
		s.askDefault(d)
	})
}

func (s *setup) askDefault(d api.ModelDraft) {
	s.ask(s.printer.T(textSetUpDefault), s.askName, func(line string) {
		if line != "" && !among(yes, line) && !among(noes, line) {
			s.askDefault(d)
			return
		}
		s.save(d, !among(noes, line))
	})
}

func (s *setup) save(d api.ModelDraft, asDefault bool) {
	later(s.frontend, func(ctx context.Context) (api.ModelSaved, error) { return s.cfg.ModelSetup.Save(ctx, d, asDefault) }, func(saved api.ModelSaved, err error) {
		if err != nil {
			s.say(s.inWords(err))
			s.askName()
			return
		}
		s.warn(s.printer.T(setupstep.Saved(d.Name, asDefault, s.cfg.ModelSetup.Disabled()), s.name(d.Name)))
		s.tellSaved(saved)
	})
}

// tellSaved tells what is not as it was chosen, and what is to be done by hand.
func (f *frontend) tellSaved(saved api.ModelSaved) {
	line := func(err error) string { return sanitize.Line(i18n.Error(f.printer.Lang, err), doingCells) }
	if saved.KeyInFile != nil {
		f.warn(i18n.Capitalized(f.printer.T(setupstep.KeyInFile, line(saved.KeyInFile))))
	}
	if saved.KeyLeft != nil {
		f.warn(line(saved.KeyLeft))
	}
	if saved.Overridden != "" {
		f.warn(i18n.Capitalized(f.printer.T(setupstep.Overridden, saved.Overridden)))
	}
	if saved.Unwritten == nil {
		return
	}
	f.notify(action.Notice{Level: action.Warned, Text: line(saved.Unwritten)})
	for text := range strings.SplitSeq(strings.TrimSuffix(saved.Lines, "\n"), "\n") {
		f.say("  " + sanitize.Line(text, doingCells))
	}
}
