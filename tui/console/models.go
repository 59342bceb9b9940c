package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"society-tui/llm"
	"society-tui/llm/registry"
	"society-tui/runtime/config"
	"society-tui/runtime/setup"
)

type modelsCommand struct {
	Check bool `default:"true" negatable:"" help:"Ask each whether it answers; --no-check asks none."`
}

// Run lists the models, and asks each whether it answers.
func (m modelsCommand) Run(c *Console) error {
	s, err := c.Settings()
	if err != nil {
		return err
	}
	models, notes, err := c.OpenModels(s)
	if err != nil {
		return err
	}
	defer models.Close()
	all := models.All()
	answers := make([]string, len(all))
	var silent error
	if m.Check {
		ctx, stop := untilSignal()
		defer stop()
		answers, silent = c.askAll(ctx, all)
	}
	c.Say(c.Out, "%s"+c.Words.Default+"\n", c.modelTable(s, all, answers))
	for _, note := range append(s.Warnings, notes...) {
		c.Say(c.Err, "society-tui: %s\n", note)
	}
	if silent != nil {
		return fmt.Errorf(c.Words.SilentIs+": %w", all[0].Name, silent)
	}
	return nil
}

// OpenModels makes those that the settings ask for, as setup.Models does. An error is a
// UsageError.
func (c *Console) OpenModels(s config.Settings) (*registry.Registry, []string, error) {
	models, notes, err := setup.Models(s)
	if err != nil {
		return nil, nil, UsageError{err, c.Words.SeeSettings}
	}
	return models, notes, nil
}

// untilSignal is done when somebody wants the program to end.
func untilSignal() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
}

// untilFirstSignal is untilSignal for work that has something to clear away; the second
// signal ends the program at once.
func untilFirstSignal() (context.Context, context.CancelFunc) {
	ctx, stop := untilSignal()
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// modelTable is the models in columns, a line each.
func (c *Console) modelTable(s config.Settings, all []registry.Entry, answers []string) string {
	keys := map[string]string{}
	if list, err := s.Endpoints(); err == nil { // OpenModels has looked at the error
		for _, e := range list {
			keys[e.Name] = c.keyOf(e)
		}
	}
	rows := [][]string{slices.Concat([]string{""}, c.Words.Columns)}
	for i, e := range all {
		mark, window := "", c.Words.Unknown
		if i == 0 {
			mark = "*"
		}
		if e.Window > 0 {
			window = strconv.Itoa(e.Window)
		}
		rows = append(rows, []string{
			mark, e.Name, e.Model.Name(), e.Endpoint, window, cmp.Or(keys[e.Name], c.Words.NoKey),
			cmp.Or(strings.Join(e.Capabilities, ", "), "-"), cmp.Or(answers[i], c.Words.NotAsked),
		})
	}
	return columns(rows)
}

// keyOf says where the key of a model comes from, and whether it is there.
func (c *Console) keyOf(e config.Endpoint) string {
	switch {
	case e.KeyEnv == "" && e.Key.Reveal() != "":
		return c.Words.KeyInFile
	case e.KeyEnv == "":
		return c.Words.NoKey
	case e.Key.Reveal() == "":
		return fmt.Sprintf(c.Words.KeyGone, e.KeyEnv)
	}
	return fmt.Sprintf(c.Words.KeyThere, e.KeyEnv)
}

// probePatience is how long a model may take to answer one word.
const probePatience = 30 * time.Second

// askAll asks all models at once, and says of each what came of it; err is why the
// first did not answer.
func (c *Console) askAll(ctx context.Context, all []registry.Entry) (answers []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, probePatience)
	defer cancel()
	answers = make([]string, len(all))
	failed := make([]error, len(all))
	var asked sync.WaitGroup
	for i, e := range all {
		asked.Go(func() {
			defer func() {
				if p := recover(); p != nil { // main recovers only what panics on its own goroutine
					failed[i] = fmt.Errorf(c.Words.Fault, fmt.Sprint(p))
					answers[i] = failed[i].Error()
				}
			}()
			took, err := registry.Probe(ctx, e.Model)
			answers[i], failed[i] = fmt.Sprintf(c.Words.Answers, took.Milliseconds()), err
			if err != nil {
				answers[i] = fmt.Sprintf(c.Words.Silent, took.Milliseconds(), c.unanswered(err))
			}
		})
	}
	asked.Wait()
	return answers, failed[0]
}

// unanswered says in words why a model did not answer, and what may help.
func (c *Console) unanswered(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf(c.Words.Nothing, probePatience)
	}
	if errors.Is(err, context.Canceled) {
		return c.Words.Unwaited
	}
	e := llm.AsError(err)
	help := map[llm.Class]string{
		llm.Auth:    c.Words.HelpAuth,
		llm.Quota:   c.Words.HelpQuota,
		llm.Rate:    c.Words.HelpRate,
		llm.NotChat: c.Words.HelpNotChat,
		llm.Invalid: c.Words.HelpInvalid,
	}[e.Class]
	if help == "" {
		return e.Error()
	}
	return e.Error() + " (" + help + ")"
}
