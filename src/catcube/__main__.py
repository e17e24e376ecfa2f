"""`python -m catcube` is the command `catcube`."""

from catcube.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
