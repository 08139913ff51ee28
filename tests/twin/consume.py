"""Consumption: powers are used as far as possible; the player says which good feeds which power (001, P)."""

from dataclasses import dataclass

from twin.position import Board, Play, Words
from twin.seat import Colony, Seat
from twin.settle import words
from twin.tiles import Power, Tile


@dataclass
class Feeder:
    """A consume power in this action."""

    tile: Tile
    power: Power
    left: int  # uses

    def option(self, colony: Colony) -> Words:
        return ("feed", self.tile.name, words(self.power), colony.tile.name)


class Consumption(Board):
    """The second half of Trade/Consume."""

    def consume(self, seat: Seat) -> Play:
        seat.credits += seat.total("consume.credits")
        chips = seat.total("consume.chips")
        self.gain_chips(seat, chips)
        effects = ("consume.goods", "consume.different", "consume.kinds")
        feeders = [Feeder(tile, power, power.times) for tile, power in seat.powers(*effects)]
        while True:  # mandatory: until no power can be used any more
            options = {
                feeder.option(colony): (feeder, colony)
                for feeder in feeders
                if feeder.left and self.usable(seat, feeder.power)
                for colony in seat.goods(feeder.power.filter)
            }
            if not options:
                break
            choice = yield from self.ask(seat.number, "consume", list(options))
            feeder, colony = options[choice]
            chips += yield from self.use(seat, feeder, colony)
        # 000 p. 4: some or all VP chips gained from Consume powers
        seat.chips -= yield from self.stockpile(seat, "chips", chips)

    def usable(self, seat: Seat, power: Power) -> bool:
        """Enough goods for one whole use?"""
        goods = seat.goods(power.filter)
        if power.effect == "consume.goods":
            return len(goods) >= power.amount
        kinds = {colony.tile.good for colony in goods}
        return len(kinds) >= (power.amount if power.effect == "consume.different" else 1)

    def use(self, seat: Seat, feeder: Feeder, colony: Colony) -> Play:
        """One use: the first good is chosen already. Returns the VP chips gained."""
        power, taken = feeder.power, {colony.tile.good}
        feeder.left -= 1
        colony.good = False
        goods = 1
        while goods < power.amount:
            # `different` and `kinds` take no kind twice; the good of any kind counts as a kind not taken yet
            options = {
                feeder.option(other): other
                for other in seat.goods(power.filter)
                if power.effect == "consume.goods" or other.tile.good not in taken
            }
            if not options:
                break  # consume.kinds: no further kind
            other = options[(yield from self.ask(seat.number, "consume_more", list(options)))]
            other.good = False
            taken.add(other.tile.good)
            goods += 1
        each = goods if power.effect == "consume.kinds" else 1
        seat.credits += power.credits * each
        self.gain_chips(seat, power.vp * each)
        self.gain_colonists(seat, power.colonists * each)
        return power.vp * each
