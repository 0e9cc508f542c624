# shellcheck shell=bash
# Completion for dbsim-calibrate in bash.

_dbsim_calibrate() {
  local word=$2 previous=$3 words=
  COMPREPLY=()
  case $previous in
    --model)
      # In the list, models are set in by two, and their size follows.
      words=$("${COMP_WORDS[0]}" --list 2>/dev/null | sed -n 's/^  \([^ ]*\) .* M parameters,.*/\1/p')
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word" && compgen -f -X '!*.toml' -- "$word")
      return
      ;;
    --device)
      mapfile -t COMPREPLY < <(compgen -W 'cpu cuda:0' -- "$word")
      return
      ;;
    --precision)
      mapfile -t COMPREPLY < <(compgen -W 'fp32 tf32 fp16 bf16' -- "$word")
      return
      ;;
    --out | --svg)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      return
      ;;
    --dataset | --backend | --threads | --batches | --accuracy | --budget | --seed) return ;;
  esac
  words='--model --dataset --device --backend --precision --threads --batches --out --svg --accuracy --budget --interference --network --messages --seed --list --quiet --version --help'
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -F _dbsim_calibrate dbsim-calibrate
