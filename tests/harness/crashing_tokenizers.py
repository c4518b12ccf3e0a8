"""Lossless byte tokenizers that crash, hang or exhaust their process on some texts.

Each class is a factory of a target.
"""

import ctypes
import os
import re
import signal
import sys
import time
from types import MappingProxyType


class Lossless:
    def encode(self, text):
        self.before(text)
        data = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return list(data.encode())

    def decode(self, ids):
        self.after(ids)
        return bytes(ids).decode()

    def before(self, text):
        pass

    def after(self, ids):
        pass


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


class AbortsOnFamilyEmoji(Lossless):
    def before(self, text):
        if FAMILY in text:
            os.abort()


class HangsOnTwentyMarks(Lossless):
    def before(self, text):
        if re.search("[\u0300-\u036f]{20}", text):
            while True:
                pass


class SleepsOnTwentyMarks(Lossless):
    def before(self, text):
        if re.search("[\u0300-\u036f]{20}", text):
            time.sleep(1000)


class TakesTheSquareOfTheLength(Lossless):
    def before(self, text):
        bytes(len(text) ** 2)


class PanicError(BaseException):
    pass


class PanicsOnSurrogates(Lossless):
    def before(self, text):
        if re.search("[\ud800-\udfff]", text):
            raise PanicError("no scalar value")


class KillsItselfOnOverride(Lossless):
    def before(self, text):
        if "\u202e" in text:
            os.kill(os.getpid(), signal.SIGSEGV)


class ReadsNullOnHalf(Lossless):
    def before(self, text):
        if "\u00bd" in text:
            ctypes.string_at(0)


class ExitsOnHalf(Lossless):
    def before(self, text):
        if "\u00bd" in text:
            sys.stderr.write("table has no entry\n")
            sys.stderr.flush()
            os._exit(3)


class AbortsInDecodeOnHalf(Lossless):
    def after(self, ids):
        if bytes(ids).find("\u00bd".encode()) >= 0:
            os.abort()


class InterruptsOnHalf(Lossless):
    def before(self, text):
        if "\u00bd" in text:
            raise KeyboardInterrupt


class AbortsOnEveryNumberSign(Lossless):
    def before(self, text):
        if re.search("[\u2150-\u218b\u2460-\u249b]", text):
            os.abort()


class AbortsAtTheFiveHundredthText(Lossless):
    calls = 0

    def before(self, text):
        self.calls += 1
        if self.calls == 500:
            os.abort()


class AbortsOnSpecialText(Lossless):
    special_tokens = MappingProxyType({"<|end|>": 256})

    def encode_special(self, text):
        if "<|end|>" in text:
            os.abort()
        return self.encode(text)


class AbortsForTheBytesOfAToken(Lossless):
    n_vocab = 256

    def decode_single_token_bytes(self, number):
        if number == 65:
            os.abort()
        return bytes([number])


class AbortsInDecodePastTheEnd(Lossless):
    n_vocab = 256

    def after(self, ids):
        if max(ids, default=0) >= self.n_vocab:
            os.abort()


class HangsOnHalf(Lossless):
    def before(self, text):
        while "\u00bd" in text:
            pass


class HangsBeyondTheBasicPlane(Lossless):
    """It answers the first texts, and hangs on texts that show its Unicode version."""

    def before(self, text):
        while max(text, default="") > "\uffff":
            pass


class HangsAfterTwentyTexts(Lossless):
    """Each process hangs after some texts, whichever they are: a lock that is never released."""

    texts = 0

    def encode(self, text):
        self.texts += 1
        if self.texts > 20:
            time.sleep(60)
        return super().encode(text)


class IsSlow(Lossless):
    def before(self, text):
        time.sleep(0.002)


class IsSlowAtFirst(Lossless):
    was_called = False

    def before(self, text):
        if not self.was_called:
            time.sleep(1.5)
        self.was_called = True


class IgnoresTheAlarmHangsOnHalfAndDropsThird(Lossless):
    def before(self, text):
        if "\u00bd" in text:
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
            while True:
                pass

    def encode(self, text):
        self.before(text)
        return super().encode(text.replace("\u2153", ""))


class PrintsOnEveryCall(Lossless):
    def before(self, text):
        print("to standard output")
        print("to standard error", file=sys.stderr)


class Healthy(Lossless):
    pass


def aborts_in_the_factory():
    os.abort()


class DropsHalf(Lossless):
    def encode(self, text):
        return super().encode(text.replace("\u00bd", ""))


class RaisesOnHalf(Lossless):
    def before(self, text):
        if "\u00bd" in text:
            raise ValueError("not in the table")
