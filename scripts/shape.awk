# The shape of a page of claims: its headings and the heads of its tables, whatever the runs found.
/^#/ { print }
/^\| ---/ { print last }
{ last = $0 }
