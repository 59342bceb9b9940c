package main

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"time"
)

// rounds is how often each contender is measured; its median counts.
const rounds = 5

// A contender is one side of a comparison.
type contender struct {
	name string
	// seat prepares what one measurement needs, outside the clock.
	seat func() (seat, error)
	// seats is how many are measured in a round, times how often each does its act,
	// and steps into how many equal parts an act is divided.
	seats, times, steps int
	// repeats is set if an act leaves nothing behind, so that a round may have more of them.
	repeats bool
}

// A seat does an act again and again.
type seat interface {
	// act does what is measured.
	act() error
	// leave ends the seat; it says if what it did was not what was asked.
	leave() error
}

// A preparer is a seat whose acts need something first, outside the clock.
type preparer interface {
	prepare() error
}

// cost is what one step of an act takes.
type cost struct {
	took          time.Duration
	allocs, bytes float64
}

// A clock sums up what lies between start and stop.
type clock struct {
	took          time.Duration
	allocs, bytes uint64

	begun  time.Time
	before runtime.MemStats
}

func (c *clock) start() {
	runtime.ReadMemStats(&c.before)
	c.begun = time.Now()
}

func (c *clock) stop() {
	c.took += time.Since(c.begun)
	var after runtime.MemStats
	runtime.ReadMemStats(&after)
	c.allocs += after.Mallocs - c.before.Mallocs
	c.bytes += after.TotalAlloc - c.before.TotalAlloc
}

// per is what one of n steps took.
func (c *clock) per(n int) cost {
	return cost{c.took / time.Duration(n), float64(c.allocs) / float64(n), float64(c.bytes) / float64(n)}
}

// measure returns the median cost of each contender, by its name. A round that is
// not counted comes first.
func measure(contenders []contender) (map[string]cost, error) {
	all := map[string][]cost{}
	for round := range rounds + 1 {
		for _, c := range contenders {
			one, err := c.round()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			if round > 0 {
				all[c.name] = append(all[c.name], one)
			}
		}
	}
	medians := map[string]cost{}
	for name, list := range all {
		slices.SortFunc(list, func(a, b cost) int { return cmp.Compare(a.took, b.took) })
		medians[name] = list[len(list)/2]
	}
	return medians, nil
}

// round lets each seat do its act as often as it should. All seats are there
// before the clock starts, and take turns, so that what is measured is warm and
// each seat's history stays short.
func (c contender) round() (cost, error) {
	seats := make([]seat, c.seats)
	for i := range seats {
		var err error
		if seats[i], err = c.seat(); err != nil {
			return cost{}, err
		}
	}
	runtime.GC() // of what the preparation has left
	total, times, err := c.acts(seats)
	if err != nil {
		return cost{}, err
	}
	for _, s := range seats {
		if err := s.leave(); err != nil {
			return cost{}, err
		}
	}
	return total.per(c.seats * times * c.steps), nil
}

// shortest is how long a round takes at least: in a shorter one, what the collector does
// once is a large part of what is measured.
const shortest = 100 * time.Millisecond

// acts lets each seat do its act and returns how often each did.
func (c contender) acts(seats []seat) (total *clock, times int, err error) {
	total = &clock{}
	_, prepares := seats[0].(preparer)
	if !prepares {
		total.start()
		defer total.stop()
	}
	for begun := time.Now(); times < c.times || c.repeats && time.Since(begun) < shortest; times++ {
		for _, s := range seats {
			if err := total.act(s); err != nil {
				return nil, 0, err
			}
		}
	}
	return total, times, nil
}

// act does one act; one that has to be prepared is clocked alone.
func (c *clock) act(s seat) error {
	p, ok := s.(preparer)
	if !ok {
		return s.act()
	}
	if err := p.prepare(); err != nil {
		return err
	}
	c.start()
	defer c.stop()
	return s.act()
}
