# Completions of society-tui for bash:
#   source <(society-tui completion bash)

_society_tui() {
  local line word paths=""
  COMPREPLY=()
  while IFS= read -r line; do
    word=${line%%$'\t'*}
    if [[ -z $paths ]]; then
      paths=$word
    else
      COMPREPLY+=("$(printf '%q' "$word")")
    fi
  done < <(command "${COMP_WORDS[0]}" complete-words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)

  local at=${COMP_WORDS[COMP_CWORD]}
  [[ $at == "=" ]] && at=""
  case $paths in
    files) compopt -o filenames 2>/dev/null; while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$at") ;;
    folders) compopt -o filenames 2>/dev/null; while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$at") ;;
  esac
}

complete -F _society_tui society-tui
