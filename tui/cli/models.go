package cli

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
)

type modelsCommand struct {
	Check bool `default:"true" negatable:"" help:"Ask each whether it answers; --no-check asks none."`
}

// Run lists the models, and asks each whether it answers.
func (m modelsCommand) Run(c *console) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	models, notes, err := c.openModels(s)
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
	c.say(c.out, "%s"+c.words.Default+"\n", c.modelTable(s, all, answers))
	for _, note := range append(s.Warnings, notes...) {
		c.say(c.err, "society-tui: %s\n", note)
	}
	if silent != nil {
		return fmt.Errorf(c.words.SilentIs+": %w", all[0].Name, silent)
	}
	return nil
}

// untilSignal returns a context that a signal to end the program ends.
func untilSignal() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
}

// untilFirstSignal is untilSignal for work that has files to remove; the second signal
// ends the program at once.
func untilFirstSignal() (context.Context, context.CancelFunc) {
	ctx, stop := untilSignal()
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// modelTable returns the models in columns, a line each.
func (c *console) modelTable(s config.Settings, all []registry.Entry, answers []string) string {
	keys := map[string]string{}
	if list, err := s.Endpoints(); err == nil { // OpenModels has looked at the error
		for _, e := range list {
			keys[e.Name] = c.keyOf(e)
		}
	}
	rows := [][]string{slices.Concat([]string{""}, c.words.Columns)}
	for i, e := range all {
		mark, window := "", c.words.Unknown
		if i == 0 {
			mark = "*"
		}
		if e.Window > 0 {
			window = strconv.Itoa(e.Window)
		}
		rows = append(rows, []string{
			mark, e.Name, e.Model.Name(), e.Endpoint, window, cmp.Or(keys[e.Name], c.words.NoKey),
			cmp.Or(strings.Join(e.Capabilities, ", "), "-"), cmp.Or(answers[i], c.words.NotAsked),
		})
	}
	return columns(rows)
}

// keyOf reports where the key of a model comes from, and whether it is there.
func (c *console) keyOf(e config.Endpoint) string {
	switch {
	case e.KeyEnv == "" && e.Key.Reveal() != "":
		return c.words.KeyInFile
	case e.KeyEnv == "":
		return c.words.NoKey
	case e.Key.Reveal() == "":
		return fmt.Sprintf(c.words.KeyGone, e.KeyEnv)
	}
	return fmt.Sprintf(c.words.KeyThere, e.KeyEnv)
}

// probePatience is how long a model may take to answer one word.
const probePatience = 30 * time.Second

// askAll asks all models at once and returns what to show for each; err is why the
// first did not answer.
func (c *console) askAll(ctx context.Context, all []registry.Entry) (answers []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, probePatience)
	defer cancel()
	answers = make([]string, len(all))
	failed := make([]error, len(all))
	var asked sync.WaitGroup
	for i, e := range all {
		asked.Go(func() {
			defer func() {
				if p := recover(); p != nil { // Run recovers only what panics on its own goroutine
					failed[i] = fmt.Errorf(c.words.Fault, fmt.Sprint(p))
					answers[i] = failed[i].Error()
				}
			}()
			took, err := registry.Probe(ctx, e.Model)
			answers[i], failed[i] = fmt.Sprintf(c.words.Answers, took.Milliseconds()), err
			if err != nil {
				answers[i] = fmt.Sprintf(c.words.Silent, took.Milliseconds(), c.unanswered(err))
			}
		})
	}
	asked.Wait()
	return answers, failed[0]
}

// unanswered explains why a model did not answer, and what may help.
func (c *console) unanswered(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf(c.words.Nothing, probePatience)
	}
	if errors.Is(err, context.Canceled) {
		return c.words.Unwaited
	}
	e := llm.AsError(err)
	help := map[llm.Class]string{
		llm.Auth:    c.words.HelpAuth,
		llm.Quota:   c.words.HelpQuota,
		llm.Rate:    c.words.HelpRate,
		llm.NotChat: c.words.HelpNotChat,
		llm.Invalid: c.words.HelpInvalid,
	}[e.Class]
	if help == "" {
		return e.Error()
	}
	return e.Error() + " (" + help + ")"
}
