package k8s

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// job is docs/examples/fleet/job.yaml. A field that the API does not have is an error, and so is one
// that is there twice.
func job(t *testing.T) (j batchv1.Job) {
	t.Helper()
	text, err := os.ReadFile("../../../docs/examples/fleet/job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "\n---") {
		t.Fatal("there is more than one object, of which the first is read")
	}
	if err := yaml.UnmarshalStrict(text, &j); err != nil {
		t.Fatal(err)
	}
	return j
}

// TestUnknownField holds that a field which the API does not have is seen.
func TestUnknownField(t *testing.T) {
	var j batchv1.Job
	if err := yaml.UnmarshalStrict([]byte("spec: {completionsMode: Indexed}"), &j); err == nil {
		t.Error("completionsMode is a field")
	}
}

// TestJob holds what docs/fleet.md says of the Job, and what the API server demands of one like it.
func TestJob(t *testing.T) {
	j := job(t)
	if j.APIVersion != batchv1.SchemeGroupVersion.String() || j.Kind != "Job" {
		t.Errorf("it is a %s of %s", j.Kind, j.APIVersion)
	}
	s := j.Spec
	if s.CompletionMode == nil || *s.CompletionMode != batchv1.IndexedCompletion || s.Completions == nil || s.Parallelism == nil {
		t.Fatalf("it is not indexed: %+v", s)
	}
	if s.BackoffLimit != nil || s.BackoffLimitPerIndex == nil || *s.BackoffLimitPerIndex != 2 {
		t.Error("an index is not tried again twice, or the Job is limited as a whole")
	}
	if *s.Parallelism > *s.Completions || s.MaxFailedIndexes == nil || *s.MaxFailedIndexes != *s.Completions {
		t.Error("it is to go on when any index has failed")
	}
	// Both backoffLimitPerIndex and podFailurePolicy demand it.
	if s.Template.Spec.RestartPolicy != corev1.RestartPolicyNever {
		t.Errorf("restartPolicy: %s", s.Template.Spec.RestartPolicy)
	}
	if len(s.Template.Spec.Containers) != 1 {
		t.Fatalf("%d containers", len(s.Template.Spec.Containers))
	}
	failsAt2 := false
	for _, rule := range s.PodFailurePolicy.Rules {
		exit := rule.OnExitCodes
		if (exit == nil) == (len(rule.OnPodConditions) == 0) {
			t.Errorf("a rule has either exit codes or conditions: %+v", rule)
		}
		if exit == nil {
			continue
		}
		if exit.ContainerName == nil || *exit.ContainerName != s.Template.Spec.Containers[0].Name {
			t.Error("a rule is for a container that there is not")
		}
		failsAt2 = failsAt2 || rule.Action == batchv1.PodFailurePolicyActionFailIndex && exit.Operator == batchv1.PodFailurePolicyOnExitCodesOpIn && slices.Equal(exit.Values, []int32{2})
	}
	if !failsAt2 {
		t.Error("status 2 is tried again")
	}
}

// TestVolumes holds that what is mounted is a volume, that each volume is, and that the list and the
// datasets are in them: the rest of the file system cannot be written to.
func TestVolumes(t *testing.T) {
	pod := job(t).Spec.Template.Spec
	container := pod.Containers[0]
	readOnly := make(map[string]bool)
	for _, v := range pod.Volumes {
		if v.PersistentVolumeClaim == nil {
			t.Errorf("%s is no claim", v.Name)
			continue
		}
		readOnly[v.Name] = v.PersistentVolumeClaim.ReadOnly
	}
	writable := make(map[string]bool)
	for _, m := range container.VolumeMounts {
		claim, is := readOnly[m.Name]
		if !is || claim != m.ReadOnly {
			t.Errorf("%s: a volume %v, read-only %v and mounted so %v", m.Name, is, claim, m.ReadOnly)
		}
		delete(readOnly, m.Name)
		writable[m.MountPath] = !m.ReadOnly
	}
	if len(readOnly) != 0 {
		t.Errorf("these are not mounted: %v", readOnly)
	}
	env := make(map[string]string)
	for _, e := range container.Env {
		env[e.Name] = e.Value
	}
	if w, is := writable[env["DIR"]]; !w || !is {
		t.Errorf("DIR, %q, cannot be written to", env["DIR"])
	}
	if w, is := writable[path.Dir(env["LIST"])]; w || !is {
		t.Errorf("LIST, %q, is not in a read-only volume", env["LIST"])
	}
	if c := container.SecurityContext; c == nil || c.ReadOnlyRootFilesystem == nil || !*c.ReadOnlyRootFilesystem {
		t.Error("the root file system can be written to")
	}
}
