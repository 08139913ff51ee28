"""Consumption: powers are used as far as possible; the player says which good feeds which power (001, P)."""

from dataclasses import dataclass, field

from twin.position import Board, Play, Words
from twin.seat import Colony, Seat
from twin.settle import words
from twin.tiles import Power, Tile


@dataclass
class Feeder:
    """A consume power in this action."""

    tile: Tile
    power: Power
    left: int  # uses; of `consume.kinds`: goods, taken one by one
    kinds: set[str] = field(default_factory=set)  # `consume.kinds`: kinds taken so far

    def goods(self, seat: Seat) -> list[Colony]:
        """Colonies whose good may be the next (or first) one of a use; none: it cannot be used."""
        goods = seat.goods(self.power.filter)
        if self.power.effect == "consume.kinds":
            return [colony for colony in goods if colony.tile.good not in self.kinds]
        if self.power.effect == "consume.different":
            different = len({colony.tile.good for colony in goods})
            return goods if different >= self.power.amount else []
        return goods if len(goods) >= self.power.amount else []

    def option(self, colony: Colony) -> Words:
        return ("feed", self.tile.name, words(self.power), colony.tile.name)


class Consumption(Board):
    """The second half of Trade/Consume."""

    def consume(self, seat: Seat) -> Play:
        seat.credits += seat.total("consume.credits")
        chips = seat.total("consume.chips")
        self.gain_chips(seat, chips)
        effects = ("consume.goods", "consume.different", "consume.kinds")
        feeders = [
            Feeder(tile, power, power.amount if power.effect == "consume.kinds" else power.times)
            for tile, power in seat.powers(*effects)
        ]
        while True:  # mandatory: until no power can be used any more
            options = {
                feeder.option(colony): (feeder, colony)
                for feeder in feeders
                if feeder.left
                for colony in feeder.goods(seat)
            }
            if not options:
                break
            choice = yield from self.ask(seat.number, "consume", list(options))
            feeder, colony = options[choice]
            chips += yield from self.use(seat, feeder, colony)
        # 000 p. 4: some or all VP chips gained from Consume powers
        seat.chips -= yield from self.stockpile(seat, "chips", chips)

    def use(self, seat: Seat, feeder: Feeder, colony: Colony) -> Play:
        """One use, its first good chosen already; returns the VP chips gained when it is complete."""
        power, taken = feeder.power, {colony.tile.good}
        feeder.left -= 1
        feeder.kinds.add(colony.tile.good)
        colony.good = False
        for _ in range(1 if power.effect == "consume.kinds" else power.amount, 1, -1):
            # no kind twice for `different`; the good of any kind counts as a kind not taken yet
            options = {
                feeder.option(other): other
                for other in seat.goods(power.filter)
                if power.effect == "consume.goods" or other.tile.good not in taken
            }
            other = options[(yield from self.ask(seat.number, "consume_more", list(options)))]
            other.good = False
            taken.add(other.tile.good)
        seat.credits += power.credits
        self.gain_chips(seat, power.vp)
        self.gain_colonists(seat, power.colonists)
        return power.vp
