# Completion of svc for bash 3.2 and later. Made by: svc completion bash

_svc_complete() {
  # The words of the line up to the cursor. bash itself would split them at : = @ and other characters.
  local rest=${COMP_LINE:0:COMP_POINT} piece index
  local -a words=()
  for ((index = 0; index <= COMP_CWORD; index++)); do
    piece=${COMP_WORDS[index]}
    if ((index == 0)) || [[ $rest == [[:space:]]* ]]; then
      rest=${rest#"${rest%%[![:space:]]*}"}
      words+=("")
    fi
    ((index == COMP_CWORD)) && piece=$rest
    rest=${rest#"$piece"}
    words[${#words[@]}-1]+=$piece
  done
  local word=${words[${#words[@]}-1]}

  # bash replaces only the end of the word, so svc quotes the inserted text to match the beginning.
  [[ $word == *"$2" ]] || return 0
  local before=${word%"$2"}

  local answer otherwise=nothing spacing=space first=yes
  COMPREPLY=()
  while IFS= read -r answer; do
    if [[ $first == yes ]]; then
      first=no otherwise=${answer%%$'\t'*} spacing=${answer#*$'\t'} spacing=${spacing%%$'\t'*}
      continue
    fi
    COMPREPLY+=("${answer%%$'\t'*}")
  done < <(command svc completion-values --shell bash --before "$before" -- "${words[@]:1}" 2>/dev/null </dev/null)

  if [[ $spacing == open ]]; then
    compopt -o nospace 2>/dev/null
  fi
  if ((${#COMPREPLY[@]} > 0)); then
    compopt -o nosort 2>/dev/null
    return 0
  fi
  case $otherwise in
    files) compopt -o bashdefault -o default 2>/dev/null ;;
    directories) compopt -o dirnames 2>/dev/null ;;
  esac
  return 0
}

complete -F _svc_complete svc
