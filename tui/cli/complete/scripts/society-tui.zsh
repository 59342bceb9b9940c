#compdef society-tui
# Completions of society-tui for zsh, as _society-tui in a folder of $fpath, or:
#   source <(society-tui completion zsh)

_society_tui() {
  local -a lines described
  local line word
  lines=("${(@f)$(command ${words[1]} complete-words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "${(@)lines[2,-1]}"; do
    [[ -n $line ]] || continue
    word=${line%%$'\t'*}
    described+=("${word//:/\\:}:${line#*$'\t'}")
  done
  (( $#described )) && _describe -V 'society-tui' described
  case ${lines[1]} in
    files) compset -P '*='; _files ;;
    folders) compset -P '*='; _files -/ ;;
  esac
}

if [[ ${funcstack[1]} == _society-tui ]]; then
  _society_tui "$@"
else
  compdef _society_tui society-tui
fi
