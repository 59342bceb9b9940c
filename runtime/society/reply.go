package society

// A Reply is what a command returns.
type Reply interface{ reply() }

// TellsUnsaved is a reply that tells that its command was carried out, but not saved yet.
type TellsUnsaved interface {
	Reply
	NotSaved() Reply
}

// TellsAbandoned is a reply that names the agents whose work did not end in time.
type TellsAbandoned interface {
	Reply
	WithAbandoned(agents []AgentID) Reply
}

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

func (Done) reply()               {}
func (Sent) reply()               {}
func (Interruption) reply()       {}
func (Rewound) reply()            {}
func (Forked) reply()             {}
func (StopResult) reply()         {}
func (Pausing) reply()            {}
func (Resumption) reply()         {}
func (TerminateResult) reply()    {}
func (Dropped) reply()            {}
func (Spawned) reply()            {}
func (RoleChange) reply()         {}
func (EffortChange) reply()       {}
func (ModelAssigned) reply()      {}
func (AddTeamResult) reply()      {}
func (ApprovalsAnswered) reply()  {}
func (ContextCompression) reply() {}
func (BudgetSet) reply()          {}

func (Found) answer(Done)                         {}
func (Send) answer(Sent)                          {}
func (Interrupt) answer(Interruption)             {}
func (Rewind) answer(Rewound)                     {}
func (Fork) answer(Forked)                        {}
func (Stop) answer(StopResult)                    {}
func (PauseAgent) answer(Pausing)                 {}
func (Resume) answer(Resumption)                  {}
func (Terminate) answer(TerminateResult)          {}
func (DropWaiting) answer(Dropped)                {}
func (Spawn) answer(Spawned)                      {}
func (Rename) answer(Done)                        {}
func (MakeRole) answer(RoleChange)                {}
func (EditRole) answer(RoleChange)                {}
func (ChooseModel) answer(RoleChange)             {}
func (ChooseGraph) answer(RoleChange)             {}
func (AssignModel) answer(ModelAssigned)          {}
func (RenameModel) answer(Done)                   {}
func (SetEffort) answer(EffortChange)             {}
func (AddTeam) answer(AddTeamResult)              {}
func (PauseAll) answer(Done)                      {}
func (Seen) answer(Done)                          {}
func (CompressContext) answer(ContextCompression) {}
func (ForgetWindow) answer(Done)                  {}
func (SetBudget) answer(BudgetSet)                {}

func (AnswerApproval) answer(ApprovalsAnswered) {}
func (MakeRule) answer(ApprovalsAnswered)       {}
func (RemoveRule) answer(Done)                  {}
func (SetMode) answer(ApprovalsAnswered)        {}

// NotSaved implements TellsUnsaved.
func (r Interruption) NotSaved() Reply { r.Unsaved = true; return r }

// NotSaved implements TellsUnsaved.
func (r StopResult) NotSaved() Reply { r.Unsaved = true; return r }

// NotSaved implements TellsUnsaved.
func (r TerminateResult) NotSaved() Reply { r.Unsaved = true; return r }

// WithAbandoned implements TellsAbandoned.
func (r StopResult) WithAbandoned(agents []AgentID) Reply { r.Abandoned = agents; return r }

// WithAbandoned implements TellsAbandoned.
func (r TerminateResult) WithAbandoned(agents []AgentID) Reply { r.Abandoned = agents; return r }
