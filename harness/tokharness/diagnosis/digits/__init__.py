"""How a tokenizer splits numbers: policies, the numbers tried, and which policy predicts them."""
