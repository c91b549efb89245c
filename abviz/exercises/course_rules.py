"""The searches to write under the rules of a course: their references and known mistakes there."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from abviz.exercises.exercise import Mistake, changes_under, texts
from abviz.exercises.judgement import Faults, mistake
from abviz.tracing.algorithms import Rules

# How an edit that makes a mistake is written in a course with this rule
WRITTEN_UNDER = {
    "strict": {" >= ": " > ", " <= ": " < "},
    "right_to_left": {"node.children": "node.children[::-1]"},
}
BARE_IS_MAX = re.compile(r"(?<!\.)\bis_max\b")


@cache
def edits_by_rule(source: str) -> Mapping[str, Faults]:
    """Return the edits of a reference under each rule that makes it another search."""
    row = texts()[source]
    edited = row.get("edited", {})

    by_rule: dict[str, Faults] = {}
    for rule, changes in texts()["under"].items():
        edits = changes.get("edits", {}).items()
        made = {part: new for part, new in edits if part in row["reference"] and part not in edited}
        if made:
            by_rule[rule] = made

    if "strict" not in by_rule:  # it has no bounds
        by_rule.pop("fail_hard", None)
    return by_rule


def edits_under(source: str, rules: Rules) -> Faults:
    """Return the edits of a reference under these rules."""
    edits: Faults = {}
    for rule, made in edits_by_rule(source).items():
        if getattr(rules, rule):
            edits |= made
    return edits


def concerns(source: str, rule: str) -> bool:
    """Return whether a search is another one under the rule, or holds other bounds for a moment."""
    by_rule = edits_by_rule(source)
    return rule in by_rule or (rule == "test_first" and "strict" in by_rule)


def mistakes_under(mistakes: Sequence[Mistake], source: str, rules: Rules) -> tuple[Mistake, ...]:
    """Return the known mistakes under these rules.

    What the course asks for is no mistake, and the usual rule may be one.
    """
    reference: str = texts()[source]["reference"]
    by_rule = edits_by_rule(source)
    known = list(mistakes)

    for rule, changes in changes_under(rules).items():
        if rule not in by_rule:
            continue
        known = [each for each in known if each.name not in changes.get("right", ())]
        known = [replace(each, forms=(*_forms(each.forms, rule, by_rule[rule]),)) for each in known]

        names = {each.name for each in known}
        new = [mistake(name) for name in changes.get("wrong", ()) if name not in names]
        for each in reversed(new):
            forms = tuple(form for form in each.forms if _fits(form, reference))
            if forms:
                known.insert(0, replace(each, forms=forms))
    return tuple(known)


def _forms(forms: Sequence[Faults], rule: str, edits: Faults) -> Iterator[Faults]:
    """Yield the ways to make a mistake, and after each one how it is written under the rule."""
    for form in forms:
        yield form

        written = dict(form)
        for part, fault in form.items():
            if part in edits or "if alpha >= beta" in fault:
                for usual, new in WRITTEN_UNDER.get(rule, {}).items():
                    fault = fault.replace(usual, new)
                written[part] = fault
        if written != form:
            yield written


def _fits(form: Faults, reference: str) -> bool:
    """Return whether the edits can be made in the reference."""
    has_is_max = "is_max = " in reference
    needs_is_max = any(BARE_IS_MAX.search(fault) for fault in form.values())
    return all(part in reference for part in form) and (has_is_max or not needs_is_max)
