// Package execute runs an agent graph on its own, without a society: it carries out what
// a graph.Run waits for, with models and tools that it is given, and returns a handle by
// which the run can be watched, paused, resumed and aborted.
//
// A program that wants graphs alone imports three packages:
//
//	import (
//		"society-tui/runtime/graph"                    // builds and checks a graph
//		"society-tui/runtime/graph/execute"            // runs it
//		"society-tui/runtime/graph/execute/llmmodel"   // lets any llm.Model answer
//	)
//
// The module is called society-tui and is published under no host, so a go.mod names
// where its source lies:
//
//	require society-tui v0.0.0
//	replace society-tui => ../society-tui
//
// Build a graph with graph.New: nodes that ask a model, edges, conditions on edges,
// fan-outs whose branches meet in a join, an entry and end points. Build reports every
// mistake at once. A graph does not change once it is built, and can be run many times.
//
// Start runs it. The state is what was said before; Config says who answers. What a model
// is sent is legal for every endpoint, whatever the state holds. A node that fails is
// tried again as often as it says, unless the error was marked with Final. The run ends at
// an end point, after as many nodes as the graph allows (50), or when its time is up (60 s);
// Result says which, and keeps the state and the path in each case.
//
// Save in Config is given a checkpoint after each piece of work; Continue goes on from
// one, and repeats no node that has ended.
package execute
