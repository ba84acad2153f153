/** Colours, where the terminal has them. What a colour says is in words as well. */
import type { Terminal } from '../platform/terminal.ts'

const codes = { bold: [1, 22], faint: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], blue: [34, 39] } as const

/** A way in which a text can stand out. */
export type Look = keyof typeof codes

/** Gives a text a look. */
export type Style = (look: Look, text: string) => string

/** The style of a terminal: without colours it returns texts as they are. */
export function styleOf({ hasColour }: Pick<Terminal, 'hasColour'>): Style {
  if (!hasColour) return (_, text) => text
  return (look, text) => `\u001b[${codes[look][0]}m${text}\u001b[${codes[look][1]}m`
}

const byStatus: Readonly<Record<string, Look>> = { done: 'green', running: 'blue', waiting: 'yellow', failed: 'red', stopped: 'yellow' }

/** The look of a status. */
export const statusLook = (status: string): Look => byStatus[status] ?? 'faint'
