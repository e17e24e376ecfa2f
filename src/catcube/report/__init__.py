"""Tables, figures and the page of a study: everything here is shown, nothing is computed."""
