"""The program of the fragments of docs/external.md, which are checked and not run."""
