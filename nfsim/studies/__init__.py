"""Questions that take several runs: each study plays them and says what they came to; commands only ask it."""
