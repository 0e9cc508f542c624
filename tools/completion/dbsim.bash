# shellcheck shell=bash
# Completion for dbsim in bash.

_dbsim() {
  local word=$2 previous=$3 command=${COMP_WORDS[1]-} words=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W 'run check schema examples --help --version' -- "$word")
    return
  fi
  case $previous in
    --out | --copy)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -d -- "$word")
      return
      ;;
    --policies | --baseline | --seed | --repeats | --threads | --set) return ;;
  esac
  case $command in
    run) words='--json --out --policies --baseline --seed --repeats --threads --set --quiet --help' ;;
    check) words='--set --help' ;;
    schema) words='--markdown --profile --help' ;;
    examples) words='--copy --help' ;;
  esac
  if [[ $word == -* || $command == schema ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  elif [[ $command == run || $command == check ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -X '!*.toml' -- "$word" && compgen -d -- "$word")
  elif [[ $command == examples ]]; then
    # A line that is not indented is a name.
    words=$("${COMP_WORDS[0]}" examples 2>/dev/null | grep '^[^ ]*[.]toml$')
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  fi
}

complete -F _dbsim dbsim
