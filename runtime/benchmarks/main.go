// Command compare prints the table of all figures: what ours takes, what stands
// beside it, the ratio, the goal and whether it held. The graph engine and the running
// society are measured beside eino, adk-go and langchaingo in this process; the rest
// is what the tests and benchmarks of the product print. It takes ten minutes on two
// quiet cores, and less with -figure.
//
//	cd runtime/benchmarks && go run .
//
// It is a module of its own, so that the product depends on none of them. Each
// figure is the median of five rounds; in a round all contenders take their turn,
// so that what the machine does meanwhile meets all of them. What each side does
// for the same duties is said where it is built: graph_*.go and turn_*.go. A
// contender that comes to a wrong answer ends the run.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"text/tabwriter"
)

func main() {
	figure := flag.String("figure", "", "measure this figure alone, for example 3")
	only := flag.String("only", "", "measure this contender alone, for example ours: prints what it takes")
	profile := flag.String("cpuprofile", "", "write a profile of the whole run to this file")
	flag.Parse()
	if err := run(*figure, *only, *profile); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(number, only, profile string) error {
	folder, err := os.MkdirTemp("", "compare-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	fmt.Println(versions())
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer out.Flush()
	fmt.Fprintln(out, "#\twhat\tours\ttheirs\tratio\tgoal\theld")
	for _, f := range figures(folder) {
		if number != "" && f.number != number {
			continue
		}
		if only != "" {
			f.contenders = f.named(only)
		}
		taken, err := measure(f.contenders)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", f.number, f.what, err)
		}
		f.print(out, taken)
		if err := out.Flush(); err != nil {
			return err
		}
	}
	if only != "" || profile != "" {
		return nil
	}
	return printProduct(out, number)
}

// versions says what is compared.
func versions() string {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return "built without modules"
	}
	line := []string{build.GoVersion}
	for _, m := range build.Deps {
		switch m.Path {
		case "github.com/cloudwego/eino", "google.golang.org/adk/v2", "github.com/tmc/langchaingo":
			line = append(line, m.Path+" "+m.Version)
		}
	}
	return strings.Join(line, ", ")
}
