"""The action tiles, one file each: `begin` (the bonus), `options` (what may be chosen next) and `apply`.

`options` plays the action on until a seat must choose and returns True, or returns False when the
action is over. `state.stage` and `state.cursor` say where it stands.
"""
