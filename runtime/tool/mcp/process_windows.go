package mcp

import "os/exec"

// startGroup starts a child.
func startGroup(child *exec.Cmd) error { return child.Start() }

// endGroup kills a child; there is no other way to end it.
func endGroup(child *exec.Cmd, _ bool) { _ = child.Process.Kill() }
