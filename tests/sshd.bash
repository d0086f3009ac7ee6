# Sourced by scripts that need another host: an sshd of their own on a loopback port, with its own
# configuration, keys and known hosts, all in the directory given; and a `ssh` in PATH that uses them.
# Nothing of the machine's or the user's own ssh is read or written. The caller's clean-up calls
# sshd_end.
SSHD_PID=
SSHD_RUN=

# sshd_begin DIR: starts it; then "testhost" is a host for ssh, and so is 127.0.0.1.
sshd_begin() {
    local program=/usr/sbin/sshd try
    [ -x "$program" ] || skip "no sshd"
    SSHD_DIR=$1
    mkdir -p "$SSHD_DIR/bin"
    ssh-keygen -q -t ed25519 -N '' -f "$SSHD_DIR/host_key"
    ssh-keygen -q -t ed25519 -N '' -f "$SSHD_DIR/user_key"
    cp "$SSHD_DIR/user_key.pub" "$SSHD_DIR/authorized_keys"
    if [ "$(id -u)" = 0 ] && [ ! -d /run/sshd ]; then
        SSHD_RUN=/run/sshd
        mkdir -m 755 "$SSHD_RUN"
    fi
    for try in 1 2 3 4 5; do
        SSHD_PORT=$((20000 + RANDOM % 20000))
        sshd_configure
        "$program" -D -e -f "$SSHD_DIR/sshd_config" 2>"$SSHD_DIR/sshd_log" &
        SSHD_PID=$!
        sshd_is_up && return
        kill "$SSHD_PID" 2>/dev/null
        wait "$SSHD_PID" 2>/dev/null
    done
    fail "no sshd after $try tries: $(cat "$SSHD_DIR/sshd_log")"
}

sshd_configure() {
    cat >"$SSHD_DIR/sshd_config" <<CONFIG
ListenAddress 127.0.0.1
Port $SSHD_PORT
HostKey $SSHD_DIR/host_key
AuthorizedKeysFile $SSHD_DIR/authorized_keys
StrictModes no
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
PidFile none
MaxStartups 100
CONFIG
    cat >"$SSHD_DIR/ssh_config" <<CONFIG
Host testhost
    HostName 127.0.0.1
Host *
    Port $SSHD_PORT
    User $(id -un)
    IdentityFile $SSHD_DIR/user_key
    IdentitiesOnly yes
    UserKnownHostsFile $SSHD_DIR/known_hosts
    GlobalKnownHostsFile /dev/null
CONFIG
    echo "[127.0.0.1]:$SSHD_PORT $(cut -d ' ' -f 1,2 "$SSHD_DIR/host_key.pub")" >"$SSHD_DIR/known_hosts"
    printf '#!/bin/sh\nexec /usr/bin/ssh -F %s "$@"\n' "$SSHD_DIR/ssh_config" >"$SSHD_DIR/bin/ssh"
    chmod 755 "$SSHD_DIR/bin/ssh"
    PATH=$SSHD_DIR/bin:${PATH#"$SSHD_DIR/bin:"}
}

sshd_is_up() {
    local n
    for ((n = 0; n < 100; n++)); do
        kill -0 "$SSHD_PID" 2>/dev/null || return 1
        (exec 3<>"/dev/tcp/127.0.0.1/$SSHD_PORT") 2>/dev/null && return
        sleep 0.05
    done
    return 1
}

# The processes that serve connections: sshd's children and theirs.
sshd_sessions() {
    local pid
    for pid in $(pgrep -P "$SSHD_PID"); do
        echo "$pid"
        pgrep -P "$pid"
    done
    return 0
}

# Cuts all connections off; new ones are served.
sshd_cut() {
    local pid
    for pid in $(sshd_sessions); do kill -KILL "$pid" 2>/dev/null; done
    return 0
}

sshd_end() {
    [ -n "$SSHD_PID" ] || return 0
    sshd_cut
    kill "$SSHD_PID" 2>/dev/null
    wait "$SSHD_PID" 2>/dev/null
    SSHD_PID=
    [ -z "$SSHD_RUN" ] || rmdir "$SSHD_RUN"
}
