package tui

import (
	"context"
	"encoding/json"
	"slices"

	"society-tui/runtime/api"
)

// machinesKey is the key of the names of the machines that a view is kept for, the last
// one to show the society at the end.
const machinesKey = "view/machines"

// mostMachines is for how many machines a view is kept.
const mostMachines = 8

// viewKeys are the keys of what is kept for each machine.
func viewKeys() []string { return []string{viewKey, treeKey, chatKey} }

// machineKey returns the key of a part of the view for a machine. That of the society's
// own machine is as it was before others could attach.
func machineKey(key, machine string) string {
	if machine == "" {
		return key
	}
	return key + "@" + machine
}

func (a *app) ownKey(key string) string { return machineKey(key, a.cfg.Machine) }

// loadedView is the saved view of the last run.
type loadedView struct {
	values map[string][]byte
	shared map[string]api.Value
	err    error
}

// readView reads the saved view. A machine without one begins with that of the machine
// that showed the society last.
func (a *app) readView(ctx context.Context) (r loadedView) {
	r.values, r.shared = make(map[string][]byte), make(map[string]api.Value)
	listed, err := a.society.Kept(ctx, machinesKey)
	if err != nil {
		return loadedView{err: err}
	}
	var machines []string // without any only the society's own has had a screen
	if json.Unmarshal(listed.Bytes, &machines) != nil || len(machines) == 0 {
		machines = []string{""}
	}
	from := a.cfg.Machine
	if !slices.Contains(machines, from) {
		from = machines[len(machines)-1]
	}
	for _, key := range viewKeys() {
		value, err := a.society.Kept(ctx, machineKey(key, from))
		if err != nil {
			return loadedView{err: err}
		}
		r.values[key] = value.Bytes
	}
	if r.shared[historyKey], r.err = a.society.Kept(ctx, historyKey); r.err != nil {
		return r
	}
	if !a.cfg.Look && machines[len(machines)-1] != a.cfg.Machine {
		a.keepMachine(ctx, machines, listed.Revision, r.values)
	}
	return r
}

// keepMachine adds this machine with its view to those that one is kept for, and forgets
// the oldest. If that fails, or another screen does the same at this moment, the next start
// will.
func (a *app) keepMachine(ctx context.Context, machines []string, replaces api.Revision, view map[string][]byte) {
	machines = slices.DeleteFunc(slices.Clone(machines), func(m string) bool { return m == a.cfg.Machine })
	machines = append(machines, a.cfg.Machine)
	values := make(map[string]api.Value)
	for key, part := range view {
		values[a.ownKey(key)] = api.Value{Bytes: part, Revision: api.AnyRevision}
	}
	for len(machines) > mostMachines {
		for _, key := range viewKeys() {
			values[machineKey(key, machines[0])] = api.Value{Revision: api.AnyRevision}
		}
		machines = machines[1:]
	}
	if list, err := json.Marshal(machines); err == nil {
		values[machinesKey] = api.Value{Bytes: list, Revision: replaces}
		_, _ = a.society.Keep(ctx, values)
	}
}
