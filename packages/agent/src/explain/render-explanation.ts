/** Explanations for a terminal: plain text, with colours where they are asked for. */
import { counted, inWords } from '../platform/counted.ts'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import type { ContextPart, Explanation, Fate, PartKind } from './explanation.ts'
import { fateInWords, kindWords } from './in-words.ts'
import type { PresenceKind } from './presence-matrix.ts'
import type { Presence, PresenceRow } from './read-presence.ts'

/** How an explanation is rendered. */
export interface RenderExplanationOptions {
  /** Whether colours are used; default false. */
  readonly color?: boolean
  /** Characters of a line, at most; default 100. */
  readonly width?: number
  /** Parts that are listed, at most; default 60. What is left out is counted. */
  readonly parts?: number
}

type Colour = 'green' | 'yellow' | 'cyan' | 'red' | 'grey'

const codes: { readonly [K in Colour]: number } = { green: 32, yellow: 33, cyan: 36, red: 31, grey: 90 }

type Paint = (text: string, colour: Colour) => string

const painted: Paint = (text, colour) => `\u001B[${codes[colour]}m${text}\u001B[0m`
const plain: Paint = (text) => text

const marks: { readonly [K in Fate['as']]: readonly [mark: string, colour: Colour] } = {
  verbatim: ['+', 'green'],
  trimmed: ['~', 'yellow'],
  summarised: ['s', 'cyan'],
  dropped: ['-', 'red'],
  'not yet': ['.', 'grey'],
  'never eligible': ['x', 'red'],
  replaced: ['=', 'yellow'],
}

const cut = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1)).toWellFormed()}…`)

/**
 * An explanation as a picture of text: the request as a bar by kind, then its parts with marks, then what was looked for and the hints.
 *
 * @example
 * console.log(renderExplanation(await explain(journal, 'user-123@42'), { color: true }))
 */
export function renderExplanation(explanation: Explanation, options: RenderExplanationOptions = {}): string {
  checkOptions('renderExplanation', options, { color: expected.flag, width: expected.whole(40), parts: expected.whole(1) })
  const { color = false, width = 100, parts = 60 } = options
  const paint = color ? painted : plain
  const lines = [...headOf(explanation), '', ...barsOf(explanation, width, paint), '', ...partLines(explanation.parts, { width, most: parts, paint })]
  const { asked, hints } = explanation
  if (asked) {
    lines.push('', `${asked.what}: ${asked.isShown ? paint('in the request', 'green') : paint('not in the request', 'red')}`)
    for (const { part, fate, excerpt } of asked.found.slice(-5))
      lines.push(cut(`  ${nameOf(part)}: ${excerpt}`, width), ...wrapped(fateInWords(fate), width))
  }
  if (hints.length > 0) lines.push('', 'What would have kept it:', ...hints.map(({ words }, index) => `  ${index + 1}. ${words}`))
  return `${lines.join('\n')}\n`
}

function headOf({ thread, turn, at, request, rebase, tokens, messages }: Explanation): readonly string[] {
  const max = rebase?.budget?.max
  const size = `${inWords(tokens.total)}${max === undefined ? '' : ` of at most ${inWords(max)}`} tokens in ${counted(messages, 'message')}`
  const sent = request
    ? `${request.model}, attempt ${request.attempt}, ${request.isVerified ? 'verified by its digest' : 'not verified'}`
    : 'not sent'
  return [
    `${thread}, turn ${turn} (${at}): ${size}`,
    `  ${sent}`,
    ...(rebase ? [`  last rebase: ${rebase.reason}, in turn ${rebase.turn} (${rebase.at})`] : []),
  ]
}

function barsOf({ tokens, rebase }: Explanation, width: number, paint: Paint): readonly string[] {
  const kinds = (Object.keys(kindWords) as PartKind[]).filter((kind) => tokens.by[kind])
  const label = Math.max(...kinds.map((kind) => kindWords[kind].length), 0)
  const room = Math.max(10, width - label - 20)
  const whole = Math.max(tokens.total, rebase?.budget?.max ?? 0, 1)
  return kinds.map((kind) => {
    const own = tokens.by[kind] ?? 0
    const bar = '#'.repeat(Math.max(1, Math.round((own / whole) * room)))
    return `  ${kindWords[kind].padEnd(label)} ${inWords(own).padStart(9)} ${paint(bar, 'green')}`
  })
}

const nameOf = ({ kind, entry, name, turn }: ContextPart): string =>
  `${entry === undefined ? '' : `#${entry} `}${kind}${name === undefined ? '' : ` ${name}`}${turn === undefined ? '' : ` (turn ${turn})`}`

interface ListOptions {
  readonly width: number
  readonly most: number
  readonly paint: Paint
}

/** The parts, neighbours of one fate that is not shown in one line each; of many, the first and the last. */
function partLines(parts: readonly ContextPart[], { width, most, paint }: ListOptions): readonly string[] {
  const lineOf = (group: readonly ContextPart[]): string => {
    const [first, last] = [group[0] as ContextPart, group.at(-1) as ContextPart]
    const [mark, colour] = marks[first.fate.as]
    const size = group.reduce((sum, { tokens, size: all }) => sum + (tokens || all), 0)
    const name =
      group.length === 1 ? `${nameOf(first)}: ${first.text}` : `#${first.entry} to #${last.entry}, ${group.length} entries ${shortFate(first.fate)}`
    return paint(cut(`${mark} ${inWords(size).padStart(8)}  ${name}${group.length === 1 ? noteOf(first.fate) : ''}`, width), colour)
  }
  const groups = groupsOf(parts)
  if (groups.length <= most) return groups.map(lineOf)
  const head = Math.ceil(most / 2)
  const tail = most - head
  return [...groups.slice(0, head).map(lineOf), `  ... ${groups.length - most} more lines ...`, ...groups.slice(groups.length - tail).map(lineOf)]
}

/** Neighbours that were left out for one reason. */
function groupsOf(parts: readonly ContextPart[]): readonly (readonly ContextPart[])[] {
  const groups: ContextPart[][] = []
  for (const part of parts) {
    const group = groups.at(-1)
    const before = group?.at(-1)
    const isAlike = before?.entry !== undefined && part.entry !== undefined && part.tokens === 0 && shortFate(before.fate) === shortFate(part.fate)
    if (isAlike && before.tokens === 0) group?.push(part)
    else groups.push([part])
  }
  return groups
}

function shortFate(fate: Fate): string {
  if (fate.as === 'dropped') return `dropped by "${fate.rule}"`
  if (fate.as === 'summarised') return fate.summary === undefined ? 'summarised' : `in summary ${fate.summary}`
  return fate.as
}

function noteOf(fate: Fate): string {
  if (fate.as === 'verbatim') return ''
  if (fate.as === 'trimmed') return ` [${fate.cuts.map(({ left, of }) => `${inWords(left)} of ${inWords(of)} characters`).join(', ')}]`
  return ` [${shortFate(fate)}]`
}

/** A text in lines of at most so many characters. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = '   '
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > width && line.trim() !== '') {
      lines.push(line)
      line = '   '
    }
    line = `${line} ${word}`
  }
  return [...lines, line]
}

const presenceMarks: { readonly [K in PresenceKind]: string } = {
  in: 'in',
  trimmed: 'trimmed',
  summary: 'in a summary',
  dropped: 'dropped',
  absent: 'absent',
}

/**
 * The presence of entries as lines of text: one for each row.
 *
 * @example
 * console.log(renderPresence(await presenceOf(journal, 'user-123', 'launch code')))
 */
export function renderPresence({ thread, turn, rows }: Presence): string {
  const entriesOf = ({ from, to }: PresenceRow): string => (from === to ? `#${from}` : `#${from} to #${to}`)
  const label = Math.max(...rows.map((row) => entriesOf(row).length), 0)
  const lines = rows.map((row) => {
    const turns = row.turns.map(({ from, to, as }) => `${from === to ? `turn ${from}` : `turns ${from} to ${to}`} ${presenceMarks[as]}`)
    return `  ${entriesOf(row).padEnd(label)}  ${turns.join(', ')}: ${row.text}`
  })
  return `${[`${thread}, turns 1 to ${turn}`, ...lines].join('\n')}\n`
}
