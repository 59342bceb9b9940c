package attachapi

import (
	"reflect"

	"society-tui/runtime/society"
)

// commands are those that the user gives, by the names under which they are sent. It is
// closed: no other command has a wire form, those of workers above all.
var commands = named(
	society.Send{},
	society.Interrupt{},
	society.Rewind{},
	society.Fork{},
	society.Stop{},
	society.PauseAgent{},
	society.Resume{},
	society.Terminate{},
	society.DropWaiting{},
	society.Spawn{},
	society.Rename{},
	society.MakeRole{},
	society.EditRole{},
	society.ChooseModel{},
	society.AssignModel{},
	society.SetEffort{},
	society.ChooseGraph{},
	society.AddTeam{},
	society.PauseAll{},
	society.Seen{},
	society.AnswerApproval{},
	society.MakeRule{},
	society.RemoveRule{},
	society.SetMode{},
	society.CompressContext{},
	society.ForgetWindow{},
	society.SetBudget{},
)

// decides reports whether a command says what agents may do, or spend.
func decides(cmd society.Command) bool {
	switch cmd.(type) {
	case society.AnswerApproval, society.MakeRule, society.RemoveRule, society.SetMode, society.SetBudget:
		return true
	}
	return false
}

func named(all ...society.Command) map[string]reflect.Type {
	byName := map[string]reflect.Type{}
	for _, c := range all {
		byName[reflect.TypeOf(c).Name()] = reflect.TypeOf(c)
	}
	return byName
}

// CommandName returns the name under which a command is sent; false if it has no wire form.
func CommandName(cmd society.Command) (string, bool) {
	typ := reflect.TypeOf(cmd)
	return typ.Name(), commands[typ.Name()] == typ
}

// newCommand returns a pointer to a command of that name, and what reads it once it is
// filled; false if there is none.
func newCommand(name string) (in any, cmd func() society.Command, ok bool) {
	typ, ok := commands[name]
	if !ok {
		return nil, nil, false
	}
	v := reflect.New(typ)
	return v.Interface(), func() society.Command {
		return v.Elem().Interface().(society.Command) //nolint:forcetypeassert // the table holds commands only
	}, true
}
