"""What to call runs: titles that agree with what was played, patches in words, labels that tell runs apart."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from nfsim.report.source import Source
from nfsim.run.titles import Setting, says, unsaid

SHORT = 30  # characters of a patch in a label
PATCH = ("do", "kind", "name", "set", "copies")  # what a patch of any game says; other keys say which record is meant


def value_text(value: Any) -> str:
    """Write a value of a scenario as TOML has it, without quotes."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return ", ".join(f"{key} = {value_text(part)}" for key, part in value.items())
    return ", ".join(map(value_text, value)) if isinstance(value, list | tuple) else str(value)


def setting_of(source: Source) -> Setting:
    """Return what says a setting of a run's game in a few words: 12 rounds, rules.profile=table."""
    known = source.rules.setting
    return lambda key, text: known(key, text) or f"{key}={text}"


def patches(source: Source) -> list[str]:
    """Return the scenario's patches in words: Gem World: cost = 5."""
    listed = source.say("scenario", "patch", default=[])
    return [patch_text(patch) for patch in listed if isinstance(patch, Mapping)] if isinstance(listed, list) else []


def patch_text(patch: Mapping[str, Any]) -> str:
    """Write one patch in words."""
    fields = dict(patch.get("set") or {})
    name = str(patch.get("name") or fields.pop("name", ""))
    where = [f"{key} {value_text(value)}" for key, value in patch.items() if key not in PATCH and value]
    name += f" ({', '.join(where)})" if where else ""
    done = {"add": "added", "remove": "removed", "duplicate": "one more copy"}.get(str(patch.get("do")), "")
    if patch.get("copies") is not None:
        done = f"{patch['copies']} copies"
    elif done == "one more copy" and "name" in fields:
        done = "copied"
    return f"{name}: " + ", ".join(part for part in (done, value_text(fields)) if part)


def record_set(source: Source) -> str:
    """Return the name of the set of records that was played and the beginning of its hash."""
    named = source.catalogue("set") or source.say("scenario", "tiles")
    digest = str(source.catalogue("hash"))
    name = PurePath(str(named)).name if named else "not recorded"
    return f"{name}, hash {digest[:8]}" if digest else name


def changes(source: Source) -> list[str]:
    """Return what was set for this run beside its scenario file, as key=value."""
    listed = source.say("changes", default=[])
    return [str(change) for change in listed] if isinstance(listed, list | tuple) else []


def changed(source: Source) -> list[str]:
    """Return in a few words what was changed for a run and its title does not say."""
    setting = setting_of(source)
    pairs = [change.split("=", 1) for change in unsaid(source.title, changes(source), setting)]
    return list(dict.fromkeys(setting(pair[0].strip(), pair[-1].strip()) for pair in pairs))


def brief(listed: Sequence[str]) -> str:
    """Write patches for a label: a short one as it is, else whose they are; all stand where the numbers come from."""
    if len(listed) == 1 and len(listed[0]) <= SHORT:
        return listed[0]
    names = list(dict.fromkeys(text.partition(":")[0] for text in listed))
    named = f"{', '.join(names)} patched" if names else ""
    return named if len(names) == 1 or len(", ".join(names)) <= SHORT else f"{len(listed)} patches"


def settings(source: Source) -> dict[str, str]:
    """Return everything that can differ between runs of one title, as dotted keys with short texts."""
    parts: dict[str, str] = {}
    setting = setting_of(source)
    for table in source.rules.section:
        found = source.say("scenario", table, default={})
        if isinstance(found, Mapping):
            named = {f"{table}.{key}": value_text(value) for key, value in found.items()}
            parts |= {key: setting(key, text) for key, text in named.items()}
    parts["patch"] = brief(patches(source))
    # rulings and patches change the hash as well: it tells sets apart only where nothing else does
    parts["records"] = f"{source.words.records}={record_set(source).split(', hash ')[0]}"
    return parts


def variant(source: Source, sources: Sequence[Source]) -> list[str]:
    """Return in a few words what sets a run apart from others of its title."""
    every = [settings(peer) for peer in sources if peer.title == source.title]
    own = settings(source)
    differ = [key for key, text in own.items() if text and any(peer.get(key) != text for peer in every)]
    return [own[key] for key in _once(source, differ)]


def named(source: Source, sources: Sequence[Source] = ()) -> str:
    """Return a run's title, with what was changed, and what sets it apart from other runs of that title."""
    own = [part for part in variant(source, sources) if not says(source.title, part)]
    parts = list(dict.fromkeys([*changed(source), *own]))
    if not parts:
        return source.title
    return f"{source.title} ({'changed: ' if changed(source) else ''}{', '.join(parts)})"


def title(sources: Sequence[Source]) -> str:
    """Return the report's title: the scenarios as played, or how many there are."""
    titles = list(dict.fromkeys(named(source, sources) for source in sources))
    return " · ".join(titles) if len(titles) <= 3 else f"{titles[0]} and {len(titles) - 1} more scenarios"


def labelled(group: Sequence[Source]) -> list[Source]:
    """Give each run of a group a label that tells them apart and names what differs: length, players, settings."""
    if len(group) == 1:
        return [replace(group[0], label=alone(group[0]))]
    titles = len({source.title for source in group}) > 1
    policies = len({source.policies for source in group}) > 1
    # where titles differ and no length says more, they stand for the settings they are about
    heads = [source.length or (named(source) if titles else "") for source in group]
    bases = [
        joined(head, source.policies if policies else "", *differing(source, group, head))
        for source, head in zip(group, heads, strict=True)
    ]
    ways: list[Callable[[Source, str], str]] = [
        lambda _, base: base,
        lambda source, base: joined(base, f"seed {source.say('seed')}"),
        lambda source, base: joined(base, f"{source.words.records} {str(source.catalogue('hash'))[:8]}"),
        lambda source, base: joined(base, named(source)),
        lambda source, base: joined(base, source.folder.name),
        lambda source, _: str(source.folder),
    ]
    for way in ways:
        labels = [way(source, base) or source.title for source, base in zip(group, bases, strict=True)]
        if len(set(labels)) == len(labels):
            break
    return [replace(source, label=label) for source, label in zip(group, labels, strict=True)]


def alone(source: Source) -> str:
    """Return the label of a run with no other beside it: what it is, and who played."""
    if source.length:
        return joined(source.campaign[:1].lower() + source.campaign[1:], source.length, source.policies)
    return joined(source.title, source.policies)


def differing(source: Source, group: Sequence[Source], said: str) -> list[str]:
    """Return in a few words what sets a run's settings apart from those of its group, but for what is said already."""
    every = [settings(peer) for peer in group]
    own = settings(source)
    apart = [key for key, text in own.items() if text and any(peer.get(key) != text for peer in every)]
    rest = [key for key in apart if key not in _rounds(source)]
    # a label begins with the rounds, where there are lengths to choose from, and all that makes a length goes with them
    if source.length and rest != apart:
        rest = [key for key in rest if key not in _length(source)]
    else:
        rest = apart
    return [own[key] for key in rest if own[key].lower() not in said.lower()]


def _length(source: Source) -> set[str]:
    """Return the dotted keys that make a game as long as it is."""
    return {key for each in source.rules.lengths for key in each.settings}


def _rounds(source: Source) -> set[str]:
    """Return those of them that say how many rounds it has."""
    return {key for each in source.rules.lengths for key, value in each.settings.items() if value == each.rounds}


def _once(source: Source, keys: Sequence[str]) -> list[str]:
    """Leave out what else makes a length, where keys that say the rounds are there."""
    if not _rounds(source) & set(keys):
        return list(keys)
    return [key for key in keys if key not in _length(source) - _rounds(source)]


def joined(*parts: str) -> str:
    """Join what there is with commas."""
    return ", ".join(filter(None, parts))
