# Completion of svc for fish. Made by: svc completion fish

function __svc_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l word (commandline -ct)
    set -l answer (command svc completion-values --shell fish -- $words "$word" 2>/dev/null </dev/null)
    set -l first (string split \t -- "$answer[1]")
    set -e answer[1]
    if test (count $answer) -gt 0
        printf '%s\n' $answer
        return
    end
    set -l before "$first[3]"
    set -l path (string sub -s (math (string length -- "$before") + 1) -- "$word")
    switch "$first[1]"
        case files
            for found in (__fish_complete_path "$path")
                echo "$before$found"
            end
        case directories
            for found in (__fish_complete_directories "$path" '')
                echo "$before$found"
            end
    end
end

complete -c svc -f -k -a '(__svc_complete)'
