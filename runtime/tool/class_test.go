package tool

import "testing"

func TestRiskFollowsFromTheClass(t *testing.T) {
	t.Parallel()
	for class, want := range map[Class]Risk{
		ClassRead: Reads, ClassNet: Reads, ClassOwn: Writes, ClassEdit: Writes, ClassRun: Commits, ClassMCP: Commits, "": Commits,
	} {
		if got := (Spec{Class: class}).Risk(); got != want {
			t.Errorf("class %q has risk %s, want %s", class, got, want)
		}
	}
	if got := (Spec{Class: ClassOwn, Final: true}).Risk(); got != Commits {
		t.Errorf("a final tool has risk %s, want %s", got, Commits)
	}
}
