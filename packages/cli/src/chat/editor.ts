/** The line that a person writes: text, a cursor, what was pasted, and what was sent before. Pure. */
import { signsOf } from '../output/width.ts'

/** What is being written. */
export interface Editor {
  /** The text; a long paste is named in it and not shown. */
  readonly text: string
  /** Where the cursor is in the text. */
  readonly cursor: number
  /** The texts of long pastes, in the order in which they came. */
  readonly pastes: readonly string[]
  /** What was sent before, the latest last. */
  readonly past: readonly string[]
  /** Which of these is shown; their number while it is none. */
  readonly place: number
  /** What was being written before one of them was shown. */
  readonly draft: string
}

/** Nothing is written. */
export const emptyEditor: Editor = { text: '', cursor: 0, pastes: [], past: [], place: 0, draft: '' }

/** Sent texts that are remembered. */
const mostPast = 200

/** A paste that has more characters, or more lines, is named instead of shown. */
const shownPaste = { characters: 400, lines: 6 } as const

/** Puts a text in at the cursor. */
export function insert(editor: Editor, text: string): Editor {
  const { text: before, cursor } = editor
  return { ...editor, text: before.slice(0, cursor) + text + before.slice(cursor), cursor: cursor + text.length }
}

/** Puts a paste in: a long one by its name. */
export function insertPaste(editor: Editor, given: string): Editor {
  const text = given.replaceAll(/\r\n?/g, '\n')
  if (text.length <= shownPaste.characters && text.split('\n').length <= shownPaste.lines) return insert(editor, text)
  const pastes = [...editor.pastes, text]
  return insert({ ...editor, pastes }, pasteName(pastes.length, text))
}

const pasteName = (number: number, text: string): string => `[paste ${number}: ${text.length.toLocaleString('en-US')} characters]`

/** What is sent: the text, with pastes in the place of their names. */
export function textOf({ text, pastes }: Editor): string {
  return pastes.reduce((whole, paste, index) => whole.replace(pasteName(index + 1, paste), () => paste), text)
}

/** The editor after its text was sent: empty, and the text can be had back. */
export function afterSending(editor: Editor): Editor {
  const text = textOf(editor)
  const past = text === editor.past.at(-1) || text.trim() === '' ? editor.past : [...editor.past, text].slice(-mostPast)
  return { ...emptyEditor, past, place: past.length }
}

/** The editor with another text, and the cursor at its end. */
export const withText = (editor: Editor, text: string): Editor => ({ ...editor, text, cursor: text.length, pastes: [] })

/** How far is looked for the sign or the word next to the cursor. */
const near = 256

const signBefore = ({ text, cursor }: Editor): number => [...signsOf(text.slice(Math.max(0, cursor - near), cursor))].at(-1)?.length ?? 0
const signAfter = ({ text, cursor }: Editor): number => [...signsOf(text.slice(cursor, cursor + near))][0]?.length ?? 0
const wordBefore = ({ text, cursor }: Editor): number => /\S*\s*$/.exec(text.slice(Math.max(0, cursor - near), cursor))?.[0].length ?? 0
const wordAfter = ({ text, cursor }: Editor): number => /^\s*\S*/.exec(text.slice(cursor, cursor + near))?.[0].length ?? 0
const lineStart = ({ text, cursor }: Editor): number => (cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1)

function lineEnd({ text, cursor }: Editor): number {
  const end = text.indexOf('\n', cursor)
  return end < 0 ? text.length : end
}

/** A long paste goes as a whole, as it came. */
function pasteBefore({ text, cursor }: Editor): number {
  return /\[paste \d+: [\d,]+ characters\]$/.exec(text.slice(Math.max(0, cursor - near), cursor))?.[0].length ?? 0
}

function cut(editor: Editor, from: number, to: number): Editor {
  return { ...editor, text: editor.text.slice(0, from) + editor.text.slice(to), cursor: from }
}

const at = (editor: Editor, cursor: number): Editor => ({ ...editor, cursor })

/** Shows a text that was sent before, or again what was being written. */
function recall(editor: Editor, place: number): Editor {
  const { past, text } = editor
  if (place < 0 || place > past.length) return editor
  const draft = editor.place === past.length ? text : editor.draft
  return { ...withText(editor, past[place] ?? draft), place, draft }
}

/** Moves one line up or down in the text, keeping the column as far as it is there. */
function byLine(editor: Editor, direction: -1 | 1): Editor | undefined {
  const { text, cursor } = editor
  const start = lineStart(editor)
  const end = lineEnd(editor)
  if (direction < 0 ? start === 0 : end === text.length) return undefined
  const from = direction < 0 ? lineStart(at(editor, start - 1)) : end + 1
  return at(editor, Math.min(from + cursor - start, lineEnd(at(editor, from))))
}

const keys: Readonly<Record<string, (editor: Editor) => Editor>> = {
  left: (editor) => at(editor, editor.cursor - signBefore(editor)),
  right: (editor) => at(editor, editor.cursor + signAfter(editor)),
  'ctrl-left': (editor) => at(editor, editor.cursor - wordBefore(editor)),
  'ctrl-right': (editor) => at(editor, editor.cursor + wordAfter(editor)),
  home: (editor) => at(editor, lineStart(editor)),
  end: (editor) => at(editor, lineEnd(editor)),
  up: (editor) => byLine(editor, -1) ?? recall(editor, editor.place - 1),
  down: (editor) => byLine(editor, 1) ?? recall(editor, editor.place + 1),
  backspace: (editor) => cut(editor, editor.cursor - (pasteBefore(editor) || signBefore(editor)), editor.cursor),
  delete: (editor) => cut(editor, editor.cursor, editor.cursor + signAfter(editor)),
  'ctrl-w': (editor) => cut(editor, editor.cursor - wordBefore(editor), editor.cursor),
  'ctrl-u': (editor) => cut(editor, lineStart(editor), editor.cursor),
  'ctrl-k': (editor) => cut(editor, editor.cursor, lineEnd(editor)),
  'ctrl-j': (editor) => insert(editor, '\n'),
}

const sameAs: Readonly<Record<string, string>> = {
  ...{ 'ctrl-b': 'left', 'ctrl-f': 'right', 'ctrl-a': 'home', 'ctrl-e': 'end', 'ctrl-p': 'up', 'ctrl-n': 'down', 'shift-enter': 'ctrl-j' },
  ...{ 'alt-b': 'ctrl-left', 'alt-f': 'ctrl-right', 'alt-left': 'ctrl-left', 'alt-right': 'ctrl-right', 'alt-backspace': 'ctrl-w' },
}

/** What a key does to the text; `undefined` where it is no key of the editor. */
export function editBy(editor: Editor, name: string): Editor | undefined {
  return keys[sameAs[name] ?? name]?.(editor)
}
