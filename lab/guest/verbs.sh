# SPDX-License-Identifier: Apache-2.0
# Runs the tests of package internal/replay/verbs that need devices, against the kernel's NFS server and
# client and against each other, and holds that nothing of it is left in the kernel.
serve
ip route add 192.0.2.3 dev eth1 src $client
ip neighbour add 192.0.2.3 lladdr 52:54:00:00:00:03 dev eth1 nud permanent # where there is nobody
cp /out/verbs.test /tmp/verbs.test

ulimit -l unlimited # Soft-iWARP goes by it even for root
for kind in rxe siw; do
	transport $kind
	export RDMACAP_LAB=$kind
	before=$(resources)
	/tmp/verbs.test -test.v -test.run "${lab_tests:-^TestLab}" -test.timeout 300s || failed=1
	as_before || exit 1
	say "$kind: nothing is left"

	rm -f /tmp/held
	RDMACAP_LAB_HOLD=/tmp/held /tmp/verbs.test -test.run '^TestLabHold$' &
	holder=$!
	until [ -e /tmp/held ]; do
		kill -0 $holder || exit 1
		sleep 0.1
	done
	kill -KILL $holder
	wait $holder
	as_before || exit 1
	say "$kind: nothing is left of what was killed"
done
[ -n "${failed:-}" ] || touch /out/done
