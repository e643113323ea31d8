"""Looking over the pipeline's shoulder: a picture of every stage, and a page that tells the story."""
