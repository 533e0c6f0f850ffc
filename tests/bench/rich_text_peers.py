"""Who shows Markdown right in Slack, and Slack right in Markdown: `python -m tests.bench.rich_text_peers`.

Runs planconv and those of its peers that are installed (pip, or npm with NODE_PATH) on the rows that
the tests use too, and judges all by the same right values. A peer is judged on rich text only: blocks
of other types have no place in the details of a task.

    ✓ right   ✗ wrong   ! an error, or something that Slack refuses   b other blocks than rich text
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable

from tests.rich_text_payloads import PAYLOADS
from tests.rich_text_rows import MORE, ROWS, comparable
from tests.shown import cmark_shows_below, slack_shows
from tests.slack_shapes import message
from tests.slack_validity import rich_text_problems
from tests.test_rich_text_forward import converted

WIDTH = 8

# --- the peers ----------------------------------------------------------------------------------


def planconv_forward(markdown):
    return [converted(markdown)[0]["blocks"][0]["tasks"][0]["details"]]


def planconv_reverse(elements):
    import planconv

    return planconv.convert(json.dumps(message(*elements)), "slack", "markdown").text


def markdown_to_slack_blocks(module):
    def forward(markdown):
        return module.markdown_to_blocks(markdown, {"prefer_section_blocks": False})

    return forward, below_a_task(module.blocks_to_markdown)


def slack_gfm(module):
    def forward(markdown):
        return [module.gfm_to_rich_text(markdown)]

    return forward, below_a_task(lambda blocks: module.rich_text_to_gfm(blocks[0]))


def mistune_slack(module):
    return module.render_slack_blocks_from_markdown, None


def slack_blocks_markdown(module):
    return module.markdown_to_blocks, None


def md_to_slack_blocks(module):
    return module.md_to_blocks, None


def slack_markdown_parser(module):
    return module.convert_markdown_to_slack_blocks, None


PYTHON_PEERS = {
    "markdown-to-slack-blocks": markdown_to_slack_blocks,
    "slack-gfm": slack_gfm,  # AGPL, Python 3.12 or newer
    "mistune-slack": mistune_slack,
    "slack-blocks-markdown": slack_blocks_markdown,
    "md-to-slack-blocks": md_to_slack_blocks,
    "slack-markdown-parser": slack_markdown_parser,
}
NODE_PEERS = {
    "npm markdown-to-slack-blocks": (
        "markdown-to-slack-blocks",
        "m.markdownToBlocks(text, {preferSectionBlocks: false})",
    ),
    "npm md-to-slack-blocks": ("md-to-slack-blocks", "m.markdownToSlackBlocks(text)"),
    "npm @tryfabric/mack": ("@tryfabric/mack", "m.markdownToBlocks(text)"),
}


def below_a_task(write: Callable) -> Callable:
    """A peer knows no plans: its Markdown is put below a task, as planconv's stands."""

    def reverse(elements):
        lines = write([{"type": "rich_text", "elements": elements}]).splitlines()
        return "- [ ] Task title\n\n" + "\n".join(f"  {line}" if line.strip() else "" for line in lines)

    return reverse


def python_peer(name):
    try:
        module = importlib.import_module(name.replace("-", "_"))
    except ImportError:
        return None
    return PYTHON_PEERS[name](module)


def node_peer(name):
    """One process for each input: one peer never comes back from a fence in a list item."""
    package, call = NODE_PEERS[name]
    script = (
        f"const m = await import(require.resolve({package!r}));"
        "const text = require('fs').readFileSync(0, 'utf8');"
        f"process.stdout.write(JSON.stringify(await ({call})));"
    )
    command = ["node", "--max-old-space-size=256", "-e", f"(async () => {{{script}}})()"]

    def forward(markdown):
        done = subprocess.run(
            command, input=markdown, capture_output=True, text=True, timeout=10, check=True
        )
        return json.loads(done.stdout)

    try:
        probe = ["node", "-e", f"require.resolve({package!r})"]
        installed = subprocess.run(probe, capture_output=True, check=False, env=os.environ).returncode == 0
    except OSError:
        return None
    return (forward, None) if installed else None


# --- the judge ----------------------------------------------------------------------------------


def forward_mark(forward, row):
    if forward is planconv_forward and row.name == "17 task list":
        return "✓" if tasks_are_lifted(row.markdown) else "✗"
    try:
        blocks = forward(row.markdown)
        if any(block["type"] != "rich_text" for block in blocks):
            return "b"
        elements = [element for block in blocks for element in block["elements"]]
        if not blocks or rich_text_problems({"type": "rich_text", "elements": elements}):
            return "!"
        return "✓" if len(blocks) == 1 and comparable(elements) in row.answers() else "✗"
    except Exception:  # noqa: BLE001 - a peer may fail in any way, and that is its result
        return "!"


def tasks_are_lifted(markdown):
    """What planconv makes of a task list is no rich text, but tasks of the plan."""
    _, *below = converted(markdown)[0]["blocks"][0]["tasks"]
    return [(task["title"], task["status"]) for task in below] == [
        ("open", "pending"),
        ("done", "complete"),
    ]


def reverse_mark(reverse, payload):
    try:
        return "✓" if cmark_shows_below(reverse(payload.elements)) == slack_shows(payload.elements) else "✗"
    except Exception:  # noqa: BLE001 - as above
        return "!"


def table(title, rows, peers, mark):
    say(f"\n{title:<34}" + "".join(f"{chr(65 + at):^{WIDTH}}" for at in range(len(peers))))
    right = [0] * len(peers)
    for row in rows:
        marks = [mark(peer, row) for peer in peers]
        right = [count + (one == "✓") for count, one in zip(right, marks, strict=True)]
        say(f"{row.name:<34}" + "".join(f"{one:^{WIDTH}}" for one in marks))
    say(f"{f'right, of {len(rows)}':<34}" + "".join(f"{count:^{WIDTH}}" for count in right))


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    peers = {"planconv": (planconv_forward, planconv_reverse)}
    for names, load in ((PYTHON_PEERS, python_peer), (NODE_PEERS, node_peer)):
        for name in names:
            peer = load(name)
            if peer:
                peers[name] = peer
            else:
                say(f"not installed: {name}")
    say("\n".join(f"{chr(65 + at)} = {name}" for at, name in enumerate(peers)))
    forwards = [forward for forward, _ in peers.values()]
    table("Markdown to rich text", ROWS, forwards, forward_mark)
    table("more of it", MORE, forwards, forward_mark)
    say("\n".join(f"{chr(65 + at)} = {name}" for at, (name, peer) in enumerate(both(peers).items())))
    table("rich text to Markdown", PAYLOADS, [reverse for _, reverse in both(peers).values()], reverse_mark)


def both(peers):
    return {name: peer for name, peer in peers.items() if peer[1]}


if __name__ == "__main__":
    main()
