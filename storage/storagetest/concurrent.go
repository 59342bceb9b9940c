package storagetest

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"society-tui/storage"
)

func closeWaitsForAView(t *testing.T, s storage.Store) {
	put(t, s, "b", "k", "v")
	inside, leave, closed := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	var reader sync.WaitGroup
	reader.Go(func() {
		if err := s.View(func(tx storage.Tx) error {
			close(inside)
			<-leave
			for range 1000 {
				runtime.Gosched() // time enough for a Close that does not wait
			}
			v, err := tx.Get("b", []byte("k"))
			if string(v) != "v" {
				return fmt.Errorf("after Close was called the view reads %q, %w", v, err)
			}
			select {
			case <-closed:
				return fmt.Errorf("the close did not wait for the view")
			default:
				return nil
			}
		}); err != nil {
			t.Error(err)
		}
	})
	<-inside
	reader.Go(func() { closed <- s.Close() })
	close(leave)
	reader.Wait()
	if err := <-closed; err != nil {
		t.Errorf("close: %v", err)
	}
}

// aViewKeepsItsSnapshot commits while a View runs, in both orders: the View began
// before the Update, and while the Update was at work.
func aViewKeepsItsSnapshot(t *testing.T, s storage.Store) {
	put(t, s, "b", "k", "0")
	for round := range 5 {
		before, after := fmt.Sprint(round), fmt.Sprint(round+1)
		reads := func(tx storage.Tx) error {
			v, err := tx.Get("b", []byte("k"))
			if err == nil && string(v) != before {
				err = fmt.Errorf("round %d: the view reads %q, want %q", round, v, before)
			}
			return err
		}
		inside, committed, working, seen := make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})
		var all sync.WaitGroup
		all.Go(func() {
			err := s.View(func(tx storage.Tx) error {
				close(inside)
				<-committed
				return reads(tx)
			})
			if err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			<-working
			defer close(seen)
			if err := s.View(reads); err != nil {
				t.Error(err)
			}
		})
		<-inside
		update(t, s, func(tx storage.Tx) error {
			err := tx.Put("b", []byte("k"), []byte(after))
			close(working)
			<-seen
			return err
		})
		expect(t, s, "b", "k", after)
		close(committed)
		all.Wait()
	}
}

// The accounts of readersNeverSeeHalfAnUpdate, and what each holds at the start.
const accounts, balance = 8, 100

// readersNeverSeeHalfAnUpdate moves money between accounts from several goroutines;
// every reader must find the same sum.
func readersNeverSeeHalfAnUpdate(t *testing.T, s storage.Store) {
	const writers, moves, readers = 4, 25, 4
	account := func(i int) []byte { return []byte{'a' + byte(i%accounts)} }
	update(t, s, func(tx storage.Tx) error {
		for i := range accounts {
			if err := tx.Put("bank", account(i), amount(balance)); err != nil {
				return err
			}
		}
		return nil
	})
	var busy, watching sync.WaitGroup
	done := make(chan struct{})
	for w := range writers {
		busy.Go(func() {
			for i := range moves {
				if err := transfer(s, account(w+i), account(w+3*i+1)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range readers {
		watching.Go(func() {
			for {
				if err := s.View(checkSum); err != nil {
					t.Error(err)
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	busy.Wait()
	close(done)
	watching.Wait()
	view(t, s, checkSum)
}

func amount(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// transfer moves 1 between two accounts.
func transfer(s storage.Store, from, to []byte) error {
	return s.Update(func(tx storage.Tx) error {
		a, err := tx.Get("bank", from)
		if err != nil {
			return err
		}
		if err := tx.Put("bank", from, amount(binary.BigEndian.Uint64(a)-1)); err != nil {
			return err
		}
		b, err := tx.Get("bank", to)
		if err != nil {
			return err
		}
		return tx.Put("bank", to, amount(binary.BigEndian.Uint64(b)+1))
	})
}

// checkSum adds the accounts up in both directions.
func checkSum(tx storage.Tx) error {
	up, down := uint64(0), uint64(0)
	for _, v := range tx.Range("bank", nil, nil) {
		up += binary.BigEndian.Uint64(v)
	}
	for _, v := range tx.Backward("bank", nil, nil) {
		down += binary.BigEndian.Uint64(v)
	}
	if up != accounts*balance || down != up {
		return fmt.Errorf("the sums are %d and %d, want %d", up, down, accounts*balance)
	}
	return nil
}
