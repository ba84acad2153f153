/** What may be written behind a slash in a chat. */

/** A command of a chat. */
export interface SlashCommand {
  readonly name: string
  /** What it takes, as help shows it. */
  readonly takes?: string
  readonly does: string
}

/** The commands, as help lists them. */
export const slashCommands: readonly SlashCommand[] = [
  { name: 'help', does: 'lists commands and keys' },
  { name: 'rewind', takes: '[seq]', does: 'goes back to an earlier message, with the files as they were' },
  { name: 'fork', takes: '[seq]', does: 'goes another way from a moment; files stay as they are' },
  { name: 'tree', does: 'shows runs, turns and calls with their cost' },
  { name: 'context', takes: '[what]', does: 'shows what the model was shown, or where something is in it' },
  { name: 'compact', does: 'asks for a shorter context' },
  { name: 'cost', does: 'shows tokens and money' },
  { name: 'model', takes: '[id]', does: 'shows or changes the model of the next message' },
  { name: 'mode', takes: '[mode]', does: 'shows or changes what runs without a question (Shift-Tab)' },
  { name: 'new', does: 'begins a new thread' },
  { name: 'resume', takes: '[thread]', does: 'goes on with another thread' },
  { name: 'retry', does: 'tries a failed run again' },
  { name: 'quit', does: 'ends the chat; the thread stays' },
]

/** Reads `/name rest`; `undefined` for whatever is no command, such as a path. */
export function slashCommandIn(text: string): { readonly name: string; readonly argument: string } | undefined {
  const [, name, argument = ''] = /^\/([a-z]+)(?:\s+(.*))?$/s.exec(text.trim()) ?? []
  return name === undefined ? undefined : { name, argument: argument.trim() }
}

/** The commands that begin like what is being written. */
export function commandsLike(text: string): readonly SlashCommand[] {
  const [, begun] = /^\/([a-z]*)$/.exec(text) ?? []
  return begun === undefined ? [] : slashCommands.filter(({ name }) => name.startsWith(begun))
}

/** The keys, as help lists them. */
export const keyHelp: readonly (readonly [key: string, does: string])[] = [
  ['Enter', 'sends; while it works, adds to the run under way'],
  ['Alt-Enter', 'while it works: queues for the next run; otherwise a new line'],
  ['Ctrl-J', 'a new line'],
  ['Esc', 'interrupts the run, closes a list'],
  ['Ctrl-C', 'stops the run, or clears what is written; twice ends the chat'],
  ['Ctrl-D', 'ends the chat where nothing is written'],
  ['Shift-Tab', 'the next mode'],
  ['Tab', 'completes a command, and the path behind @'],
  ['Up, Down', 'what was sent before'],
]
