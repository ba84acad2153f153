/** Explanations in words. */
import { counted, inWords } from '../platform/counted.ts'
import type { ContextPart, Explanation, Fate, FoundPart, PartKind } from './explanation.ts'

/** The kinds in the order in which they are told, with their nouns. */
export const kindWords: { readonly [K in PartKind]: string } = {
  system: 'system text',
  tool: 'tools',
  summary: 'summaries',
  input: 'inputs',
  steered: 'steered messages',
  reply: 'replies',
  results: 'results',
  item: 'items',
  retrieved: 'retrieved documents',
  note: 'notes',
  hook: 'messages of hooks',
  gap: 'words for what is not shown',
  inserted: 'messages that a hook inserted',
}

/** Everything but the words and the hints. */
type Told = Omit<Explanation, 'words' | 'hints'>

/** An explanation in words. */
export function explanationInWords(told: Told): string {
  return [requestInWords(told), ...fatesInWords(told.parts), ...(told.asked ? askedInWords(told.asked, told.turn) : [])].join(' ')
}

function requestInWords({ turn, tokens, messages, rebase, request }: Told): string {
  const max = rebase?.budget?.max
  const size = `${inWords(tokens.total)} ${max === undefined ? 'tokens' : `of at most ${inWords(max)} tokens`}`
  const kinds = (Object.keys(kindWords) as PartKind[]).flatMap((kind) => (tokens.by[kind] ? [`${kindWords[kind]} ${inWords(tokens.by[kind])}`] : []))
  const sent = request ? `The request of turn ${turn} had` : `The request of turn ${turn} was not sent; it would have had`
  const decided =
    rebase && rebase.reason !== 'start' ? ` What it shows of earlier entries was decided in turn ${rebase.turn} ("${rebase.reason}").` : ''
  return `${sent} ${size} in ${counted(messages, 'message')}: ${kinds.join(', ')}.${decided}`
}

/** How many entries shared which fate. */
function fatesInWords(parts: readonly ContextPart[]): readonly string[] {
  const groups = new Map<string, number>()
  for (const { entry, fate } of parts) if (entry !== undefined) groups.set(groupOf(fate), (groups.get(groupOf(fate)) ?? 0) + 1)
  return [...groups].flatMap(([words, number]) =>
    words === '' ? [] : [`${counted(number, 'entry', 'entries')} ${number === 1 ? 'was' : 'were'} ${words}.`],
  )
}

function groupOf(fate: Fate): string {
  switch (fate.as) {
    case 'verbatim':
      return 'sent whole'
    case 'trimmed':
      return 'sent with results cut'
    case 'summarised':
      return fate.summary === undefined ? 'summarised by a text of the strategy' : `summarised by summary ${fate.summary}`
    case 'dropped':
      return `dropped by the rule "${fate.rule}" (${fate.reason.replace(/\.$/, '')})`
    case 'never eligible':
      return 'not eligible'
    case 'not yet':
    case 'replaced':
      return ''
  }
}

/** A fate in words, as a sentence about "it". */
export function fateInWords(fate: Fate): string {
  switch (fate.as) {
    case 'verbatim':
      return fate.message === undefined ? 'It is in the list of tools.' : `It is in message ${fate.message}, whole.`
    case 'trimmed': {
      const cuts = fate.cuts.map(
        ({ tool, rule, left, of }) => `${inWords(left)} of ${inWords(of)} characters of a result of ${tool} (rule "${rule}")`,
      )
      return `It is in message ${fate.message} in part: ${cuts.join(', ')}.`
    }
    case 'summarised': {
      const which = fate.summary === undefined ? 'A text of the strategy' : `Summary ${fate.summary}`
      const where = fate.section === undefined ? '' : `, in its section "${fate.section}"`
      const line = fate.line === undefined ? 'no line of it shares its words' : `the line that shares most words is "${fate.line}"`
      const leftOut = fate.leftOut === undefined ? '' : ` The summary says that it left out: "${fate.leftOut}".`
      return `${which} stands for it${where}; ${line}.${leftOut}`
    }
    case 'dropped': {
      const budget = fate.budget
        ? ` The budget was ${inWords(fate.budget.max)} tokens, and all of it would have had ${inWords(fate.budget.before)}.`
        : ''
      const took = fate.took.map(
        ({ kind, entry, tokens }) => `${entry === undefined ? kindWords[kind] : `entry ${entry} (${kind})`} ${inWords(tokens)}`,
      )
      const room = took.length > 0 ? ` Most room was taken by: ${took.join(', ')}.` : ''
      return `It was dropped by the rule "${fate.rule}": ${fate.reason.replace(/\.?$/, '.')}${budget}${room}`
    }
    case 'not yet':
      return `It came later, with event ${fate.seq}.`
    case 'never eligible':
      return `It could not be sent. ${fate.because}`
    case 'replaced':
      return `It was replaced by ${fate.by}.`
  }
}

/** Places that are told in words, at most. */
const toldAtMost = 3

function askedInWords({ what, isShown, found, count: all }: NonNullable<Explanation['asked']>, turn: number): readonly string[] {
  if (all === 0) return [`Nothing in the thread has ${what}.`]
  const told = [...found].sort((one, other) => Number(other.isShown) - Number(one.isShown)).slice(0, toldAtMost)
  const head = isShown ? `The request of turn ${turn} has ${what}.` : `The request of turn ${turn} does not have ${what}.`
  const more = all > told.length ? [`There ${all - told.length === 1 ? 'is' : 'are'} ${counted(all - told.length, 'more place')}.`] : []
  return [head, ...told.map(placeInWords), ...more]
}

function placeInWords({ part, fate, where }: FoundPart): string {
  const name = part.entry === undefined ? `${part.kind}${part.name === undefined ? '' : ` ${part.name}`}` : `entry ${part.entry} (${part.kind})`
  const turn = part.turn === undefined ? '' : ` of turn ${part.turn}`
  const place = where === 'all of it' ? '' : `, ${where}`
  return `${name[0]?.toUpperCase()}${name.slice(1)}${turn}${place}: ${fateInWords(fate)}`
}
