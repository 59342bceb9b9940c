package society

import (
	"fmt"
	"testing"
)

func TestEffortIsOfARoleOrOfAllThatUseAModel(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.s.SetModels([]string{"big", "small"}, nil)
	w.s.SetModelName(func(model, _ string) string {
		if model == "" {
			return "big"
		}
		return model
	})
	made := w.must(MakeRole{Name: "critic", Prompt: "You find faults."}).(RoleChange)
	w.must(ChooseModel{Role: made.Role, Model: "small"})
	for _, c := range []struct {
		cmd  SetEffort
		want string
	}{
		{SetEffort{Agent: Root}, "[{role-root organiser }] false"},
		{SetEffort{Agent: Root, Effort: "high"}, "[{role-root organiser high}] true"},
		{SetEffort{Agent: Root, Effort: "high"}, "[{role-root organiser high}] false"},
		{SetEffort{Agent: Root, Of: "Critic", Effort: "low"}, "[{role-critic critic low}] true"},
		{SetEffort{Agent: Root, Of: "small", Effort: "max"}, "[{role-critic critic max}] true"},
		{SetEffort{Agent: Root, Of: "big", Effort: EffortUnset}, "[{role-root organiser }] true"},
	} {
		got := w.must(c.cmd).(EffortChange)
		if said := fmt.Sprint(got.Roles, " ", got.Changed); said != c.want {
			t.Errorf("%+v: %s, want %s", c.cmd, said, c.want)
		}
	}
	for _, wrong := range []SetEffort{{Agent: Root, Effort: "hard"}, {Agent: Root, Of: "nobody", Effort: "low"}, {Agent: "gone", Effort: "low"}} {
		if _, err := w.try(wrong); err == nil {
			t.Errorf("%+v is taken", wrong)
		}
	}
	if effort := w.s.Effort(w.s.Agent(Root)); effort != "" {
		t.Errorf("root thinks with %q", effort)
	}
}
