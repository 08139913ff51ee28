"""The text of powers, scoring lines, steps and requirements: back and forth, and what it refuses."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nfsim.games.new_frontiers.codes import Class, Effect, Measure, RequirementKind
from nfsim.games.new_frontiers.tiles import grammar
from nfsim.games.new_frontiers.tiles.grammar import GrammarError, Power, Requirement, Scoring, Step

POWERS = {
    "settle.military(rebel) 2": Power(Effect.SETTLE_MILITARY, Class.REBEL, 2),
    "explore.draw 1": Power(Effect.EXPLORE_DRAW),
    "develop.discount(nine_cost) 1": Power(Effect.DEVELOP_DISCOUNT, Class.NINE_COST),
    "settle.temp_military(rare) 3": Power(Effect.SETTLE_TEMP_MILITARY, Class.RARE, 3),
    "settle.temp_military 2 credits=2": Power(Effect.SETTLE_TEMP_MILITARY, amount=2, credits=2),
    "settle.pay_military(uplift) 0": Power(Effect.SETTLE_PAY_MILITARY, Class.UPLIFT, 0),
    "settle.place_good": Power(Effect.SETTLE_PLACE_GOOD),
    "trade.no_sale": Power(Effect.TRADE_NO_SALE),
    "consume.goods(novelty) 1 vp=1 credits=1 times=2": Power(
        Effect.CONSUME_GOODS, Class.NOVELTY, 1, vp=1, credits=1, times=2
    ),
    "consume.different 3 vp=3": Power(Effect.CONSUME_DIFFERENT, amount=3, vp=3),
    "consume.kinds 4 vp=1": Power(Effect.CONSUME_KINDS, amount=4, vp=1),
    "produce.credits_per(rebel_military) 1": Power(Effect.PRODUCE_CREDITS_PER, Class.REBEL_MILITARY),
}


@pytest.mark.parametrize("text", POWERS)
def test_a_power_reads_as_its_effect_filter_and_amounts(text: str) -> None:
    assert grammar.parse_power(text) == POWERS[text]


@pytest.mark.parametrize("text", POWERS)
def test_a_power_prints_as_the_text_it_was_read_from(text: str) -> None:
    assert str(grammar.parse_power(text)) == text


def test_a_power_without_an_amount_has_amount_1() -> None:
    assert grammar.parse_power("explore.draw").amount == 1


@pytest.mark.parametrize("effect", Effect)
def test_every_effect_can_be_written(effect: Effect) -> None:
    text = grammar.effect_name(effect)
    text += "(rebel)" if effect in grammar.NEEDS_FILTER else ""
    text += " 2 vp=1" if effect in grammar.CONSUMERS else ""
    power = grammar.parse_power(text)
    assert (power.effect, grammar.parse_power(str(power))) == (effect, power)


@given(
    st.sampled_from([Effect.SETTLE_MILITARY, Effect.SETTLE_DISCOUNT, Effect.TRADE_BONUS, Effect.CONSUME_GOODS]),
    st.sampled_from(list(Class)),
    st.integers(1, 20),
    st.integers(1, 20),
    st.integers(1, 20),
)
def test_any_power_survives_printing_and_reading(
    effect: Effect, chosen: Class, amount: int, vp: int, times: int
) -> None:
    power = Power(effect, chosen, amount)
    if effect == Effect.CONSUME_GOODS:
        power = Power(effect, chosen, amount, vp=vp, times=times)
    assert grammar.parse_power(str(power)) == power


@given(st.text(max_size=40))
def test_no_text_breaks_the_parsers(text: str) -> None:
    for parse in (grammar.parse_power, grammar.parse_scoring, grammar.parse_steps, grammar.parse_requirement):
        with contextlib.suppress(GrammarError):
            parse(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("settle.militry 2", 'unknown phase.effect "settle.militry"; did you mean "settle.military"?'),
        ("settle.military(rebell) 2", 'unknown filter "rebell"; did you mean "rebel"?'),
        ("settle.military 21", "the amount of settle.military must be 1 to 20, not 21"),
        ("explore.draw 4", "the amount of explore.draw must be 1 to 3, not 4"),
        ("settle.military -1", "must be 1 to 20, not -1"),
        ("settle.military nan", 'must be a whole number, not "nan"'),
        ("settle.military 1.5", 'must be a whole number, not "1.5"'),
        ("settle.military ²", "must be a whole number"),
        ("settle.military 1 vp=1", "settle.military takes no vp"),
        ("explore.draw(rebel) 1", "explore.draw takes no filter"),
        ("produce.credits_per 1", "produce.credits_per needs a filter"),
        ("settle.place_good 2", "settle.place_good takes no amount"),
        ("consume.goods 1", "must give vp, credits or colonists"),
        ("consume.goods 1 vp=1 times=0", "times of consume.goods must be 1 to 20, not 0"),
        ("consume.goods 1 vp=1 tims=2", 'unknown key "tims"; did you mean "times"?'),
        ("consume.goods 1 vp=1 vp=2", "vp is given twice"),
        ("consume.different 5 vp=1", "must be 2 to 4, not 5"),
        ("consume.different 1 vp=1", "must be 2 to 4, not 1"),
        ("consume.kinds 5 vp=1", "must be 1 to 4, not 5"),
        ("consume.kinds 4 vp=1 times=2", "takes no times"),
        ("settle.temp_military(rare) 2 credits=1", "spends no good"),
        ("", "is not of the form"),
    ],
)
def test_a_power_that_cannot_be_is_refused_with_the_reason(text: str, words: str) -> None:
    with pytest.raises(GrammarError) as caught:
        grammar.parse_power(text)
    assert words in str(caught.value)


def test_a_scoring_line_reads_classes_and_measures() -> None:
    assert grammar.parse_scoring("2 per rebel_military") == Scoring(2, Class.REBEL_MILITARY)
    assert grammar.parse_scoring("1 per military_strength max 8") == Scoring(1, Measure.MILITARY_STRENGTH, 8)


@pytest.mark.parametrize("text", ["2 per rebel_military", "1 per military_strength max 8"])
def test_a_scoring_line_prints_as_it_was_read(text: str) -> None:
    assert str(grammar.parse_scoring(text)) == text


def test_a_scoring_line_with_an_unknown_measure_suggests_the_nearest() -> None:
    with pytest.raises(GrammarError, match='did you mean "colony"'):
        grammar.parse_scoring("1 per colny")


def test_steps_read_as_numbers_vps_and_the_printed_plus() -> None:
    assert grammar.parse_steps("3:2 6+:8") == (Step(3, 2), Step(6, 8, plus=True))


@pytest.mark.parametrize("text", ["5:2 3:5", "3:5 5:2", "3:2 3:5", "", "3", "3:x", "0:2"])
def test_steps_that_do_not_rise_are_refused(text: str) -> None:
    with pytest.raises(GrammarError):
        grammar.parse_steps(text)


REQUIREMENTS = {
    "7 colony": Requirement(RequirementKind.AT_LEAST, Class.COLONY, 7),
    "2 goals_scored at_least=8": Requirement(RequirementKind.AT_LEAST, Measure.GOALS_SCORED, 2, 8),
    'owns "Contact Specialist"': Requirement(RequirementKind.OWNS, tile="Contact Specialist"),
    "no_military": Requirement(RequirementKind.NO_MILITARY),
}


@pytest.mark.parametrize("text", REQUIREMENTS)
def test_a_requirement_reads_and_prints_back(text: str) -> None:
    assert grammar.parse_requirement(text) == REQUIREMENTS[text]
    assert str(REQUIREMENTS[text]) == text


def test_a_requirement_takes_the_curly_quotation_marks_of_a_spreadsheet() -> None:
    assert grammar.parse_requirement("owns “Contact Specialist”") == REQUIREMENTS['owns "Contact Specialist"']


@pytest.mark.parametrize("text", ["7 colonyy", "0 colony", "7 colony at_least=3", "owns Contact", "7"])
def test_a_requirement_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(GrammarError):
        grammar.parse_requirement(text)
