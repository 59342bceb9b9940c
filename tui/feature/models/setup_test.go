package models

import "testing"

func TestAVariableIsSetInTheShellOfTheSystem(t *testing.T) {
	t.Parallel()
	for system, want := range map[string]string{
		"linux": "export SOCIETY_MODEL='<model>'", "darwin": "export SOCIETY_MODEL='<model>'", "windows": "$env:SOCIETY_MODEL = '<model>'",
	} {
		if got := assignment(system, "SOCIETY_MODEL", "<model>"); got != want {
			t.Errorf("%s: %s, not %s", system, got, want)
		}
	}
}
