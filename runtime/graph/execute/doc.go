// Package execute runs agent graphs: nodes that ask a language model with tools, and
// edges between them that may be taken under conditions. It needs nothing of the rest of
// the program but the packages below it.
//
//	import (
//		"society-tui/llm/chatapi"                     // any endpoint of the chat-completions protocol
//		"society-tui/runtime/graph"                   // what a graph is
//		"society-tui/runtime/graph/execute"           // what runs it
//		"society-tui/runtime/graph/execute/llmmodel"  // lets models of package llm answer
//	)
//
// The module is published under no host, so a go.mod names where its source lies:
//
//	require society-tui v0.0.0
//	replace society-tui => ../society-tui
//
// # Build a graph
//
// [graph.New] begins a graph, and Build returns it or every mistake in it, as
// [graph.Mistakes]. A node has a key, a prompt, and if it likes the name of a model
// (Config.Models), the tools it may call (nil is all, an empty list none), a number of
// retries and a timeout. A run begins at an entry point and ends after an end point. A
// Graph never changes, and any number of runs may share it.
//
// # Choose the way
//
// AddEdge is the default way on. AddConditionalEdge puts a question to the model, which
// counts as no unless the answer is a clear yes; AddFuncEdge calls a Go function. Edges
// are asked in the order in which they were added, the first yes wins, then the default
// is taken; without any the run ends as [graph.NoRoute]. With the routing
// [graph.RouteChoice] all questions of a node are put at once.
//
// # Branches
//
// AddFanOut leads into several branches, which begin with what was said so far, do not
// see each other, and end at their join. Its merge says what of them the join sees: all,
// the last message of each, or what a Go function makes of them. Branches run at the same
// time, and so do the tools that they call; with Config.OneByOne they run one after
// another.
//
// # Start, watch, pause, abort
//
// [Start] begins a run in the background and returns its [Execution]. State.SendChunk is
// handed the text as it is written, Config.Watch all that happens, Wait returns the
// [Result]. Pause lets what runs end and begins nothing more, Interrupt cuts it off,
// Resume goes on after either, Abort ends the run, and so does the end of the context.
// AddMessage adds to the conversation, before the next node outside of branches.
//
// What models are asked with is a history that every endpoint takes, whatever was said
// and whoever broke off what: see [Question].
//
// # Checkpoints
//
// Config.Save is given a checkpoint after each piece of work and before the next begins.
// [Continue] goes on from the last one, in this program or another: what has ended is not
// done again, a node in whose middle the run was broken off begins anew. The graph must
// lead the same ways; prompts, models, tools and limits may have changed.
//
// # What errors mean
//
// Start and Continue refuse what cannot run: [ErrModel] and [ErrTool] say that a node
// names what is not in the Config, [graph.ErrEntry] that there is no such entry point,
// [graph.ErrDamaged], [graph.ErrNewer] and [graph.ErrChanged] what is wrong with a
// checkpoint. A verb on a run that is over returns [graph.ErrStatus].
//
// A run that does not come to its end is no error of a function but a Result with
// Success false. Its Status is Cancelled after an abort, else Error, with a Reason of the
// closed list of package graph and a Detail for people: the limit of iterations or of
// time (50 nodes and 60 s where the graph says nothing else), a node that has failed, no
// way on, a condition or a merge that panicked. A failure
// of a model is tried again as often as its node says, unless it is marked by [Final].
// What tools and arguments do wrong is told to the model, which can mend it.
package execute
