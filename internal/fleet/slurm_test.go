//go:build linux

package fleet

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// slurm starts a Slurm of one node, which is this machine, and ends it with the test. It returns
// what commands need in their environment.
func slurm(t *testing.T) (env []string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("the daemons of Slurm run jobs as the users who submit them, which takes root")
	}
	need(t, "slurm-wlm munge", "munged", "slurmctld", "slurmd", "sbatch")
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	conf := filepath.Join(dir, "slurm.conf")
	text := strings.NewReplacer("HOST", host, "DIR", dir, "CONTROL", free(t), "NODE", free(t)).Replace(scratch)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	key := bytes.Repeat([]byte("scratch "), 16)
	if err := os.WriteFile(filepath.Join(dir, "munge.key"), key, 0o600); err != nil {
		t.Fatal(err)
	}
	env = []string{"SLURM_CONF=" + conf}
	daemon(t, env, "munged", "--force", "--foreground", "--socket="+dir+"/munge.sock", "--key-file="+dir+"/munge.key",
		"--log-file="+dir+"/munged.log", "--pid-file="+dir+"/munged.pid", "--seed-file="+dir+"/munged.seed")
	await(t, "munged's socket", func() bool { _, err := os.Stat(dir + "/munge.sock"); return err == nil })
	daemon(t, env, "slurmctld", "-D")
	daemon(t, env, "slurmd", "-D")
	s := shell{dir, env}
	await(t, "an idle node", func() bool {
		out, status := s.run(t, "sinfo -h -o %T")
		return status == 0 && out == "idle\n"
	})
	t.Cleanup(func() {
		// What a test that failed left running. The context of the test is over.
		cancel := exec.Command("scancel", "--user=root")
		cancel.Env = append(os.Environ(), env...)
		_ = cancel.Run() // there may be nothing to cancel
		for range 100 {  // what runs tasks ends when it has told slurmctld, which ends next
			queue := exec.Command("squeue", "-h")
			queue.Env = cancel.Env
			if out, err := queue.Output(); err != nil || len(out) == 0 {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	return env
}

// scratch is slurm.conf. Four processors are claimed whatever there are: two tasks at once.
const scratch = `
ClusterName=scratch
SlurmctldHost=HOST(127.0.0.1)
SlurmctldPort=CONTROL
SlurmdPort=NODE
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=DIR/munge.sock
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
StateSaveLocation=DIR/state
SlurmdSpoolDir=DIR/spool
SlurmctldPidFile=DIR/slurmctld.pid
SlurmdPidFile=DIR/slurmd.pid
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0
NodeName=HOST NodeAddr=127.0.0.1 CPUs=4 RealMemory=4000 State=UNKNOWN
PartitionName=all Nodes=HOST Default=YES MaxTime=INFINITE State=UP
`

// daemon starts a program that stays in the foreground, and ends it with the test.
func daemon(t *testing.T, env []string, name string, args ...string) {
	t.Helper()
	var said bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = &said, &said
	// If these tests are killed, it is, too.
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	// A task that goes on has its standard output: it must not be waited for.
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // if it has not ended already
		late := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		late.Stop()
		if t.Failed() {
			t.Logf("%s said: %s", name, &said)
		}
	})
}

// await waits until something is so, which takes as long as the machine is slow.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()
	for range 600 {
		if so() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("there is not %s after a minute", what)
}

// free is a port on which nothing listens.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
}
