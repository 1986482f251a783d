#compdef svc
# Completion of svc for zsh. Made by: svc completion zsh

_svc() {
  local -a answer first names options
  local line name about
  answer=("${(@f)$(command svc completion-values --shell zsh -- "${(@)words[2,CURRENT-1]}" "$QIPREFIX$PREFIX" 2>/dev/null </dev/null)}")
  first=("${(@ps:\t:)answer[1]}")
  for line in "${(@)answer[2,-1]}"; do
    name=${line%%$'\t'*} about=${line#*$'\t'}
    [[ -n $name ]] || continue
    name=${name//\\/\\\\}
    names+=("${name//:/\\:}${about:+:$about}")
  done
  if (( $#names )); then
    [[ $first[2] == open ]] && options=(-S '')
    _describe -V -t values svc names "${(@)options}"
    return
  fi
  [[ -n $first[3] ]] && compset -P "${(b)first[3]}"
  case $first[1] in
    files) _files ;;
    directories) _files -/ ;;
    *) return 1 ;;
  esac
}

# In a directory of fpath, this file is the function itself. Otherwise it is evaluated and must register the function.
if [[ $funcstack[1] == _svc ]]; then
  _svc "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _svc svc
fi
