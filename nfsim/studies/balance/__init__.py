"""What single records of a catalogue do, found by playing without them and at other costs."""
