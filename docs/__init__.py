"""The pages; a package, so that the settings of their tests have a name of their own."""
