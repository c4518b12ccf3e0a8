"""The boundary to a target in this process: only exact built-in values cross it.

A target is foreign code: it may return a ``str`` whose ``==`` lies, an iterator without an end, or
an exception whose ``__str__`` aborts. All its code runs inside the call, where time and memory are
limited; results are exact ``str``, ``bytes``, ``list`` or ``int`` of a bounded size, or an
exception of ours. Any other object becomes an :class:`~tokharness.boundary.exceptions.Opaque`.
"""
