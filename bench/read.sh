#!/usr/bin/env bash
# Measures rdmacap read beside tshark, each listing the same capture as text
# rows, and rdmacap read --format ndjson and rdmacap check. Run in turn, so that whatever else the
# machine does falls on all alike; the figures are medians.
#
#	bench/read.sh [--check] [--rounds N] [FILE]
#
# FILE is an uncompressed capture; without it, samples/rxe-basic is repeated
# twenty times. With --check the exit status is 1 unless rdmacap is 30 times as
# fast as tshark and ndjson takes at most twice the time of text. Needs Go, and
# tshark with the mergecap that comes with it (apt-get install tshark).
set -euo pipefail

least_ratio=30 most_ndjson=2
check=no rounds=7 file=
while [ $# -gt 0 ]; do
	case $1 in
	--check) check=yes ;;
	--rounds) rounds=${2:?--rounds needs a number}; shift ;;
	-*) echo "usage: bench/read.sh [--check] [--rounds N] [FILE]" >&2; exit 2 ;;
	*) file=$(realpath "$1") ;;
	esac
	shift
done
for tool in go tshark mergecap; do
	command -v "$tool" >/dev/null || { echo "bench/read.sh needs $tool" >&2; exit 2; }
done

cd "$(dirname "$0")/.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
go build -buildvcs=false -o "$tmp/rdmacap" ./cmd/rdmacap
if [ -z "$file" ]; then
	file=$tmp/rxe-basic-20.pcap
	for ((i = 0; i < 20; i++)); do copies[i]=samples/rxe-basic.pcap.zst; done
	mergecap -a -F pcap -w "$file" "${copies[@]}"
fi

names=("tshark -r" "rdmacap read" "rdmacap read --format ndjson" "rdmacap check")
run() { # run NUMBER: the command of that number, its rows to standard output
	case $1 in
	0) tshark -r "$file" ;;
	1) "$tmp/rdmacap" read --quiet "$file" ;;
	2) "$tmp/rdmacap" read --quiet --format ndjson "$file" ;;
	3) "$tmp/rdmacap" check --quiet --fail-on never "$file" ;;
	esac
}

# One round is not timed: it fills the caches, and tells peak memory and that
# there is output at all.
peaks=()
for i in 0 1 2 3; do
	if [ -x /usr/bin/time ]; then
		export -f run; export file tmp
		/usr/bin/time -f %M -o "$tmp/peak" bash -c "run $i" >"$tmp/rows.$i" 2>/dev/null
		peaks[i]=$(awk 'END { printf "%.0f", $1 / 1024 }' "$tmp/peak")
	else
		peaks[i]=-
		run $i >"$tmp/rows.$i" 2>/dev/null
	fi
	[ -s "$tmp/rows.$i" ] || { echo "${names[i]} printed nothing" >&2; exit 2; }
done
frames=$(wc -l <"$tmp/rows.0") # tshark's rows are one a frame
octets=$(stat -c %s "$file")

for ((round = 0; round < rounds; round++)); do
	for i in 0 1 2 3; do
		began=${EPOCHREALTIME/[.,]/}
		run $i >/dev/null 2>&1
		echo $((${EPOCHREALTIME/[.,]/} - began)) >>"$tmp/times.$i"
	done
done
median() { sort -n "$1" | awk '{ t[NR] = $1 } END { print (t[int((NR + 1) / 2)] + t[int(NR / 2) + 1]) / 2e6 }'; }
for i in 0 1 2 3; do seconds[i]=$(median "$tmp/times.$i"); done

echo "$frames frames, $octets octets, medians of $rounds rounds"
printf '%-30s %9s %12s %9s %11s %9s\n' command seconds frames/s MB/s "x tshark" "peak MiB"
for i in 0 1 2 3; do
	awk -v name="${names[i]}" -v s="${seconds[i]}" -v base="${seconds[0]}" -v f="$frames" -v o="$octets" -v peak="${peaks[i]}" \
		'BEGIN { printf "%-30s %9.3f %12.0f %9.1f %11.1f %9s\n", name, s, f / s, o / s / 1e6, base / s, peak }'
done
awk -v tshark="${seconds[0]}" -v text="${seconds[1]}" -v ndjson="${seconds[2]}" -v ratio=$least_ratio -v most=$most_ndjson -v check=$check '
	BEGIN {
		fast = tshark / text >= ratio; lean = ndjson / text <= most
		printf "text is %.1f times as fast as tshark (goal: %d), %s\n", tshark / text, ratio, fast ? "met" : "missed"
		printf "ndjson takes %.2f times the time of text (goal: %d), %s\n", ndjson / text, most, lean ? "met" : "missed"
		exit check == "yes" && !(fast && lean)
	}'
