"""What the texts of tokens hold: hidden characters, look-alikes, escapes and remains of the web."""
