"""Consumption: powers are used as far as possible; the player says which good feeds which power (001, P)."""

from dataclasses import dataclass, field

from twin.position import Board, Play, Words
from twin.seat import Colony, Seat, kinds_in
from twin.settle import words
from twin.tiles import Power, Tile


@dataclass
class Feeder:
    """A consume power in this action."""

    tile: Tile
    power: Power
    left: int  # uses; of `consume.kinds`: goods, taken one by one
    taken: list[Colony] = field(default_factory=list)  # whose goods must differ from the next one

    def goods(self, seat: Seat) -> list[Colony]:
        """Colonies whose good may be the next one; none: the power cannot be used (any more)."""
        goods = seat.goods(self.power.filter)
        if self.power.effect == "consume.goods":
            return goods
        now = kinds_in(self.taken)
        return [colony for colony in goods if kinds_in([*self.taken, colony]) > now]

    def usable(self, seat: Seat) -> bool:
        """Is there enough for a whole use?"""
        if self.power.effect == "consume.kinds":
            return len(self.goods(seat)) > 0
        goods = self.goods(seat)
        return (len(goods) if self.power.effect == "consume.goods" else kinds_in(goods)) >= self.power.amount

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
                if feeder.left and feeder.usable(seat)
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
        power = feeder.power
        feeder.left -= 1
        self.take(feeder, colony)
        for _ in range(1 if power.effect == "consume.kinds" else power.amount, 1, -1):
            options = {feeder.option(other): other for other in feeder.goods(seat)}
            self.take(feeder, options[(yield from self.ask(seat.number, "consume_more", list(options)))])
        if power.effect == "consume.different":
            feeder.taken = []
        seat.credits += power.credits
        self.gain_chips(seat, power.vp)
        self.gain_colonists(seat, power.colonists)
        return power.vp

    def take(self, feeder: Feeder, colony: Colony) -> None:
        colony.good = False
        feeder.taken.append(colony)
