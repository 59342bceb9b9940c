package society

// A Reply is what a command returns.
type Reply interface{ reply() }

// A Request is a command whose reply is an R: the compiler infers the reply from the
// command.
type Request[R Reply] interface {
	Command
	answer(R)
}

// replied decides on a command: what decides has the reply that the command says.
func replied[C Request[R], R Reply](cmd C, decide func(C) (R, error)) (Reply, error) {
	return decide(cmd)
}

// Done is the reply of a command that has nothing to tell.
type Done struct{}

func (Done) reply()            {}
func (Sent) reply()            {}
func (Interruption) reply()    {}
func (StopResult) reply()      {}
func (Pausing) reply()         {}
func (Resumption) reply()      {}
func (TerminateResult) reply() {}
func (Dropped) reply()         {}
func (Spawned) reply()         {}
func (RoleChange) reply()      {}
func (AddTeamResult) reply()   {}

func (Found) answer(Done)                {}
func (Send) answer(Sent)                 {}
func (Interrupt) answer(Interruption)    {}
func (Stop) answer(StopResult)           {}
func (PauseAgent) answer(Pausing)        {}
func (Resume) answer(Resumption)         {}
func (Terminate) answer(TerminateResult) {}
func (DropWaiting) answer(Dropped)       {}
func (Spawn) answer(Spawned)             {}
func (Rename) answer(Done)               {}
func (MakeRole) answer(RoleChange)       {}
func (EditRole) answer(RoleChange)       {}
func (ChooseModel) answer(RoleChange)    {}
func (ChooseGraph) answer(RoleChange)    {}
func (AddTeam) answer(AddTeamResult)     {}
func (PauseAll) answer(Done)             {}
func (Seen) answer(Done)                 {}
