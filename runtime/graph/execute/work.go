package execute

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"society-tui/runtime/graph"
)

// carryOut does a job's work. A panic of a model, a condition or a merge is a
// failure that no retry mends.
func (x *Execution) carryOut(ctx context.Context, j *job, before []graph.Message, branches [][]graph.Message) {
	defer func() {
		if p := recover(); p != nil {
			j.result = graph.Result{Failed: fmt.Sprintf("panic: %v", p), Final: true}
		}
	}()
	w := j.work
	switch {
	case w.Kind == graph.Execute:
		x.execute(ctx, j)
	case w.Kind == graph.Wait:
		sleep(ctx, time.Until(w.Until))
	case w.Kind == graph.Join:
		x.merge(j, before, branches)
	case w.Func != "":
		held, err := x.graph.Condition(w.Func)(j.state)
		j.result = verdict(held, w.Func+"()", err)
	case w.Kind == graph.Judge:
		x.judge(ctx, j)
	case w.Kind == graph.Choose:
		x.choose(ctx, j)
	}
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// merge makes of the branches' messages what the join is to see.
func (x *Execution) merge(j *job, before []graph.Message, branches [][]graph.Message) {
	if j.work.Merge != graph.MergeFunc {
		j.said = j.work.Merge.Merged(branches)
		return
	}
	said, err := x.graph.Merger(j.work.Func)(before, branches)
	if err != nil {
		j.result.Failed = err.Error()
		return
	}
	j.said = said
}

func verdict(held bool, why string, err error) graph.Result {
	switch {
	case err != nil:
		return graph.Result{Failed: err.Error()}
	case held:
		return graph.Result{Verdict: graph.Yes, Why: why}
	}
	return graph.Result{Verdict: graph.No, Why: why}
}

// The instructions for a model that judges conditions.
const (
	judgePrompt = "You decide a question about the conversation that you are shown. " +
		"Answer with the single word yes or no, and then one short sentence with the reason. Do nothing else."
	choosePrompt = "You choose how to go on after the conversation that you are shown. " +
		"Answer with the number of the first statement that applies, or with 0 if none does, and then one short sentence with the reason. Do nothing else."
)

// judge puts one condition to the model of the node that is left.
func (x *Execution) judge(ctx context.Context, j *job) {
	answer, err := x.ask(ctx, j, judgePrompt, j.work.Question)
	if err != nil {
		j.result.Failed = err.Error()
		return
	}
	j.result.Verdict, j.result.Why = graph.ParseVerdict(answer)
}

// choose puts all conditions of a node at once.
func (x *Execution) choose(ctx context.Context, j *job) {
	var list strings.Builder
	for i, c := range j.work.Choices {
		fmt.Fprintf(&list, "%d: %s\n", i+1, c.Question)
	}
	answer, err := x.ask(ctx, j, choosePrompt, list.String())
	if err != nil {
		j.result.Failed = err.Error()
		return
	}
	j.result.Verdict, j.result.Choice, j.result.Why = graph.ParseChoice(answer, len(j.work.Choices))
}

// ask asks a node's model something about the conversation, unheard by anybody.
func (x *Execution) ask(ctx context.Context, j *job, prompt, question string) (string, error) {
	n, _ := x.graph.Node(j.work.Node) // the run knows no others
	messages := append(j.state.Messages(prompt), graph.Message{Role: graph.User, Text: question})
	m, err := x.config.model(n).Answer(ctx, Question{Messages: legal(messages, n)}, func(string) {})
	if err != nil {
		return "", err
	}
	if len(m.Calls) > 0 {
		return "", errors.New("the model called a tool instead of deciding")
	}
	return m.Text, nil
}
