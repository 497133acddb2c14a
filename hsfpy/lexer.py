"""The tokens the grammar sees: raw tokens after SPIN's own lexical rules.

SPIN's lexer does a good part of the work of a parser: it expands inlines on text, decides by what was
declared so far what kind of name a word is, supplies statement separators at line ends and around
braces, rewrites `timeout` and `select`, and moves `ltl` blocks to the end. `TokenStream` does the same
on raw tokens, one at a time, because each decision depends on the tokens before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hsfpy import rawtokens
from hsfpy.diagnostics import INLINE, Loc, PromelaError, Report
from hsfpy.preprocess import Source
from hsfpy.rawtokens import Raw, raw_tokens
from hsfpy.tokens import (
    Call,
    Frame,
    Header,
    InlineDef,
    Names,
    Token,
    count_of,
    first_misfit,
    is_mtype_head,
    text_tokens,
)
from hsfpy.words import EXTRA_LTL_WORDS, KEYWORDS, LTL_OPERATORS, LTL_WORDS, OPERATORS, SEPARABLE

MAX_INLINE_DEPTH = 16


class TokenStream:
    """Iterates over the grammar's tokens; `line` and `file` say how far it has read."""

    def __init__(
        self,
        source: Source,
        names: Names,
        report: Report,
        *,
        implied_semis: bool = True,
        context: str | None = None,
    ) -> None:
        self.names = names
        self.report = report
        self.implied_semis = implied_semis
        self.file = source.file
        self.line = 1
        self.last_text = ""  # text of the raw token read last: SPIN's `near '...'`
        self.current: Token | None = None  # token handed out last
        self.previous: Token | None = None  # the one before
        self._frames: list[Frame] = [Frame(raw_tokens(source))]
        self._deferred: list[Raw] = []
        self._newline_done = False
        self._last = ""  # type of the last token, for implied separators
        self._prev: Token | None = None
        self._context = context
        self._level = 0
        self._scope = "_"
        self._parens = 0
        self._unit = ""  # keyword of the unit whose body is still to come
        self._unit_name = ""
        self._in_seq = False
        self._for_parens = -1
        self._ltl_mode = False
        self._ltl_text = False
        self._mtype: list[Token] = []
        self._call: Call | None = None
        self._header: Header | None = None

    # ---------------------------------------------------------------- separators (SPIN's yylex)

    def __iter__(self) -> Iterator[Token]:
        last = ""
        held: Token | None = None
        while True:
            if held is not None:
                token, held = held, None
                self._last = token.type
            else:
                token = self._lex()
                if self._separator_missing(last, token.type):
                    held = token
                    token = self._make("SEMI", ";")
                    self._last = "SEMI"
                    last = ""
                    yield self._hand_out(token)
                    continue
                if token.type in ("SEMI", "ARROW"):
                    held = self._lex()
                    if held.type in ("RBRACE", "ARROW", "SEMI"):
                        token, held = held, None
            last = token.type
            self._hand_out(token)
            if token.type == "$END":
                return
            yield token

    def _hand_out(self, token: Token) -> Token:
        token.before = self.current.line if self.current else token.line
        self.previous, self.current = self.current, token
        return token

    @staticmethod
    def _separator_missing(last: str, now: str) -> bool:
        """SPIN supplies a separator after `else` and after `}` where one was forgotten."""
        if last == "ELSE":
            return now not in ("SEMI", "ARROW", "FI")
        return last == "RBRACE" and now not in (
            "PROCTYPE", "INIT", "CLAIM", "SEP", "FI", "OD", "RBRACE", "UNLESS", "SEMI", "ARROW", "$END",
        )  # fmt: skip

    # ---------------------------------------------------------------- one token (SPIN's lex)

    def _lex(self) -> Token:
        while True:
            raw = self._peek()
            if raw.newline and not self._newline_done:
                self._newline_done = True
                if self._newline_separates(raw):
                    token = self._make("SEMI", ";")
                    self._last = "SEMI"
                    return token
            frame = self._frames[-1]
            frame.at += 1
            self._newline_done = False
            self._move_to(raw, frame)
            made = self._token(raw, frame)
            if made is not None:
                self._last = made.type
                self._note(made)
                self._prev = made
                return made

    def _peek(self) -> Raw:
        """The next raw token; leaves finished inlines and arguments."""
        while True:
            frame = self._frames[-1]
            if frame.at < len(frame.tokens):
                raw = frame.tokens[frame.at]
                if raw.kind != rawtokens.END or len(self._frames) == 1:
                    return raw
            if len(self._frames) == 1:
                return frame.tokens[-1]
            self._frames.pop()
            if frame.definition:
                self.file, self.line = frame.call

    def _newline_separates(self, raw: Raw) -> bool:
        if not (self.implied_semis and self._in_seq and self._parens == 0 and self._last in SEPARABLE):
            return False
        return not (self._last == "RBRACE" and raw.text.startswith("u"))  # `unless` may follow

    def _move_to(self, raw: Raw, frame: Frame) -> None:
        if raw.kind != rawtokens.OPERATOR:
            self.last_text = raw.text
        else:  # SPIN keeps the first character only, and forgets that it made up this parenthesis
            self.last_text = "timeout" if raw.written == "timeout" and raw.text == "(" else raw.text[:1]
        if frame.fixed:
            self.file, self.line = frame.fixed
        elif frame.definition:
            opening = frame.tokens[0]
            self.file = opening.file
            self.line = opening.line + raw.count - opening.count
        else:
            self.file, self.line = raw.file, raw.line

    def _make(self, type_: str, text: str, value: int = 0, raw: Raw | None = None) -> Token:
        token = Token(type_, text, value, self.file, self.line)
        frame = self._frames[-1]
        if raw is not None:
            token.raw = raw
            token.column = raw.column
            token.real = raw.real
            token.chain = frame.chain + raw.included if raw.included else frame.chain
        token.scope = self._scope
        token.context = self._context
        if len(self._frames) > 1:
            token.frame = self._inline_frame()
            token.inline_id = token.frame.definition.number if token.frame and token.frame.definition else 0
        return token

    def _inline_frame(self) -> Frame | None:
        for frame in reversed(self._frames):
            if frame.definition:
                return frame
        return None

    def _token(self, raw: Raw, frame: Frame) -> Token | None:
        """The token for a raw one; None when it was replaced by other text."""
        kind = raw.kind
        if kind == rawtokens.WORD:
            return self._word(raw, frame)
        if kind == rawtokens.OPERATOR:
            table = LTL_OPERATORS if self._ltl_mode else OPERATORS
            return self._make(table.get(raw.text) or OPERATORS.get(raw.text, "BADCHAR"), raw.text, 0, raw)
        if kind == rawtokens.NUMBER:
            return self._make("CONST", raw.text, self._number(raw), raw)
        if kind == rawtokens.STRING:
            return self._make("STRING", '"' + raw.text[1:-1] + '"', 0, raw)
        if kind == rawtokens.CHAR:
            return self._make("CONST", raw.text, raw.value, raw)
        if kind == rawtokens.CODE:
            return self._code(raw)
        if kind == rawtokens.LTL_BLOCK:
            self._deferred.append(raw)
            return None
        if self._deferred:
            self._read_deferred()
            return None
        return self._make("$END", "", 0, raw)

    def _number(self, raw: Raw) -> int:
        value = int(raw.text) if len(raw.text) < 40 else 1 << 63
        if value >= 1 << 63:
            value = (1 << 63) - 1
        wrapped = (value + (1 << 31)) % (1 << 32) - (1 << 31)
        if value == (1 << 63) - 1:
            self.report.warn(f"spin: value out of range: '{raw.text}' read as '{wrapped}'", to_stderr=True)
        return wrapped

    def _code(self, raw: Raw) -> Token:
        names = self.names
        names.code_count += 1
        names.inline_count += 1
        return self._make(KEYWORDS[raw.text][0], raw.text, names.code_count, raw)

    def _read_deferred(self) -> None:
        """Appends the `ltl` blocks, which SPIN reads after everything else."""
        base = self._frames[0]
        blocks, self._deferred = self._deferred, []
        end = base.tokens[-1]
        tokens: list[Raw] = []
        for block in blocks:
            keyword = Raw(
                rawtokens.WORD,
                "ltl",
                block.file,
                block.line,
                block.column,
                block.real,
                0,
                False,
                block.included,
            )
            tokens += [keyword, *(part for part in block.block if part.kind != rawtokens.END)]
        self._ltl_text = True
        self._frames[0] = Frame([*tokens, end])

    # ---------------------------------------------------------------- words

    def _word(self, raw: Raw, frame: Frame) -> Token | None:
        text = raw.text
        if self._ltl_mode and (operator := self._ltl_word(text)):
            return self._make(operator, text, 0, raw)
        keyword = KEYWORDS.get(text)
        if keyword and not (text == "in" and self._for_parens < 0):
            return self._keyword(raw, *keyword)
        if text in self.names.mtype_values:
            return self._make("CONST", text, self.names.mtype_values[text][0], raw)
        if frame.definition and text in frame.actuals and frame.actuals[text] != text:
            self._substitute(frame, text, raw)
            return None
        return self._make(self._name_type(text), text, 0, raw)

    def _ltl_word(self, text: str) -> str | None:
        if self._prev is not None and self._prev.type == "DOT":
            return None  # the name of a field
        if text in LTL_WORDS:
            return LTL_WORDS[text]
        names = self.names
        if text in EXTRA_LTL_WORDS and not (
            text in names.variables or text in names.mtype_values or self._name_type(text) != "NAME"
        ):
            return EXTRA_LTL_WORDS[text]
        return None

    def _name_type(self, text: str) -> str:
        names = self.names
        if text in names.typedefs:
            return "UNAME"
        if text in names.proctypes:
            return "PNAME"
        return "INAME" if text in names.inlines else "NAME"

    def _keyword(self, raw: Raw, type_: str, value: int) -> Token | None:
        in_inline = len(self._frames) > 1 and self._inline_frame() is not None
        if type_ == "TIMEOUT" and not in_inline and self._last != "LPAR":
            # SPIN reads `timeout` as `(timeout)`, so that a line end after it separates
            self._push_text("( timeout )", raw)
            return None
        if type_ == "SELECT" and not in_inline and self._expand_select(raw):
            return None
        return self._make(type_, raw.text, value, raw)

    def _push_text(self, text: str, raw: Raw) -> None:
        frame = self._frames[-1]
        tokens = text_tokens(text, raw)
        self._frames.append(Frame(tokens, fixed=(self.file, self.line), chain=frame.chain))

    def _expand_select(self, raw: Raw) -> bool:
        """Rewrites `select (x : 1 .. 4)` for constant bounds; anything else is left to the parser."""
        frame = self._frames[-1]
        ahead = frame.tokens[frame.at : frame.at + 7]
        misfit = first_misfit(ahead)
        if misfit is not None:
            # SPIN reads this far and then again, counting line ends twice
            self._count_again(raw, ahead[0].count - raw.count + misfit.newline)
            return False
        name, low, high = ahead[1], ahead[3], ahead[5]
        frame.at += 7
        self._move_to(ahead[6], frame)
        first, last = int(low.text), int(high.text)
        if first > last:
            self.report.error(
                "bad range in select statement",
                raw.loc,
                f"the first value, {first}, must not be greater than the last, {last}",
                word="select",
            )
            last = first
        if last - first <= 32:
            options = " ".join(f":: {name.text} = {value}" for value in range(first, last + 1))
            self._push_text(f"if {options} fi", raw)
        else:
            self._push_text(f"{name.text} = {first}; do :: ({name.text} < {last}) -> {name.text}++ :: break od;", raw)
        return True

    def _count_again(self, raw: Raw, lines: int) -> None:
        frame = self._frames[-1]
        if lines and not frame.fixed:
            for later in frame.tokens[frame.at :]:
                if later.mark == raw.mark:
                    later.line += lines

    # ---------------------------------------------------------------- inlines

    def _substitute(self, frame: Frame, formal: str, raw: Raw) -> None:
        actual = frame.actuals[formal]
        definition = frame.definition
        assert definition is not None
        if actual in definition.params:
            raise PromelaError(
                f"formal par of {definition.name} contains replacement value",
                self._chained(raw, frame),
                f"argument '{actual}' is also the name of a parameter of '{definition.name}'; rename one",
                word=formal,
            )
        if re.search(rf"\. {formal}\b|\b{formal} \.", actual):
            raise PromelaError(
                f"formal par of {definition.name} used in structure name",
                self._chained(raw, frame),
                f"parameter '{formal}' also is the name of a structure or field in the argument '{actual}'",
                word=formal,
            )
        self._frames.append(Frame(text_tokens(actual, raw), fixed=(self.file, self.line), chain=frame.chain))

    def _chained(self, raw: Raw, frame: Frame) -> Loc:
        return Loc(self.file, self.line, raw.column, frame.chain + raw.included)

    def call_result(self, target: object) -> None:
        """Tells the call being read what its `return` statements assign to."""
        if self._call is not None:
            self._call.result = target

    def _expand_call(self, call: Call) -> None:
        definition = call.definition
        actuals = call.texts if call.any or len(call.texts) > 1 else []
        if len(actuals) != len(definition.params):
            raise PromelaError(
                f"wrong nr of params on call of '{definition.name}'",
                call.name.loc,
                f"{definition.name} has {count_of(len(definition.params), 'parameter')}"
                f"{' (' + ', '.join(definition.params) + ')' if definition.params else ''}, "
                f"but {count_of(len(actuals), 'argument')} {'is' if len(actuals) == 1 else 'are'} given",
                word=call.name.text,
            )
        active = [frame.definition for frame in self._frames if frame.definition]
        if len(active) + 1 >= MAX_INLINE_DEPTH and definition not in active:
            raise PromelaError("inlines nested too deeply", call.name.loc, word=call.name.text)
        if definition in active:
            raise PromelaError(
                f"cyclic inline attempt on: {definition.name}",
                call.name.loc,
                "an inline is expanded in place, so it cannot call itself; use a proctype or a loop",
                word=call.name.text,
            )
        point = Loc(call.name.file, call.name.line, call.name.column, (), definition.name, INLINE, call.name.real)
        outer = self._inline_frame()
        chain = (point, *(outer.chain if outer else call.name.chain))
        self._frames.append(
            Frame(
                definition.body,
                definition=definition,
                actuals=dict(zip(definition.params, actuals, strict=True)),
                chain=chain,
                call=(self.file, self.line),
                result=call.result,
            )
        )
        self._last = "SEMI"

    def _collect_argument(self, call: Call, token: Token) -> None:
        """Adds a token to the text of the argument it belongs to; SPIN passes constants by value."""
        if not call.opened:
            call.opened = token.type == "LPAR"
            return
        if token.type == "COMMA" and self._parens == call.depth + 1:
            call.texts.append("")
            return
        call.any = True
        if token.type == "CONST" and not token.text.startswith("'"):
            text = str(token.value)
        else:
            text = token.text
        call.texts[-1] = f"{call.texts[-1]} {text}".lstrip()

    def _define_inline(self, header: Header, closing: Token) -> None:
        """Takes the body of an inline, which follows its closing parenthesis, as raw tokens."""
        frame = self._frames[-1]
        opening = self._peek()
        if opening.text != "{":
            raise PromelaError(
                f"bad inline: {header.name}",
                opening.loc,
                f"the body of inline '{header.name}' must follow in braces",
                word=opening.text,
            )
        start, depth = frame.at, 0
        for position in range(start, len(frame.tokens)):
            raw = frame.tokens[position]
            if raw.kind == rawtokens.OPERATOR:
                depth += (raw.text == "{") - (raw.text == "}")
            if depth == 0:
                break
        else:
            raise PromelaError(f"bad inline: {header.name}", opening.loc, "this brace is never closed", word="{")
        frame.at = position + 1
        self._newline_done = False
        self._move_to(frame.tokens[position], frame)
        self._declare_inline(header, frame.tokens[start : position + 1])

    def _declare_inline(self, header: Header, body: list[Raw]) -> None:
        names = self.names
        if header.name in names.inlines:
            self.report.error(
                f"procedure name {header.name} redefined",
                header.keyword.loc,
                "give the two inlines different names",
            )
            number = names.inlines[header.name].number
        else:
            names.inline_count += 1
            number = names.inline_count
        params = [token.text for token in header.params]
        names.inlines[header.name] = InlineDef(header.name, number, params, body)
        if len(body) == 2:
            opening = body[0]
            self.report.warn(
                f"{opening.line:3d}: {opening.file}, warning: empty inline definition ({header.name})",
                opening.loc,
            )

    # ---------------------------------------------------------------- what tokens declare

    def _note(self, token: Token) -> None:
        """Follows declarations, braces and parentheses: the lexer's view of where it is."""
        type_ = token.type
        previous = self._prev.type if self._prev else ""
        if type_ == "LPAR":
            self._parens += 1
            if previous == "FOR":
                self._for_parens = self._parens
        elif type_ == "RPAR":
            self._close_paren()
        elif type_ == "LBRACE":
            self._open_brace(token, previous)
        elif type_ == "RBRACE":
            self._close_brace()
        elif type_ in ("NAME", "INAME", "PNAME", "UNAME"):
            self._note_name(token, previous)
        elif self._level == 0 and type_ in (
            "PROCTYPE",
            "D_PROCTYPE",
            "INIT",
            "CLAIM",
            "TRACE",
            "TYPEDEF",
            "LTL",
        ):
            self._unit = type_
            if type_ in ("INIT", "TRACE"):
                self._context = f":{token.text}:"
        elif type_ == "INLINE":
            self._header = Header(token, self._parens)
        self._note_mtype(token)
        if self._call is not None:
            self._note_call(token)
        if self._header is not None:
            self._note_header(token)

    def _note_name(self, token: Token, previous: str) -> None:
        if previous in ("PROCTYPE", "D_PROCTYPE") and token.type == "NAME":
            if token.text not in self.names.variables:  # if it is one, the declaration is wrong, not what follows
                self.names.proctypes.add(token.text)
            self._context = token.text
        elif previous in ("CLAIM", "TYPEDEF", "LTL"):
            self._unit_name = token.text
            if previous == "CLAIM":
                self._context = token.text
        elif token.type == "INAME" and previous != "INLINE" and self._call is None:
            self._call = Call(self.names.inlines[token.text], token, self._parens)
        elif self._context is None and not self._ltl_text and self._unit != "TYPEDEF":
            self.names.variables.add(token.text)

    def _close_paren(self) -> None:
        if self._parens == self._for_parens:
            self._for_parens = -1
        self._parens -= 1

    def _open_brace(self, token: Token, previous: str) -> None:
        names = self.names
        if self._level < len(names.scope_seq):
            names.scope_seq[self._level] += 1
        self._level += 1
        self._set_scope()
        if self._level == 1 and self._parens == 0 and self._unit:
            if self._unit == "CLAIM" and previous == "CLAIM":
                # without a name SPIN enters the claim only after reading the brace: its scope stays global
                self._context = f"never_{names.claim_count}"
            names.claim_count += self._unit == "CLAIM"
            self._in_seq = self._unit != "LTL"
            self._ltl_mode = self._unit == "LTL"
        token.scope = self._scope

    def _close_brace(self) -> None:
        self._level = max(0, self._level - 1)
        self._set_scope()
        if self._level == 0 and self._unit:
            if self._unit == "TYPEDEF":
                self.names.typedefs.add(self._unit_name)
            self._unit = ""
            self._in_seq = self._ltl_mode = False
            self._context = None
            self._scope = "_"

    def _set_scope(self) -> None:
        counts = self.names.scope_seq[: self._level] if self._context is not None else []
        self._scope = "_" + "".join(f"{count}_" for count in counts)

    def _note_mtype(self, token: Token) -> None:
        """Recognises `mtype [:sub] [=] { names }`, after which the names are constants."""
        head = self._mtype
        if token.type == "TYPE" and token.text == "mtype":
            self._mtype = [token]
        elif not head:
            return
        elif token.type == "RBRACE":
            brace = next((at for at, part in enumerate(head) if part.type == "LBRACE"), len(head))
            subtype = next((part.text for part in head[:brace] if part.type == "NAME"), "")
            names = [part.text for part in head[brace:] if part.type == "NAME"]
            self._mtype = []
            if brace < len(head):
                self._check_mtypes(head[brace:])
                self.names.declare_mtypes(subtype, names)
        elif token.type in ("COLON", "NAME", "ASGN", "LBRACE", "COMMA"):
            head.append(token)
            if not is_mtype_head(head):
                self._mtype = []
        else:
            self._mtype = []

    def _check_mtypes(self, tokens: list[Token]) -> None:
        seen: set[str] = set()
        for token in tokens:
            if token.type == "NAME" and token.text in seen:
                self.report.error(
                    f"name {token.text} appears twice in mtype declaration",
                    token.loc,
                    "remove one of the two",
                    word=token.text,
                )
            seen.add(token.text)

    def _note_call(self, token: Token) -> None:
        call = self._call
        assert call is not None
        if token is call.name:
            return
        if not call.opened and token.type != "LPAR":
            self._call = None  # not a call after all; the grammar will say so
        elif token.type == "RPAR" and self._parens == call.depth:
            self._call = None
            self._expand_call(call)
        else:
            self._collect_argument(call, token)

    def _note_header(self, token: Token) -> None:
        header = self._header
        assert header is not None
        if token.type == "RPAR" and self._parens == header.depth:
            self._header = None
            self._define_inline(header, token)
        elif not header.name and token.type in ("NAME", "INAME"):
            header.name = token.text
        elif header.name and token.type == "NAME":
            header.params.append(token)
        elif header.name and token.type not in ("LPAR", "COMMA"):
            raise PromelaError(
                f"bad param to inline {header.name}",
                token.loc,
                "the parameters of an inline are plain names that are not used for anything else",
                word=token.text,
            )
