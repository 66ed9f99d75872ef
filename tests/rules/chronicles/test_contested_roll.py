"""Two pools against each other: more successes win, ties are the table's, exceptional is the winner's own."""

import pytest

from tests.rules.chronicles.asking import Answer, ask, odds_of


def contest(actor: int, opponent: int, tie: str = "roll_again", of: int = 6) -> Answer:
    """Both sides roll `of` dice and have so many successes."""
    faces = [8] * actor + [2] * (of - actor) + [8] * opponent + [2] * (of - opponent)
    return ask("contested-roll", faces, actor={"total": of}, opponent={"total": of}, options={"contested_tie": tie})


@pytest.mark.parametrize("tie", ["roll_again", "opponent_wins", "actor_wins"])
@pytest.mark.parametrize(
    ("actor", "opponent", "result", "margin"),
    [(3, 1, "actor_wins", 2), (0, 1, "opponent_wins", 1), (1, 0, "actor_wins", 1), (2, 6, "opponent_wins", 4)],
)
def test_more_successes_win_whatever_ties_are(actor: int, opponent: int, result: str, margin: int, tie: str) -> None:
    answer = contest(actor, opponent, tie)
    assert (answer.outcome["result"], answer.outcome["margin"]) == (result, margin)
    assert "contest.tie" not in answer.rules
    assert answer.step("contest.result")["value"] == margin


@pytest.mark.parametrize("successes", [0, 2, 5])
@pytest.mark.parametrize(
    ("tie", "result"), [("roll_again", "tie"), ("opponent_wins", "opponent_wins"), ("actor_wins", "actor_wins")]
)
def test_equal_successes_are_nobodys_or_the_tables(tie: str, result: str, successes: int) -> None:
    answer = contest(successes, successes, tie)
    assert (answer.outcome["result"], answer.outcome["margin"]) == (result, 0)
    assert answer.rules[-2:] == ["contest.tie", "contest.result"]
    assert answer.outcome["exceptional"] is (result != "tie" and successes >= 5)


@pytest.mark.parametrize(
    ("actor", "opponent", "exceptional"), [(5, 4, True), (4, 0, False), (4, 5, True), (0, 5, True), (3, 4, False)]
)
def test_the_winner_is_exceptional_by_their_own_successes(actor: int, opponent: int, *, exceptional: bool) -> None:
    assert contest(actor, opponent).outcome["exceptional"] is exceptional


def test_all_dice_of_the_actor_come_first() -> None:
    answer = ask(
        "contested-roll",
        [10, 2, 10, 3, 1, 9, 4],
        actor={"total": 2, "rote": True},
        opponent={"attribute": 0, "skill": 1, "rote": True, "again": "nine_again"},
    )
    assert answer.outcome["actor"]["faces"] == [10, 2, 10, 3, 1]
    assert answer.outcome["opponent"]["faces"] == [9, 4]
    assert answer.rules == [
        "contest.actor_pool",
        "roll.pool",
        "roll.rote",
        "roll.again",
        "roll.result",
        "contest.opponent_pool",
        "roll.pool",
        "roll.again",
        "roll.result",
        "contest.result",
    ]


def test_both_sides_have_a_pool_of_their_own_with_everything() -> None:
    answer = ask(
        "contested-roll",
        [10, 1],
        actor={"total": 1, "wound_penalty": -1},
        opponent={"total": 1, "willpower": True, "modifiers": [{"value": -4}]},
    )
    actor, opponent = answer.outcome["actor"], answer.outcome["opponent"]
    assert (actor["pool"], actor["chance_die"], actor["successes"]) == (0, True, 1)
    assert (opponent["pool"], opponent["result"], opponent["willpower_spent"]) == (0, "dramatic_failure", True)
    assert answer.outcome["result"] == "actor_wins"


def test_odds_are_over_result_and_margin() -> None:
    """Two chance dice: one of the two shows a 10 alone in 9 of 100, both or neither in 82."""
    odds = odds_of("contested-roll", actor={"total": 0}, opponent={"total": 0})
    assert (odds.fields, odds.denominator) == (("result", "margin"), 100)
    assert {(*row.values, row.numerator) for row in odds.rows} == {
        ("tie", 0, 82),
        ("actor_wins", 1, 9),
        ("opponent_wins", 1, 9),
    }
