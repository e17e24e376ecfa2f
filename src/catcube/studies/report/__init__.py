"""Tables, figures and the page of a study: computed in `catcube.studies.analysis`, shown here."""
