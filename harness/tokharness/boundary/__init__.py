"""The boundary to a target in this process: what crosses it are exact built-in values.

A target is foreign code: it may return a ``str`` whose ``==`` lies, an iterator without an end, or
an exception whose ``__str__`` aborts. All its code runs inside the call, where time and memory are
limited; what comes out is an exact ``str``, ``bytes``, ``list`` or ``int`` of a bounded size, or an
exception of ours. What cannot be one of these is an :class:`~tokharness.boundary.opaque.Opaque`.
"""
