"""What a chat template, and a tokenizer, make of a conversation.

``templates`` finds the template of a model, ``environment`` renders it as ``transformers`` does,
and ``rendering`` does so in a worker process with limits. ``catalogue`` has the conversations, and
``checks`` a module for each property. ``examination`` runs them and makes the report.
"""
