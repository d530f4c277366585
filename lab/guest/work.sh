# SPDX-License-Identifier: Apache-2.0
# work does what the client of rxe-basic and siw-basic did on each mount, as far as it can be
# seen in calls, in folder $d. held FILE is to say whether what is read of a file is right.
work() {
	mkdir -p $d && echo hello >$d/small && [ "$(cat $d/small)" = hello ] || return 1
	head -c 3000 /dev/urandom >$d/mid && head -c 300001 /dev/urandom >$d/big && sync || return 1
	echo 3 >/proc/sys/vm/drop_caches
	for file in small mid big; do
		held $d/$file || return 1
	done
	ln -s ../some/long/target/path/for/symlink/test $d/lnk && [ "$(readlink $d/lnk)" = ../some/long/target/path/for/symlink/test ] || return 1
	for i in $(seq 30); do : >$d/file_with_a_rather_long_name_$i || return 1; done
	echo 3 >/proc/sys/vm/drop_caches
	[ $(ls -la $d | wc -l) = 37 ] || { say "$kind: NFS $version: $(ls -la $d | wc -l) lines of ls"; return 1; }
	mv $d/small $d/small2 && rm $d/mid && stat $d/big >/dev/null && df $d >/dev/null
}
