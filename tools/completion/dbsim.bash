# shellcheck shell=bash
# Completion for dbsim in bash.

_dbsim() {
  local word=$2 previous=$3 command=${COMP_WORDS[1]-} words=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W 'run check schema examples import profile flows --help --version' -- "$word")
    return
  fi
  case $previous in
    --trace)
      compopt -o filenames -o nospace
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      return
      ;;
    --out | --copy | --svg)
      compopt -o filenames
      local kind=-d
      [[ $command == run || $command == examples ]] || kind=-f
      mapfile -t COMPREPLY < <(compgen "$kind" -- "$word")
      return
      ;;
    --place)
      mapfile -t COMPREPLY < <(compgen -W 'in out faster' -- "$word")
      return
      ;;
    --policies | --baseline | --seed | --repeats | --threads | --set) return ;;
    --model | --device | --parameters | --max-batch | --source | --ranks | --within) return ;;
  esac
  case $command in
    run) words='--json --out --policies --baseline --seed --repeats --threads --set --quiet --help' ;;
    check) words='--set --help' ;;
    schema) words='--markdown --profile --network-cases --graph --help' ;;
    examples) words='--copy --help' ;;
    import) words='--trace --model --device --parameters --max-batch --place --ranks --halves --within --source --out --help' ;;
    profile) words='--svg --out --within --help' ;;
    flows) words='--within --all --json --help' ;;
  esac
  if [[ $word == -* || $command == schema ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  elif [[ $command == run || $command == check ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -X '!*.toml' -- "$word" && compgen -d -- "$word")
  elif ((COMP_CWORD == 2)) && [[ $command == import ]]; then
    mapfile -t COMPREPLY < <(compgen -W 'profile nccl-tests' -- "$word")
  elif ((COMP_CWORD == 2)) && [[ $command == profile ]]; then
    mapfile -t COMPREPLY < <(compgen -W 'show merge compare' -- "$word")
  elif [[ $command == import || $command == profile || $command == flows ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  elif [[ $command == examples ]]; then
    # A line that is not indented is a name.
    words=$("${COMP_WORDS[0]}" examples 2>/dev/null | grep '^[^ ]*[.]toml$')
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  fi
}

complete -F _dbsim dbsim
