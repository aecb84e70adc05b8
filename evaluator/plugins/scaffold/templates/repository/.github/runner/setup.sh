#!/usr/bin/env bash
# Makes this machine (Ubuntu 22.04 or 24.04, as root) evaluate one job and leave the forge again, or
# with --app one job after another until it is stopped.
#
#   RUNNER_TOKEN=... bash setup.sh --url https://github.com/OWNER/NAME --labels gpu \
#       --version X.Y.Z --sha256 DIGEST [--group GROUP] [--data FOLDER]
#   RUNNER_APP_KEY=... bash setup.sh --app CLIENT_ID ...   # the same options; GROUP is a number
#
# "New self-hosted runner" in the forge's settings shows the token, the version and the digest.
# The token, or the app's key, is read from the environment, since arguments can be seen by every user of a machine.
# So is PULLBENCH_DATA_IDENTITY, the key of data that lie encrypted in bundles, where there are any.
# For the next job without --app, restore the machine from its snapshot and run this again with a new token.
set -euo pipefail

home=${PULLBENCH_RUNNER_HOME:-/opt/pullbench-runner}
system=${PULLBENCH_OS_RELEASE:-/etc/os-release}
url='' labels='' version='' sha256='' group='' data='' app=''

fail() {
    printf 'setup.sh: %s\n' "$1" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || fail "$1 needs a value"
    case $1 in
        --url) url=$2 ;;
        --labels) labels=$2 ;;
        --version) version=$2 ;;
        --sha256) sha256=$2 ;;
        --group) group=$2 ;;
        --data) data=$2 ;;
        --app) app=$2 ;;
        *) fail "unknown option $1" ;;
    esac
    shift 2
done
[[ $url == https://* ]] || fail "--url: the address of the repository or organisation is missing"
[[ $labels =~ ^[A-Za-z0-9_.,-]+$ ]] || fail "--labels: name at least one, as in [tool.pullbench.queues]"
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "--version: X.Y.Z of the runner's program"
[[ $sha256 =~ ^[0-9a-f]{64}$ ]] || fail "--sha256: the digest that stands beside the version"
if [ -z "$app" ]; then
    [ -n "${RUNNER_TOKEN:-}" ] || fail "RUNNER_TOKEN: the registration token is missing"
else
    [ -n "${RUNNER_APP_KEY:-}" ] || fail "RUNNER_APP_KEY: the private key of the app is missing"
    [[ $app =~ ^[A-Za-z0-9.]+$ ]] || fail "--app: the client ID of a GitHub App"
    [[ $group =~ ^[0-9]*$ ]] || fail "--group: with --app, the number at the end of the group's address"
fi
[ -z "$data" ] || [ -d "$data" ] || fail "--data: there is no folder $data"
# actions/setup-python has builds of Python for these alone.
grep -Eq '^VERSION_ID="?(22|24)\.04"?$' "$system" || fail "this is neither Ubuntu 22.04 nor 24.04"
[ "$(id -u)" -eq 0 ] || fail "root is needed to install packages"

install_engine() {
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends ca-certificates curl docker.io git gpg openssl procps \
        python3 python3-venv
    systemctl enable --now docker
}

# Only where the driver is there: GPUs become devices that Docker can hand out.
install_gpu_toolkit() {
    command -v nvidia-smi >/dev/null || return 0
    local source=https://nvidia.github.io/libnvidia-container
    local key=/usr/share/keyrings/nvidia-container-toolkit.gpg
    curl -fsSL "$source/gpgkey" | gpg --dearmor --yes -o "$key"
    curl -fsSL "$source/stable/deb/nvidia-container-toolkit.list" |
        sed "s#^deb https://#deb [signed-by=$key] https://#" >/etc/apt/sources.list.d/nvidia-container-toolkit.list
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends nvidia-container-toolkit
    nvidia-ctk runtime configure --runtime=docker
    systemctl restart docker
    docker info --format '{{json .Runtimes}}' | grep -q nvidia || fail "Docker does not know the GPU's runtime"
}

install_runner() {
    local machine archive
    case $(uname -m) in
        x86_64) machine=x64 ;;
        aarch64) machine=arm64 ;;
        *) fail "there is no runner for $(uname -m)" ;;
    esac
    # In the group docker it is as good as root here: this machine must hold nothing else of value.
    id runner >/dev/null 2>&1 || useradd --system --create-home --home-dir "$home" --shell /bin/bash runner
    usermod --append --groups docker runner
    archive=$(mktemp)
    curl -fsSL -o "$archive" \
        "https://github.com/actions/runner/releases/download/v$version/actions-runner-linux-$machine-$version.tar.gz"
    printf '%s  %s\n' "$sha256" "$archive" | sha256sum --check --status || fail "--sha256: what came has another digest"
    tar -xzf "$archive" -C "$home"
    rm -f "$archive"
    "$home/bin/installdependencies.sh" >/dev/null
    # One job's account may not write what the next one runs.
    chown -R "$([ -n "$app" ] && echo root || echo runner):" "$home"
}

# What stays on this machine: programs may read it, and only its owner may write it.
protect_data() {
    [ -z "$data" ] || chmod -R a+rX,go-w "$data"
}

# --ephemeral: the forge gives it one job and forgets it. Nothing of one evaluation meets the next.
run_one_job() {
    cd "$home"
    local options=(--unattended --ephemeral --replace --no-default-labels --disableupdate
        --url "$url" --labels "self-hosted,$labels" --name "$(hostname)-$$" --work work)
    [ -z "$group" ] || options+=(--runnergroup "$group")
    # The variable that config.sh reads: never an argument, and gone before the job starts.
    ACTIONS_RUNNER_INPUT_TOKEN=$RUNNER_TOKEN runuser -u runner -- ./config.sh "${options[@]}"
    unset RUNNER_TOKEN
    if [ -n "${PULLBENCH_DATA_IDENTITY:-}" ]; then
        # The runner's program takes its variables from this file.
        [ -e .env ] || : >.env
        chmod 600 .env
        printf 'PULLBENCH_DATA_IDENTITY=%s\n' "$PULLBENCH_DATA_IDENTITY" >>.env
        chown runner .env
        unset PULLBENCH_DATA_IDENTITY
    fi
    runuser -u runner -- env -i HOME="$home" PATH="$PATH" ./run.sh
}

install_engine
install_gpu_toolkit
install_runner
protect_data
if [ -n "$app" ]; then
    exec python3 "$(dirname "$0")/jobs.py" --url "$url" --app "$app" --labels "$labels" \
        --group "${group:-1}" --program "$home" --stop "$home.stop"
fi
run_one_job
