/** The block below the text: what is being written and called, the question, the input, the footer. A function of the state. Pure. */
import { costWords, durationWords, tokenWords } from '../output/words.ts'
import { cutLine, type Line, line, textLines, wrapLine, wrapText } from '../screen/line.ts'
import type { Block } from '../screen/view.ts'
import { aboutCall, markOf } from './call-lines.ts'
import type { ChatState, LiveCall, Picker } from './chat-state.ts'
import { layOut } from './editor-rows.ts'
import { isAnswerable } from './on-key.ts'
import { answerKeys } from './question-lines.ts'
import { commandsLike } from './slash-commands.ts'

const prompt = '› '

/**
 * The block of a state: never higher than the terminal less one row, and never wider. The input is last: a terminal that becomes narrower moves what is below
 * its cursor in ways of its own.
 */
export function blockOf(state: ChatState): Block {
  const width = Math.max(4, state.size.columns - 1)
  const most = Math.max(3, state.size.rows - 1)
  const status = [...hintLines(state), footerLine(state)].slice(0, Math.max(1, most - 2))
  const editor = layOut(state.editor, Math.max(2, width - prompt.length), Math.max(1, Math.min(8, most - status.length - 1)))
  const input = editor.rows.map((text, at): Line => [[at === 0 ? prompt : ' '.repeat(prompt.length), 'blue'], [text]])
  const room = Math.max(0, most - status.length - input.length)
  const asked = [...pickerLines(state.picker), ...questionLines(state)].flatMap((one) => wrapLine(one, width, 2)).slice(0, room)
  const queued = state.queued.slice(0, 3).map(
    ({ text }): Line => [
      ['  later: ', 'faint'],
      [textLines(text).join(' '), 'faint'],
    ],
  )
  const under = [...workLines(state, width), ...queued]
  const work = under.slice(Math.max(0, under.length - room + asked.length))
  const above = [...(room > asked.length ? work : []), ...asked, ...status]
  const lines = [...above, ...input].map((one) => cutLine(one, width))
  return { lines, row: above.length + editor.row, column: Math.min(width, prompt.length + editor.column) }
}

/** Rows of the line that is being written. */
const writtenRows = 6
/** Calls that are shown while they run. */
const shownCalls = 5

/** What is under way. */
function workLines(state: ChatState, width: number): readonly Line[] {
  const { reply, calls, status, now, since } = state
  const open = calls.filter(({ status: call }) => call !== 'proposed' && call !== 'asked')
  const written = writtenLines(reply.text.slice(reply.above), width, reply.above === 0)
  const shown = open.slice(0, shownCalls).flatMap((call) => liveCallLines(call, now))
  const more = open.length > shownCalls ? [line(`  … and ${open.length - shownCalls} more calls`, 'faint')] : []
  const doing = { working: doingWords(state), stopping: 'stopping', waiting: 'waits', idle: '' }[status]
  const isQuiet = status === 'idle' || (status === 'waiting' && state.questions.length > 0)
  return [...written, ...shown, ...more, ...(isQuiet ? [] : [line(`  ${doing} … ${secondsWords(now - since)}`, 'faint')])]
}

const second = 1_000

/** A time that is going on: whole seconds, so that it changes once in a second. */
function secondsWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / second))
  return seconds < 60 ? `${seconds} s` : durationWords(seconds * second)
}

function doingWords({ reply, calls }: ChatState): string {
  if (reply.writing) return `writes the arguments of ${reply.writing.tool}, ${tokenWords(reply.writing.length)} characters`
  if (reply.text !== '') return 'writes'
  if (reply.reasoning > 0) return `thinks, ${tokenWords(reply.reasoning)} characters`
  return calls.length > 0 ? 'works' : 'waits for the model'
}

/** The end of the line that is being written. Only as much of it is looked at as can be shown. */
function writtenLines(text: string, width: number, isFirst: boolean): readonly Line[] {
  if (text === '') return []
  const end = text.slice(-writtenRows * width)
  const rows = textLines(end.toWellFormed())
    .flatMap((one) => wrapText(one, width - 2))
    .slice(-writtenRows)
  return rows.map(({ text: row }, at): Line => [[at === 0 && isFirst ? '● ' : '  ', 'green'], [row]])
}

function liveCallLines({ tool, input, status, since, report }: LiveCall, now: number): readonly Line[] {
  const [mark, look] = markOf(status)
  const time = status === 'running' && now - since >= second ? `  ${secondsWords(now - since)}` : ''
  const heading: Line = [[`${mark} `, look], [tool, 'bold'], [` ${aboutCall(input)}`], [time, 'faint']]
  return report === '' ? [heading] : [heading, line(`  ${report}`, 'faint')]
}

/** Options that are shown at once. */
const shownOptions = 8

function pickerLines(picker: Picker | undefined): readonly Line[] {
  if (!picker) return []
  const { title, options, index } = picker
  const first = Math.max(0, Math.min(index - shownOptions + 1, options.length - shownOptions))
  const from = index < first ? index : first
  const shown = options.slice(from, from + shownOptions).map(({ label }, at): Line => {
    const isChosen = from + at === index
    return [[isChosen ? '❯ ' : '  ', 'blue'], isChosen ? [textLines(label).join(' '), 'bold'] : [textLines(label).join(' ')]]
  })
  const more = options.length > shownOptions ? `, ${index + 1} of ${options.length}` : ''
  return [line(title, 'bold'), ...shown, line(`  Up, Down, Enter; Esc leaves it${more}`, 'faint')]
}

/** How the question is answered. The question itself stands above, whole. */
function questionLines(state: ChatState): readonly Line[] {
  const { questions, answering } = state
  const [question] = questions
  if (answering) {
    const what = { reject: 'Why not? The model reads it', edit: 'The arguments, as JSON', respond: 'The answer: JSON, or a text' }[answering.with]
    return [line(`${what}. Enter sends it, Esc goes back.`, 'yellow')]
  }
  if (!question || state.picker) return []
  const count = questions.length > 1 ? ` (the first of ${questions.length})` : ''
  const about = question.call ? question.call.tool : question.kind
  if (!isAnswerable(state)) {
    const why = state.editor.text === '' ? '…' : 'send or clear what is written to answer it'
    return [[['? ', 'yellow'], [`${about} asks${count}: `], [why, 'faint']]]
  }
  const keys = answerKeys(question).flatMap(({ key, words }, at) => [[at === 0 ? '' : '  '], [key, 'bold'], [` ${words}`]] as Line)
  return [[['? ', 'yellow'], [`${about} asks${count}: `], ...keys]]
}

function hintLines(state: ChatState): readonly Line[] {
  const like = commandsLike(state.editor.text)
  if (like.length > 0) {
    const [only, ...others] = like
    const words = others.length === 0 && only ? `/${only.name} ${only.takes ?? ''}  ${only.does}` : like.map(({ name }) => `/${name}`).join('  ')
    return [line(`  ${words}`, 'faint')]
  }
  return state.hint === undefined ? [] : [line(`  ${state.hint}`, 'faint')]
}

/** The agent, the model, the mode, the context, what was used, where the thread is. What matters most comes first: a narrow terminal cuts the rest. */
function footerLine(state: ChatState): Line {
  const { mode, agent, model, chosenModel, used, thread, seq } = state
  const figures = [
    contextWords(state),
    costWords(used.cost, used.unpriced),
    mode,
    `${tokenWords(used.tokens)} tok`,
    chosenModel ?? model ?? '',
    agent,
    ...(thread === undefined ? [] : [`${thread}@${seq}`]),
    '/help',
  ]
  return line(figures.filter((one) => one !== '').join(' · '), 'faint')
}

function contextWords({ contextTokens, window }: ChatState): string {
  if (contextTokens === undefined) return 'ctx ?'
  if (window === undefined) return `ctx ${tokenWords(contextTokens)}`
  return `ctx ${Math.min(100, Math.round((100 * contextTokens) / window))}%`
}
