#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# two_hosts.sh <program>: tests a run on two "hosts". These are network namespaces with one cable between them and
# separate folders; only the installation is common. Needs root, namespaces, ip, nsenter and Open MPI; prints
# "skipped:" if one is missing. Without options, the mpirun of Open MPI 4 does not notice a lost host and waits forever;
# that is not tested.
set -u
binary=$(realpath "$1") failures=0 holders=()
unshare --net --uts --mount true 2>/dev/null && command -v ip nsenter >/dev/null ||
    { echo "skipped: no namespaces are allowed here, or ip and nsenter are missing"; exit 0; }
mpirun --version | grep -q "Open MPI" || { echo "skipped: the script knows how Open MPI starts its daemons"; exit 0; }
work=$(mktemp -d)
end() {
    for holder in "${holders[@]}"; do kill "$holder" 2>/dev/null; done
    rm -rf "$work"
}
trap end EXIT
mkdir "$work/site"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
unset QAPFW_DATA
# Restores the default of 5 s, which suits the options that this test passes to mpirun (docs/guides/clusters.md).
unset QAPFW_PROCESS_SILENCE

# on <0|1> <command...>: runs the command on that host. The host has its own network, name and folder $work/site.
on() { nsenter --target "${holders[$1]}" --net --uts --mount sh -c 'cd "$0" && exec "$@"' "$work/site" "${@:2}"; }
for host in 0 1; do
    unshare --net --uts --mount --propagation private sleep 600 &
    holders[host]=$!
done
for host in 0 1; do
    for _ in $(seq 500); do
        [ "$(readlink "/proc/${holders[host]}/ns/net")" != "$(readlink /proc/self/ns/net)" ] && break
        sleep 0.01
    done
    nsenter --target "${holders[host]}" --net --uts --mount mount -t tmpfs none "$work/site"
    on $host hostname "qapfw-host-$host"
    on $host ip link set lo up
done
ip link add "qa$$" type veth peer name "qb$$" || { echo "skipped: no pair of network devices can be made"; exit 0; }
ip link set "qa$$" netns "${holders[0]}" && ip link set "qb$$" netns "${holders[1]}"
on 0 ip address add 10.77.0.1/24 dev "qa$$" && on 0 ip link set "qa$$" up
on 1 ip address add 10.77.0.2/24 dev "qb$$" && on 1 ip link set "qb$$" up

# mpirun calls this agent to start its daemon on another host: agent <address> <command>.
cat >"$work/agent" <<END
#!/bin/bash
shift
exec nsenter --target ${holders[1]} --net --uts --mount sh -c "cd '$work/site' && \$*"
END
chmod +x "$work/agent"
launch=(mpirun --mca plm_rsh_agent "$work/agent" --mca oob_tcp_if_include "10.77.0.0/24" --mca btl_tcp_if_include
    "10.77.0.0/24" --host "10.77.0.1:1,10.77.0.2:2" -n 3)
configuration=$(cat "$(dirname "$0")/islands.toml")
echo "$configuration" | on 0 tee config.toml >/dev/null
echo "$configuration" >"$work/config.toml"
complain() { echo "FAILED: $1"; failures=$((failures + 1)); sed 's/^/  /' "$work/err"; }
digest_of() { grep -o '"digest": "[0-9a-f]*"' "$1"; }

(cd "$work" && "$binary" run config.toml --quiet --iterations 60 --out alone) >/dev/null 2>"$work/err" || complain "one process fails"
on 0 "${launch[@]}" "$binary" run config.toml --iterations 30 --out record >"$work/out" 2>"$work/err" || complain "the run fails"
grep -q "3 processes, 1 on this host" "$work/err" || complain "it does not run on two hosts"
on 0 "${launch[@]}" "$binary" resume record --quiet --iterations 60 >"$work/out" 2>"$work/err" || complain "the resume fails"
on 0 cat record/result.json >"$work/result.json"
[ "$(digest_of "$work/result.json")" = "$(digest_of "$work/alone/result.json")" ] || complain "the digests differ"
[ -z "$(on 1 ls -A)" ] || complain "the other host has files: $(on 1 ls -A)"

# of <0|1> <name>: prints the ids of the processes called <name> on host 0 or 1.
of() { pgrep --ns "${holders[$1]}" --nslist net -x "$2"; }
cable() { on 1 ip link set "qb$$" "$1"; }
begin_and_pull() {  # <record> <options of mpirun...>: pulls the cable while a run is under way
    local record=$1
    on 0 "${launch[@]:0:1}" "${@:2}" "${launch[@]:1}" "$binary" run config.toml --quiet --out "$record" >"$work/out" 2>"$work/err" &
    for _ in $(seq 1000); do on 0 test -s "$record/trace.jsonl" && break; sleep 0.01; done
    cable down
    pulled=${EPOCHREALTIME/./}
}
wait_until_gone() {  # <host> <name> <seconds>
    for _ in $(seq "$3"00); do of "$1" "$2" >/dev/null || return; sleep 0.01; done
    complain "there is still a $2 on host $1"
}

# Pulls the cable: all processes must end, and exactly one message must name a lost process. The keepalive options of
# docs/guides/clusters.md must make mpirun end too.
begin_and_pull pulled --mca oob_tcp_keepalive_time 1 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 5
wait_until_gone 0 qapfw 12
wait_until_gone 1 qapfw 12
took=$(((${EPOCHREALTIME/./} - pulled) / 1000))
[ "$(grep -cE "process [12] \(pid [0-9]+ on host qapfw-host-1\) has not answered for [0-9.]+ s" "$work/err")" = 1 ] ||
    complain "wanted one message that names a lost process"
[ $took -lt 10000 ] || complain "it took $took ms"
echo "a host whose cable was pulled: all processes ended after $took ms"
wait_until_gone 0 mpirun 30
echo "mpirun with options for it ended after $(((${EPOCHREALTIME/./} - pulled) / 1000)) ms"
cable up
on 0 "${launch[@]}" "$binary" resume pulled --quiet --time-limit 100ms >"$work/out" 2>"$work/err" || complain "it cannot be resumed"
[ $failures -eq 0 ] && echo passed
exit $((failures > 0))
