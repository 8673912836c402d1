#!/bin/sh
# Stands in for `systemctl --user`, which needs a machine that was booted with systemd: it starts what the unit's
# ExecStart says, with its Environment, and ends it again.
[ "$1" = --user ] && shift
folder="${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user"
pid_file="$SERVICE_FOLDER/pid"
log="$SERVICE_FOLDER/log"
echo "$*" >> "$SERVICE_FOLDER/calls"

stop() {
  [ -f "$pid_file" ] || return 0
  pid=$(cat "$pid_file")
  kill "$pid" 2> /dev/null
  while kill -0 "$pid" 2> /dev/null; do sleep 0.05; done
  rm -f "$pid_file"
}

case "$1" in
  restart)
    stop
    unit="$folder/$2.service"
    command=$(sed -n 's/^ExecStart=//p' "$unit")
    environment=$(sed -n 's/^Environment=//p' "$unit" | tr '\n' ' ')
    (
      exec > "$log" 2>&1 < /dev/null
      cd "$HOME" && eval "exec env $environment $command"
    ) &
    echo $! > "$pid_file"
    ;;
  disable) stop ;;
  is-active) [ -f "$pid_file" ] && kill -0 "$(cat "$pid_file")" 2> /dev/null ;;
  *) exit 0 ;;
esac
