"""An own player in Python: `nfsim run rift_2p --games 1000 --policy examples.greedy:choose,balanced`.

It plans nothing: whatever brings most now is taken, worlds before all else. `nfsim.games.new_frontiers.turn.Turn`
is what it is given.
"""


def choose(game):
    """Settles whatever it can pay, explores when nothing waits, and never passes up a gain."""
    return max(range(len(game.options)), key=lambda choice: worth(game, choice))


def worth(game, choice):
    """Return how much this player likes an option, in something like VPs."""
    verb, *names = game.words(choice)
    tile = game.tile(choice)  # the world or development that the option is about; None if it is about none
    if verb == "action":
        return select(game, names[0])
    if verb in ("conquer", "pay"):
        return 10 + tile.vp
    if verb in ("take", "keep", "place"):
        return liking(game, tile)
    if verb in ("discard", "return"):
        return -liking(game, tile)
    if verb == "buy":
        return tile.cost
    if verb == "sell":
        return ("none", "any", "novelty", "rare", "genes", "alien").index(tile.good)
    return {"pass": -1, "colonists": 1}.get(verb, game.random())


def liking(game, world):
    """Return what a world is worth to have: less for what is missing to settle it."""
    missing = max(0, world.defense - game.military) if world.defense else world.cost / 3
    return world.vp + 2 * (world.type != "gray") - missing - world.colonists / 2 + world.penalty / 2


def select(game, action):
    """Return the worth of an action tile: what it brings at once."""
    ready = [world for world in game.explored if world.defense <= game.military and world.cost <= game.credits]
    if action == "settle":
        return 9 if any(world.colonists <= game.colonists for world in ready) else 6 if game.colonists < 2 else 0
    if action == "develop":
        return game.credits if game.credits >= 4 else 0
    if action == "explore":
        return 1 if len(game.explored) > 3 else 3 if ready else 7
    return {"produce": 5 - game.goods, "trade_consume": 2 * game.goods, "envoys": 2}.get(action, 1)
