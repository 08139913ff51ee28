"""The Settle action: settle an explored world, or gain 2 colonists (001)."""

from twin.position import Board, Play, Words
from twin.seat import Colony, Explored, Seat
from twin.tiles import Power, Tile


class Settling(Board):
    """Settle for each player in turn."""

    def place_worlds(self, seat: Seat, fresh: list[Tile]) -> Play:
        raise NotImplementedError  # with Explore, in actions.py

    def settle(self, selector: int, order: list[int]) -> Play:
        fresh: dict[int, list[Tile]] = {}
        for seat in (self.seats[number] for number in order):
            # the bonus comes first and may be used at once (P)
            gained = self.gain_colonists(seat, 1) if seat.number == selector else 0
            gained += self.gain_colonists(seat, seat.total("settle.colonists"))
            if self.rulings["stockpile_gains"] == "bonus_too":  # R27
                seat.colonists -= yield from self.stockpile(seat, "colonists", gained)
            fresh[seat.number] = yield from self.settle_worlds(seat)
        for number in order:  # at the end of the action (000 p. 1)
            yield from self.place_worlds(self.seats[number], fresh[number])

    def settle_worlds(self, seat: Seat) -> Play:
        temporary = 0  # temporary Military holds for all settles of the action (001)
        unused = list(seat.powers("settle.temp_military"))  # each once an action
        further = seat.total("settle.second")
        fresh: list[Tile] = []  # worlds drawn by powers after settling
        first = True
        while True:
            options = self.settle_options(seat, temporary, unused)
            if first:
                options.append(("colonists",))
            if not first or self.rulings["settle_choice"] == "may":  # R24
                options.append(("pass",))
            choice = yield from self.ask(seat.number, "settle" if first else "settle_again", options)
            if choice[0] in ("spend_good", "spend_credits"):
                temporary += self.use_temporary(seat, unused, choice)
                continue
            if choice[0] == "colonists":
                gained = self.gain_colonists(seat, 2)
                seat.colonists -= yield from self.stockpile(seat, "colonists", gained)
            if choice[0] not in ("conquer", "pay"):
                break
            world = next(world for world in seat.explored if world.tile.name == choice[1])
            fresh += yield from self.place_colonists(seat, world, paying=choice[0] == "pay")
            if not further:
                break
            further -= 1
            first = False
        seat.asleep = []  # from now on the powers of the worlds settled work
        return fresh

    def settle_options(self, seat: Seat, temporary: int, unused: list[tuple[Tile, Power]]) -> list[Words]:
        options: list[Words] = []
        beyond = False  # is some military world with enough colonists still out of reach?
        for world in (world.tile for world in seat.explored):
            if world.colonists > seat.colonists:
                continue
            if world.military:
                if seat.military_against(world) + temporary >= world.defense:  # and it costs nothing (P)
                    options.append(("conquer", world.name))
                else:
                    beyond = True
            cost = seat.credits_for(world)
            if cost is not None and cost <= seat.credits:
                options.append(("pay", world.name))
        for tile, power in unused if beyond else []:
            if power.credits:
                if power.credits <= seat.credits:
                    options.append(("spend_credits", tile.name, words(power)))
            else:
                goods = seat.goods(power.filter)
                options += [("spend_good", tile.name, words(power), colony.tile.name) for colony in goods]
        return options

    def use_temporary(self, seat: Seat, unused: list[tuple[Tile, Power]], choice: Words) -> int:
        """Spend a good, or credits, for Military in this action; returns it."""
        used = next(entry for entry in unused if (entry[0].name, words(entry[1])) == choice[1:3])
        unused.remove(used)
        if choice[0] == "spend_credits":
            seat.credits -= used[1].credits
        else:
            next(colony for colony in seat.goods() if colony.tile.name == choice[3]).good = False
        return used[1].amount

    def place_colonists(self, seat: Seat, world: Explored, paying: bool) -> Play:
        """Settle a world; returns worlds drawn "after you settle": such powers fire for each (001)."""
        tile = world.tile
        if paying:
            seat.credits -= seat.credits_for(tile) or 0
        seat.colonists -= tile.colonists
        seat.explored.remove(world)
        # a windfall world gets its good at once (001); so does one Rare production world (000 p. 3)
        good = tile.type == "windfall" or tile.own("settle.place_good") > 0
        seat.colonies.append(Colony(tile, world.round, self.round, good))
        seat.tiles.append(tile)
        seat.asleep.append(tile)
        early = self.rulings["settle_self_trigger"] == "yes"  # R28
        money, colonists, chips, worlds = (
            seat.total(f"settle.after_{gain}", tile, asleep_too=early)
            for gain in ("credits", "colonists", "chips", "draw")
        )
        seat.credits += money
        self.gain_colonists(seat, colonists)
        self.gain_chips(seat, chips)
        return (yield from self.draw_worlds(worlds))


def words(power: Power) -> str:
    """A power in the words of the tile files, every part written out in one order."""
    extras = {
        "vp": power.vp,
        "credits": power.credits,
        "colonists": power.colonists,
        "times": power.times if power.times != 1 else 0,
    }
    text = f"{power.effect}({power.filter}) {power.amount}"
    return text + "".join(f" {key}={value}" for key, value in extras.items() if value)
