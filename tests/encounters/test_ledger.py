"""The form of an event that is hashed."""

from service.encounters.ledger import canonical


def test_a_whole_number_is_written_as_one_however_it_was_sent() -> None:
    assert canonical({"b": [30.0, {"c": 8.4}, (2.0,)], "a": -0.0}) == '{"a":0,"b":[30,{"c":8.4},[2]]}'
