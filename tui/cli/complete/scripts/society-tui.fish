# Completions of society-tui for fish:
#   society-tui completion fish | source

function __society_tui
    set -l words (commandline -opc) (commandline -ct)
    set -l lines (command $words[1] complete-words -- $words[2..-1] 2>/dev/null)
    for line in $lines[2..-1]
        echo -- $line
    end
    switch "$lines[1]"
        case files
            __fish_complete_path (commandline -ct)
        case folders
            __fish_complete_directories (commandline -ct)
    end
end

complete -c society-tui -k -f -a '(__society_tui)'
