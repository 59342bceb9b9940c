package sandbox

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// members are the processes of a job object, which Windows ends together, also when this process
// is gone and with it the last handle.
type members struct{ job windows.Handle }

func groupAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW}
}

func membersOf(p *os.Process) (members, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return members{}, err
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		var refused error
		err = p.WithHandle(func(handle uintptr) { refused = windows.AssignProcessToJobObject(job, windows.Handle(handle)) })
		if err == nil {
			err = refused
		}
	}
	if err != nil {
		windows.CloseHandle(job)
		return members{}, err
	}
	return members{job}, nil
}

func (m members) end()      {} // there is no way to ask that programs heed
func (m members) any() bool { return false }
func (m members) kill()     { windows.TerminateJobObject(m.job, 1) }
func (m members) release()  { windows.CloseHandle(m.job) }
