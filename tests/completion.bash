# SPDX-License-Identifier: MIT
# Completion for bash: `source tests/completion.bash`, or the package's, which is loaded by itself. It asks the command.
_barecount()
{
	local line=${COMP_LINE:0:COMP_POINT} words each
	read -r -a words <<<"$line"
	[ "${line: -1}" != ' ' ] || words+=('')
	mapfile -t COMPREPLY < <("$1" --complete "${words[@]:1}" 2>/dev/null)
	[ ${#COMPREPLY[@]} -ne 1 ] || case ${COMPREPLY[0]} in *[:=.,]) compopt -o nospace ;; esac
	each=${words[-1]}
	each=${each%"${each##*[:=]}"}           # readline has this part already: it ends words at : and =
	COMPREPLY=("${COMPREPLY[@]#"$each"}")
}
complete -o default -F _barecount barecount tests/boot
