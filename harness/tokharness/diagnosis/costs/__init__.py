"""Why texts cost many tokens: against their twins, their bytes and the text around them."""
