"""Tables, figures and the page of a study: computed in `catcube.analysis`, shown here."""
