/** Calls as a chat shows them: what was called, what it changed, what came of it. Pure. */
import type { ChatCall, ShownText } from '@loom-agent/telemetry'
import type { Look } from '../output/style.ts'
import { counted, durationWords } from '../output/words.ts'
import { type Line, line, textLines } from '../screen/line.ts'

/** Lines of an output that are shown: as many from its beginning as from its end. */
const shownOutput = 8
/** Lines of a difference that are shown. */
const shownDifference = 40

const marks: { readonly [K in ChatCall['status']]: readonly [string, Look] } = {
  proposed: ['○', 'faint'],
  asked: ['?', 'yellow'],
  running: ['●', 'blue'],
  waiting: ['○', 'yellow'],
  'in-doubt': ['?', 'yellow'],
  success: ['✔', 'green'],
  warning: ['✔', 'yellow'],
  error: ['✖', 'red'],
  denied: ['✖', 'yellow'],
}

/** The mark of a status. */
export const markOf = (status: ChatCall['status']): readonly [string, Look] => marks[status]

/** The argument that says what a call is about, where a tool has one that does. */
const telling = ['command', 'path', 'pattern', 'query', 'url', 'expression']

/** What a call is about, in one line: its telling argument, or all of them. */
export function aboutCall(input: string): string {
  const given = recordOf(input)
  const key = given && telling.find((name) => typeof given[name] === 'string')
  return (given && key !== undefined ? String(given[key]) : input === '{}' ? '' : input).replaceAll(/\s+/g, ' ')
}

/** The fields of a JSON object; `undefined` for whatever is none, such as a text that was cut. */
export function recordOf(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    // A text that was cut, or arguments of a model that are no JSON: they are shown as they are.
    return undefined
  }
}

/** A call that has ended. */
export function callLines({ tool, input, status, output, ms, errorType }: ChatCall): readonly Line[] {
  const [mark, look] = markOf(status)
  const heading: Line = [
    [`${mark} `, look],
    [tool, 'bold'],
    [` ${aboutCall(input.text)}`],
    ...(ms === undefined ? [] : ([[`  ${durationWords(ms)}`, 'faint']] as const)),
    ...(errorType === undefined ? [] : ([[`  ${errorType}`, 'red']] as const)),
  ]
  return [heading, ...(output === undefined ? [] : outcomeLines(input, output))]
}

/** What came of a call: the difference that it made, what it printed, or the beginning and the end of what it returned. */
function outcomeLines(input: ShownText, output: ShownText): readonly Line[] {
  const returned = recordOf(output.text)
  if (typeof returned?.['diff'] === 'string') return differenceLines(returned['diff'].split('\n'))
  const changed = output.more === undefined ? undefined : changeLines(input.text)
  if (changed && changed.length > 0) return bounded(changed, shownDifference)
  if (typeof returned?.['output'] === 'string') {
    const code = returned['exitCode']
    const failed = code === 0 || code === undefined ? [] : [line(`  exit code ${String(code)}`, 'red')]
    return [...quoted(returned['output']), ...failed]
  }
  return quoted(output.more === undefined ? output.text : `${output.text}…`)
}

function quoted(text: string): readonly Line[] {
  const lines = textLines(text.trimEnd()).filter((one, at, all) => one !== '' || (at > 0 && at < all.length - 1))
  return bounded(
    lines.map((one) => line(`  ${one}`, 'faint')),
    shownOutput,
  )
}

/** Lines within a bound: those in the middle are counted instead. */
function bounded(lines: readonly Line[], most: number): readonly Line[] {
  if (lines.length <= most + 1) return lines
  const left = lines.length - most
  return [
    ...lines.slice(0, Math.ceil(most / 2)),
    line(`  … ${counted(left, 'more line')}`, 'faint'),
    ...lines.slice(lines.length - Math.floor(most / 2)),
  ]
}

const looks: Readonly<Record<string, Look>> = { '+': 'green', '-': 'red', '@': 'blue' }

/** A unified difference, without the names of its files. */
function differenceLines(difference: readonly string[]): readonly Line[] {
  const lines = difference.filter((one) => !/^(?:---|\+\+\+|===|Index:)/.test(one) && one !== '')
  return bounded(lines.map(differenceLine), shownDifference)
}

function differenceLine(text: string): Line {
  const look = looks[text[0] ?? '']
  const shown = textLines(text).join(' ')
  return look === undefined ? line(`  ${shown}`, 'faint') : line(`  ${shown}`, look)
}

/** What a call would change, out of its arguments: the passages of an edit, or the content that is written. All of it. */
export function changeLines(input: string): readonly Line[] {
  const given = recordOf(input)
  if (!given) return []
  const edits = Array.isArray(given['edits']) ? (given['edits'] as readonly unknown[]) : []
  const passages = edits.flatMap((one) => {
    const { old, new: wanted, all } = (one ?? {}) as { readonly old?: unknown; readonly new?: unknown; readonly all?: unknown }
    return [...(all === true ? [line('  everywhere:', 'faint')] : []), ...signed('-', old), ...signed('+', wanted)]
  })
  return [...passages, ...signed('+', given['content'])]
}

function signed(sign: '+' | '-', text: unknown): readonly Line[] {
  if (typeof text !== 'string' || text === '') return []
  return textLines(text).map((one) => differenceLine(sign + one))
}
