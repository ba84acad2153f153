/** What the palette offers for what was typed. */

/** Something to do, and how it is found. */
export interface Command {
  readonly label: string
  /** The keys that do the same. */
  readonly keys?: string
  readonly run: () => void
}

/** How well a label fits: the place of the match, smaller is better; `undefined` when it does not. Letters may be left out between. */
function fit(label: string, typed: string): number | undefined {
  const low = label.toLowerCase()
  const at = low.indexOf(typed)
  if (at >= 0) return at
  let from = 0
  for (const letter of typed) {
    const found = low.indexOf(letter, from)
    if (found < 0) return undefined
    from = found + 1
  }
  return 1_000 + from
}

/** The commands that fit, the best first; all of them for nothing typed. */
export function fitting(commands: readonly Command[], typed: string): readonly Command[] {
  const wanted = typed.trim().toLowerCase()
  return commands
    .map((command, index) => ({ command, index, fit: fit(command.label, wanted) }))
    .filter((one): one is typeof one & { fit: number } => one.fit !== undefined)
    .sort((a, b) => a.fit - b.fit || a.index - b.index)
    .map(({ command }) => command)
}
