"""The 55 formulas of the specification-pattern catalogue that SPIN ships, with SPIN's sizes.

They are grouped as SPIN groups them, with every operand in parentheses; in pc10 a `&` was read as
`&&`. The five of a group are: Globally, Before R, After Q, Between Q and R, After Q until R (SCOPES).

A size is the number of states of the never claim of SPIN 6.5.2, `accept_all` included and two
labels on one state counted once: first for the formula, then for its negation. Formulas with `X`
were given to SPIN's translator compiled by itself with NXT, as the installed SPIN refuses them; its
claim for rc1 is wrong on some words. None: no claim within 30 seconds, so nothing to compare.
"""
# ruff: noqa: E501 (one formula, one line)
# fmt: off

from __future__ import annotations

from typing import NamedTuple

GROUPS = (
    "Absence", "Existence", "Bounded existence", "Universality", "Precedence", "Response",
    "Precedence chain, 2 causes", "Precedence chain, 2 effects", "Response chain, 2 stimuli",
    "Response chain, 2 responses", "Constrained chain",
)
SCOPES = ("Globally", "Before", "After", "Between", "Until")


class Pattern(NamedTuple):
    name: str
    spin: int | None
    spin_negated: int | None
    formula: str


PATTERNS = [
    # Absence
    Pattern("a1", 1, 2, "[] (! (P))"),
    Pattern("a2", 4, 3, "(! (<> (R))) || ((! (P)) U (R))"),
    Pattern("a3", 2, 3, "[] ((! (Q)) || ([] (! (P))))"),
    Pattern("a4", 7, 4, "[] ((! (((Q) && (! (R))) && (<> (R)))) || ((! (P)) U (R)))"),
    Pattern("a5", 8, 6, "[] ((! ((Q) && (! (R)))) || (([] (! (P))) || ((! (P)) U (R))))"),
    # Existence
    Pattern("e1", 2, 1, "<> (P)"),
    Pattern("e2", 4, 5, "([] (! (R))) || ((! (R)) U ((P) && (! (R))))"),
    Pattern("e3", 10, 4, "[] ((! (Q)) || (<> ((Q) && (<> (P)))))"),
    Pattern("e4", 8, 6, "[] ((! ((Q) && (! (R)))) || (([] (! (R))) || ((! (R)) U ((P) && (! (R))))))"),
    Pattern("e5", 4, 3, "[] ((! ((Q) && (! (R)))) || ((! (R)) U ((P) && (! (R)))))"),
    # Bounded Existence
    Pattern("be1", 6, None, "([] (! (P))) || ((! (P)) U (([] (P)) || ((P) U (([] (! (P))) || ((! (P)) U (([] (P)) || ((P) U ([] (! (P))))))))))"),
    Pattern("be2", 8, None, "(! (<> (R))) || ((! (P)) && ((! (R)) U ((R) || (((P) && (! (R))) U ((R) || ((! (P)) && ((! (R)) U ((R) || (((P) && (! (R))) U ((R) || ((! (P)) U (R))))))))))))"),
    Pattern("be3", 9, None, "(! (<> (Q))) || ((! (Q)) U ((Q) && (([] (! (P))) || ((! (P)) U (([] (P)) || ((P) U (([] (! (P))) || ((! (P)) U (([] (P)) || ((P) U ([] (! (P)))))))))))))"),
    Pattern("be4", None, None, "[] ((! ((Q) && (<> (R)))) || ((! (P)) && ((! (R)) U ((R) || (((P) && (! (R))) U ((R) || ((! (P)) && ((! (R)) U ((R) || (((P) && (! (R))) U ((R) || ((! (P)) U (R)))))))))))))"),
    Pattern("be5", None, None, "[] ((! (Q)) || ((! (P)) && ((! (R)) U ((R) || (((P) && (! (R))) U ((R) || ((! (P)) && ((! (R)) U ((R) || (((P) && (! (R))) U ((R) || ((([] (! (P))) || ((! (P)) U (R))) || ([] (P))))))))))))))"),
    # Universality
    Pattern("u1", 1, 2, "[] (P)"),
    Pattern("u2", 4, 3, "(! (<> (R))) || ((P) U (R))"),
    Pattern("u3", 2, 3, "[] ((! (Q)) || ([] (P)))"),
    Pattern("u4", 7, 4, "[] ((! (((Q) && (! (R))) && (<> (R)))) || ((P) U (R)))"),
    Pattern("u5", 8, 6, "[] ((! ((Q) && (! (R)))) || (([] (P)) || ((P) U (R))))"),
    # Precedence
    Pattern("p1", 4, 5, "([] (! (P))) || ((! (P)) U (S))"),
    Pattern("p2", 4, 4, "(! (<> (R))) || ((! (P)) U ((S) || (R)))"),
    Pattern("p3", 6, 14, "([] (! (Q))) || (<> ((Q) && (([] (! (P))) || ((! (P)) U (S)))))"),
    Pattern("p4", 8, 5, "[] ((! (((Q) && (! (R))) && (<> (R)))) || ((! (P)) U ((S) || (R))))"),
    Pattern("p5", 8, 6, "[] ((! ((Q) && (! (R)))) || (([] (! (P))) || ((! (P)) U ((S) || (R)))))"),
    # Response
    Pattern("r1", 4, 2, "[] ((! (P)) || (<> (S)))"),
    Pattern("r2", 6, 5, "(! (<> (R))) || (((! (P)) || ((! (R)) U ((S) && (! (R))))) U (R))"),
    Pattern("r3", 6, 3, "[] ((! (Q)) || ([] ((! (P)) || (<> (S)))))"),
    Pattern("r4", 17, 6, "[] ((! (((Q) && (! (R))) && (<> (R)))) || (((! (P)) || ((! (R)) U ((S) && (! (R))))) U (R)))"),
    Pattern("r5", 19, 12, "[] ((! ((Q) && (! (R)))) || (([] ((! (P)) || ((! (R)) U ((S) && (! (R)))))) || (((! (P)) || ((! (R)) U ((S) && (! (R))))) U (R))))"),
    # Precedence Chain
    Pattern("pc1", 6, 10, "(! (<> (P))) || ((! (P)) U (((S) && (! (P))) && (X ((! (P)) U (T)))))"),
    Pattern("pc2", 6, 6, "(! (<> (R))) || ((! (P)) U ((R) || (((S) && (! (P))) && (X ((! (P)) U (T))))))"),
    Pattern("pc3", 8, 50, "([] (! (Q))) || ((! (Q)) U ((! ((Q) && (<> (P)))) || ((! (P)) U (((S) && (! (P))) && (X ((! (P)) U (T)))))))"),
    Pattern("pc4", 20, 7, "[] ((! ((Q) && (<> (R)))) || ((! (P)) U ((R) || (((S) && (! (P))) && (X ((! (P)) U (T)))))))"),
    Pattern("pc5", 20, 11, "[] ((! (Q)) || ((! (<> (P))) || ((! (P)) U ((R) || (((S) && (! (P))) && (X ((! (P)) U (T))))))))"),
    # Precedence Chain
    Pattern("pc6", 6, 8, "(! (<> ((S) && (X (<> (T)))))) || ((! (S)) U (P))"),
    Pattern("pc7", 6, 8, "(! (<> (R))) || ((! ((S) && ((! (R)) && (X ((! (R)) U ((T) && (! (R)))))))) U ((R) || (P)))"),
    Pattern("pc8", 8, 111, "([] (! (Q))) || ((! (Q)) U ((Q) && ((! (<> ((S) && (X (<> (T)))))) || ((! (S)) U (P)))))"),
    Pattern("pc9", 16, 9, "[] ((! ((Q) && (<> (R)))) || ((! (((S) && (! (R))) && (X ((! (R)) U ((T) && (! (R))))))) U ((R) || (P))))"),
    Pattern("pc10", None, 7, "[] ((! (Q)) || (! (((S) && (((! (R)) && (X ((! (R)) U ((T) && (! (R)))))) U ((R) || (P)))) || ([] (! ((S) && (X (<> (T)))))))))"),
    # Response Chain
    Pattern("rc1", 14, 5, "[] ((! ((S) && (X (<> (T))))) || (X (<> ((T) && (<> (P))))))"),
    Pattern("rc2", 17, 17, "(! (<> (R))) || ((S) && ((X ((! ((! (R)) U (T))) || (X ((! (R)) U ((T) && (<> (P))))))) U (R)))"),
    Pattern("rc3", 16, 11, "[] ((! (Q)) || ([] ((! ((S) && (X (<> (T))))) || (X ((! (T)) U ((T) && (<> (P))))))))"),
    Pattern("rc4", None, 17, "[] ((! ((Q) && (<> (R)))) || ((! ((S) && (X ((! (R)) U (T))))) || ((X ((! (R)) U ((T) && (<> (P))))) U (R))))"),
    Pattern("rc5", None, None, "[] ((! (Q)) || ((S) && ((X ((! ((! (R)) U (T))) || (X ((! (R)) U ((T) && (<> (P))))))) U ((R) || ([] ((S) && (X ((! ((! (R)) U (T))) || (X ((! (R)) U ((T) && (<> (P)))))))))))))"),
    # Response Chain
    Pattern("rc6", 10, 4, "[] ((! (P)) || (<> ((S) && (X (<> (T))))))"),
    Pattern("rc7", 10, 12, "(! (<> (R))) || ((! (P)) || (((! (R)) U (((S) && (! (R))) && (X ((! (R)) U (T))))) U (R)))"),
    Pattern("rc8", 6, 4, "[] ((! (Q)) || ([] ((! (P)) || ((S) && (X (<> (T)))))))"),
    Pattern("rc9", None, 12, "[] ((! ((Q) && (<> (R)))) || (((! (P)) || ((! (R)) U (((S) && (! (R))) && (X ((! (R)) U (T)))))) U (R)))"),
    Pattern("rc10", None, 38, "[] ((! (Q)) || ((! (P)) || (((! (R)) U (((S) && (! (R))) && (X ((! (R)) U (T))))) U ((R) || ([] ((! (P)) || ((S) && (X (<> (T))))))))))"),
    # Constrained Chain
    Pattern("cc1", 13, 5, "[] ((! (P)) || (<> (((S) && (! (Z))) && (X ((! (Z)) U (T))))))"),
    Pattern("cc2", 12, 18, "(! (<> (R))) || ((! (P)) || (((! (R)) U ((((S) && (! (R))) && (! (Z))) && (X ((! (R)) && ((! (Z)) U (T)))))) U (R)))"),
    Pattern("cc3", 6, 4, "[] ((! (Q)) || ([] ((! (P)) || (((S) && (! (Z))) && (X ((! (Z)) U (T)))))))"),
    Pattern("cc4", None, 18, "[] ((! ((Q) && (<> (R)))) || ((! (P)) || (((! (R)) U ((((S) && (! (R))) && (! (Z))) && (X ((! (R)) && ((! (Z)) U (T)))))) U (R))))"),
    Pattern("cc5", None, 34, "[] ((! (Q)) || ((! (P)) || (((! (R)) U ((((S) && (! (R))) && (! (Z))) && (X ((! (R)) && ((! (Z)) U (T)))))) U ((R) || ([] ((! (P)) || (((S) && (! (Z))) && (X ((! (Z)) U (T))))))))))"),
]
