#!/bin/sh
# Does one run of {{ title | one_line }} for {{ tuner }}. Relative paths start in the folder in which this file was written.
cd {{ folder | shell_path }} || exit 1
exec {{ program | shell_path }} target {{ experiment | shell_path }}
{%- for set in sets %} --set {{ set | shell_text }}{% endfor %} --algorithm {{ algorithm | shell_text }}
{%- if metric %} --metric {{ metric | shell_text }}{% endif %} --style {{ style }} -- "$@"
