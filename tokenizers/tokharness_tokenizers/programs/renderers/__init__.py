"""Programs that render conversations, one file each, with nothing of ours: none is imported.

``load(*names, "template", path)`` gets the path of a file of JSON that has ``template``,
``variables`` and ``now``, the local time in ISO 8601. What it returns has ``render(conversation)``
for an object with ``messages`` and ``options``, such as ``tools`` and ``add_generation_prompt``.
The result has a ``text`` and perhaps ``ids``, or a ``failure``, ``refusal`` or ``crash``, with its
``message`` and ``line``. A template that does not compile is ``failure`` of what ``load`` returns.
"""
