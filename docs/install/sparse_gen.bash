# Completion of sparse_gen for bash: the options that --help lists, encodings after -f A=, files elsewhere.
_sparse_gen()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} help
    [[ $before == = || $word == = ]] && before=${COMP_WORDS[COMP_CWORD - 3]}
    word=${word#=}
    help=$("${COMP_WORDS[0]}" --help 2>/dev/null)
    case $before in
    -f | --format)
        COMPREPLY=($(compgen -W "dense sparse $(sed -n '/^    all names/,/^  A name/p' <<<"$help" | sed '$d; s/all names//')" -- "$word"))
        ;;
    -s | --strategy) COMPREPLY=($(compgen -W "parallel simd unroll prefetch tile where let" -- "$word")) ;;
    --semiring) COMPREPLY=($(compgen -W "min-plus max-plus max-min min-max or-and" -- "$word")) ;;
    *)
        if [[ $word == -* ]]; then
            COMPREPLY=($(compgen -W "$(grep -oE -- '(^|[ ,])--?[a-z]+' <<<"$help" | tr -d ' ,' | sort -u)" -- "$word"))
        else
            COMPREPLY=($(compgen -f -- "$word"))
        fi
        ;;
    esac
}
complete -o filenames -F _sparse_gen sparse_gen
