package plain

import "society-tui/tui/command"

// budget sets a written budget, or lists those in force.
func (f *frontend) budget(in command.Input) {
	if in.Text == "" {
		for _, b := range f.replica.Budgets() {
			if b.IsSpent() {
				f.notify(f.actions.NewsOfBudget(&b))
				return
			}
		}
	}
	o := f.env().SetBudget(in)
	if !o.Refused.Empty() && in.Text != "" {
		in.Refuse()
	}
	f.act(o)
}
