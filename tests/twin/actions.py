"""The action tiles, one method each: everybody's action in resolve order, and the selector's bonus.

`order` holds the players in the order in which they carry the action out; a selector who is not among
the players is a dummy, and nobody gets the bonus (000 p. 2).
"""

from dataclasses import replace

from twin.classes import good_classes
from twin.consume import Consumption
from twin.position import IllegalError, Play
from twin.seat import Development, Explored, Seat, kinds_in
from twin.settle import Settling
from twin.tiles import Goal, Tile

WORLD_LIMIT = 8  # explored + settled worlds besides the home (001)
PRICES = {"alien": 4, "genes": 3, "rare": 2, "novelty": 1}  # 001


class Actions(Settling, Consumption):
    """Explore, Develop, Produce, Trade/Consume, Envoys, Retreat and Chart (Settle: settle.py)."""

    # --- Explore

    def explore(self, selector: int, order: list[int]) -> Play:
        """7 worlds, 8 with the Rift (000 p. 1), are shown; each takes 1, selector first; the rest return."""
        self.shown = yield from self.draw_worlds(8 if self.rift else 7)
        fresh: dict[int, list[Tile]] = {number: [] for number in order}
        for seat in (self.seats[number] for number in order):
            seat.credits += seat.total("explore.credits")
            self.gain_colonists(seat, seat.total("explore.colonists"))
        for number in order:
            yield from self.pick(number, fresh)
        if selector in order:  # the bonus, after all players have picked (001)
            yield from self.pick(selector, fresh)
        for number in order:
            for _ in range(self.seats[number].total("explore.pick")):
                yield from self.pick(number, fresh)
        for number in order:  # "after your Explore pick(s), draw one world from the bag" (P)
            fresh[number] += yield from self.draw_worlds(self.seats[number].total("explore.draw"))
        for tile in self.shown:
            self.bag[tile.name] += 1
        self.shown = []
        for number in order:
            yield from self.place_worlds(self.seats[number], fresh[number])

    def pick(self, number: int, fresh: dict[int, list[Tile]]) -> Play:
        if self.shown:
            options = [("take", tile.name) for tile in self.shown]
            _, name = yield from self.ask(number, "explore_pick", options)
            tile = next(tile for tile in self.shown if tile.name == name)
            self.shown.remove(tile)
            fresh[number].append(tile)

    def place_worlds(self, seat: Seat, fresh: list[Tile]) -> Play:
        """Worlds drawn or taken come into the empire at the end of the action (000 p. 1, 001)."""
        for tile in fresh:
            if tile.xeno:  # 000 p. 1: may be returned now, never later; R9: a ninth without room returns
                stuck = len(seat.colonies) - 1 + len(seat.placed_xeno())
                full = stuck >= WORLD_LIMIT and self.rulings["xeno_over_limit"] == "new_goes_back"
                options = [("keep", tile.name)] if not full else []
                choice = yield from self.ask(seat.number, "keep_xeno", [*options, ("return", tile.name)])
                if choice[0] == "return":
                    self.bag[tile.name] += 1
                    continue
            elif self.stockpile_room(seat, "worlds"):  # never a Xeno world (000 p. 1)
                options = [("stockpile", tile.name), ("place", tile.name)]
                choice = yield from self.ask(seat.number, "stockpile_world", options)
                if choice[0] == "stockpile":
                    seat.stored_worlds.append(tile)
                    continue
            seat.explored.append(Explored(tile, self.round))
        # over the limit: discard an unsettled one (001) to the bag (P)
        while len(seat.colonies) - 1 + len(seat.explored) > WORLD_LIMIT:
            names = [world.tile.name for world in seat.explored if not world.tile.xeno]
            if not names:
                break  # R9 may_exceed
            _, name = yield from self.ask(seat.number, "discard_world", [("discard", name) for name in names])
            seat.explored.remove(next(world for world in seat.explored if world.tile.name == name))
            self.bag[name] += 1

    # --- Develop

    def develop(self, selector: int, order: list[int]) -> Play:
        """Each may buy 1 development not already owned; the selector pays 1 credit less (001, P)."""
        for seat in (self.seats[number] for number in order):
            costs: dict[str, int] = {}
            owned = [development.tile for development in seat.developments]
            for stack in self.tileset.stacks:
                tile = self.shown_face(stack)
                cost = seat.development_cost(tile, bonus=seat.number == selector)
                if self.copies[stack.name] and tile not in owned and cost <= seat.credits:
                    costs[tile.name] = cost
            options = [*(("buy", name) for name in costs), ("pass",)]
            choice = yield from self.ask(seat.number, "develop", options)
            if choice[0] == "pass":
                continue
            stack = next(stack for stack in self.tileset.stacks if self.shown_face(stack).name == choice[1])
            tile = self.shown_face(stack)
            before = [seat.total(f"develop.{gain}", tile) for gain in ("credits", "colonists")]
            seat.credits -= costs[tile.name]
            self.copies[stack.name] -= 1
            seat.developments.append(Development(tile, self.round))
            seat.tiles.append(tile)  # it works from the moment it is placed (001)
            after = [seat.total(f"develop.{gain}", tile) for gain in ("credits", "colonists")]
            money, colonists = after if self.rulings["develop_self_trigger"] == "yes" else before  # R21
            seat.credits += money
            self.gain_colonists(seat, colonists)

    # --- Produce

    def produce(self, selector: int, order: list[int]) -> Play:
        """1 good on each production colony; bonus: 1 on a windfall colony, and the tile's credits (001)."""
        if selector in order:
            self.seats[selector].credits += self.produce_credits
            self.produce_credits = 0
        for seat in (self.seats[number] for number in order):
            produced = [c for c in seat.colonies if c.tile.type == "production" and not c.good]
            for colony in produced:
                colony.good = True
            if seat.number == selector:
                produced += yield from self.windfall_good(seat, "any")
            powers = [power for _, power in seat.powers("produce.windfall")]
            for power in sorted(powers, key=lambda power: power.filter == "any"):  # those with a filter first
                for _ in range(power.amount):
                    produced += yield from self.windfall_good(seat, power.filter)
            seat.credits += seat.total("produce.credits")
            for _, power in seat.powers("produce.credits_per"):
                seat.credits += power.amount * seat.count(power.filter)
            for _, power in seat.powers("produce.credits_per_kind"):
                seat.credits += power.amount * kinds_in(produced)
            seat.credits += sum(colony.tile.own("produce.credits_this") for colony in produced)
            self.gain_colonists(seat, seat.total("produce.colonists"))

    def windfall_good(self, seat: Seat, name: str) -> Play:
        """A good on a windfall colony without one; it must be placed if it can."""
        colonies = seat.empty_windfalls(name)
        if not colonies:
            return []
        options = [("good_on", colony.tile.name) for colony in colonies]
        _, chosen = yield from self.ask(seat.number, "windfall_good", options)
        colony = next(colony for colony in colonies if colony.tile.name == chosen)
        colony.good = True
        return [colony]

    # --- Trade, Consume

    def trade_consume(self, selector: int, order: list[int]) -> Play:
        """Each may sell 1 good (P), then must consume as far as possible; bonus 1 VP chip (001)."""
        if selector in order:
            self.gain_chips(self.seats[selector], 1)
        for seat in (self.seats[number] for number in order):
            colonies = {c.tile.name: c for c in seat.goods() if not c.tile.own("trade.no_sale")}
            options = [*(("sell", name) for name in colonies), ("pass",)]
            choice = yield from self.ask(seat.number, "sell", options)
            if choice[0] == "sell":
                colony = colonies[choice[1]]
                colony.good = False
                price = self.price(seat, colony.tile)
                seat.credits += price
                seat.credits -= yield from self.stockpile(seat, "credits", price)
            yield from self.consume(seat)

    def price(self, seat: Seat, tile: Tile) -> int:
        """001: Alien 4, Genes 3, Rare 2, Novelty 1; plus trade powers. A good of any kind sells as the best one."""
        kinds = [tile] if tile.good != "any" else [replace(tile, good=kind) for kind in PRICES]
        bonuses = [power for _, power in seat.powers("trade.bonus")]
        prices = [
            PRICES[kind.good] + sum(power.amount for power in bonuses if power.filter in good_classes(kind))
            for kind in kinds
        ]
        return max(prices) + tile.own("trade.bonus_this")

    # --- Envoys, Isolation

    def envoys(self, selector: int, order: list[int]) -> Play:
        """Bonus: 1 VP chip, and the front of the priority order for the next round (001; 000 p. 2)."""
        if selector in order:
            self.gain_chips(self.seats[selector], 1)
            self.to_front(selector)
        yield from ()

    def retreat(self, selector: int, order: list[int]) -> Play:
        """Bonus: 2 credits (001)."""
        self.seats[selector].credits += 2
        yield from ()

    def chart(self, selector: int, order: list[int]) -> Play:
        """Bonus: 1 credit, +1 priority, draw 3 goals (5 with the Rift: 000 p. 2), keep 1 face down (001)."""
        if selector not in order:
            return
        seat = self.seats[selector]
        seat.credits += 1
        self.chart_move(selector)
        self.hand = yield from self.draw_goals(5 if self.rift else 3)
        kept: Goal | None = None
        if self.hand:
            kept = yield from self.choose_goal(selector, "keep_goal")
        if kept or self.rulings["chart_empty"] == "turned_up":  # R30: even when there was none to draw
            if seat.goal_down:  # flip face up any previous face-down goal
                self.goals_up.append(seat.goal_down)
            seat.goal_down = kept
        while self.hand:
            self.goals_bottom.append((yield from self.choose_goal(selector, "return_goal")))

    def choose_goal(self, number: int, kind: str) -> Play:
        _, name = yield from self.ask(number, kind, [("goal", goal.name) for goal in self.hand])
        goal = next(goal for goal in self.hand if goal.name == name)
        self.hand.remove(goal)
        return goal

    def draw_goals(self, number: int) -> Play:
        """Fewer left: what there is (001). Unseen goals come first, then returned ones in their order."""
        number = min(number, len(self.goals_unseen) + len(self.goals_bottom))
        hand = []
        for name in (yield from self.draw("goal", number)):
            if name in self.goals_unseen:
                hand.append(self.goals_unseen.pop(name))
            elif not self.goals_unseen and self.goals_bottom and self.goals_bottom[0].name == name:
                hand.append(self.goals_bottom.pop(0))
            else:
                raise IllegalError(f"goal {name} is not on top of the stack")
        return hand
