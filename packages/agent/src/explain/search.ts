/** Finding what was asked about in the parts of a request. */
import { at, type Entry, type Frame, items, LoomError } from '@loom-agent/kernel'
import { layersIn } from '../context/layers.ts'
import type { LanguageModelV4Message } from '../language-model/index.ts'
import { expected } from '../platform/expected.ts'
import { shown } from '../platform/normalize.ts'
import type { Overwritten } from './context-fold.ts'
import type { ContextPart, ExplainWhat, Fate, FoundPart } from './explanation.ts'
import { beginning, type Fragment, fragmentsOf, previewOf } from './fragments.ts'
import type { Tracked } from './prompt-tracker.ts'
import { tokensOfEntry } from './tokens.ts'

/** What is looked for, one way or another. */
export type Wanted = { readonly text: string } | { readonly seq: number } | { readonly call: string } | { readonly item: string }

/** Throws unless it is something that can be looked for. */
export function checkWhat(what: unknown): void {
  const fits = (value: unknown, key: string): boolean => (key === 'seq' ? expected.whole(1) : expected.name).fits(value)
  if (typeof what === 'string' ? fits(what, 'text') : typeof what === 'number' && fits(what, 'seq')) return
  const [field, ...others] = expected.object.fits(what) ? Object.entries(what as object) : []
  if (field && others.length === 0 && ['text', 'seq', 'call', 'item'].includes(field[0]) && fits(field[1], field[0])) return
  const advice = 'Give a text, the seq of an entry, or one of { text }, { seq }, { call }, { item }.'
  throw new LoomError('LOOM_OPTION_INVALID', `explain cannot look for ${shown(what)}. ${advice}`, { context: { option: 'what' } })
}

/** Which of the ways is meant: a text alone is the id of a call or of an item where there is one. */
export function wantedBy(what: ExplainWhat, { history }: Frame): Wanted {
  if (typeof what === 'number') return { seq: what }
  if (typeof what !== 'string') return what
  for (const entry of items(history)) {
    if (entry.item?.id === what) return { item: what }
    if (fragmentsOf(entry).some(({ calls }) => calls.includes(what))) return { call: what }
  }
  return { text: what }
}

/** What is looked for, in words. */
export function wordsFor(wanted: Wanted): string {
  if ('text' in wanted) return `"${beginning(wanted.text)}"`
  if ('seq' in wanted) return `the entry of event ${wanted.seq}`
  return 'call' in wanted ? `the call ${wanted.call}` : `the item "${wanted.item}"`
}

/** A text as it is compared: without case, spaces and the escapes of JSON. */
export const plainText = (text: string): string =>
  text
    .replace(/\\[nrt]/g, '')
    .replace(/\\(["\\])/g, '$1')
    .replace(/\s+/g, '')
    .toLowerCase()

/** Where things are looked for. */
export interface SearchSource {
  readonly parts: readonly ContextPart[]
  readonly tracked: Tracked
  readonly latest: Frame
  readonly overwritten: readonly Overwritten[]
}

/** Every place where something stands. */
export function findParts(wanted: Wanted, { parts, tracked, latest, overwritten }: SearchSource): readonly FoundPart[] {
  const { frame } = tracked
  const found = parts.flatMap((part): readonly FoundPart[] => {
    if (part.entry === undefined) return 'text' in wanted ? findInOther(part, wanted.text, tracked) : []
    const { history } = part.entry < frame.context.covered ? frame : latest
    return findInEntry({ part, entry: at(history, part.entry) as Entry, tracked }, wanted)
  })
  return [...found, ...overwritten.flatMap((one) => findOverwritten(one, wanted))]
}

function findInOther(part: ContextPart, text: string, { frame, messageAt }: Tracked): readonly FoundPart[] {
  const own = ownText(part, frame) ?? (part.fate.as === 'verbatim' && part.fate.message !== undefined ? wordsIn(messageAt(part.fate.message)) : '')
  if (!plainText(own).includes(plainText(text))) return []
  return [{ part, fate: part.fate, where: 'text', excerpt: excerptOf(own, text), isShown: part.fate.as === 'verbatim' }]
}

/** The whole text of a part that is no entry; undefined when the request has it alone. */
function ownText({ kind, name }: ContextPart, { context, summaries }: Frame): string | undefined {
  if (kind === 'system') return layersIn(context)?.find((layer) => layer.name === name)?.text ?? context.system
  if (kind === 'tool') return JSON.stringify(context.tools.find((tool) => tool.name === name) ?? '')
  return kind === 'summary' && name !== undefined ? at(summaries, Number(name))?.summary : undefined
}

const wordsIn = ({ content }: LanguageModelV4Message): string => (typeof content === 'string' ? content : JSON.stringify(content))

interface PlacedPart {
  readonly part: ContextPart
  readonly entry: Entry
  readonly tracked: Tracked
}

function findInEntry({ part, entry, tracked }: PlacedPart, wanted: Wanted): readonly FoundPart[] {
  const found = matching(entry, wanted)
  const { fate } = part
  const isSent = fate.as === 'verbatim' || fate.as === 'trimmed'
  const sent = isSent && 'text' in wanted ? plainText(wordsIn(tracked.messageAt(fate.message ?? 0))) : ''
  return found.map((fragment) => {
    const excerpt = 'text' in wanted ? excerptOf(fragment.text, wanted.text) : beginning(fragment.text)
    const own = 'call' in wanted ? fateOfCall(fate, fragment) : fate
    if (!('text' in wanted)) return { part, fate: own, where: fragment.where, excerpt, isShown: own.as === 'verbatim' }
    const isShown = isSent && sent.includes(plainText(wanted.text))
    return { part, fate: isShown || fate.as !== 'verbatim' ? fate : unsent(fragment), where: fragment.where, excerpt, isShown }
  })
}

/** The texts of an entry that are meant. */
function matching(entry: Entry, wanted: Wanted): readonly Fragment[] {
  const whole = (): readonly Fragment[] => [{ where: 'all of it', text: previewOf(entry), calls: [] }]
  if ('seq' in wanted) return entry.seq === wanted.seq ? whole() : []
  if ('item' in wanted) return entry.item?.id === wanted.item ? whole() : []
  const fragments = fragmentsOf(entry)
  if ('call' in wanted) return fragments.filter(({ calls }) => calls.includes(wanted.call))
  const plain = plainText(wanted.text)
  const found = fragments.find(({ text }) => plainText(text).includes(plain))
  return found ? [found] : []
}

/** Whether something stands in an entry. */
export const matches = (entry: Entry, wanted: Wanted): boolean => matching(entry, wanted).length > 0

/** Other results of the same entry may be cut, and this one not. */
function fateOfCall(fate: Fate, { calls }: Fragment): Fate {
  if (fate.as !== 'trimmed') return fate
  const cuts = fate.cuts.filter(({ call }) => calls.includes(call))
  return cuts.length > 0 ? { ...fate, cuts } : { as: 'verbatim', message: fate.message }
}

/** Why words of an entry that is in the request are not. */
function unsent({ where }: Fragment): Fate {
  if (where === 'reasoning') {
    return { as: 'never eligible', because: 'It is reasoning, which goes only to the vendor that made it, and only when something follows it.' }
  }
  return { as: 'never eligible', because: 'The entry is in the request, and this part of it is one that is not sent back to a model.' }
}

/** What a hook replaced before the model could be sent it. */
function findOverwritten({ entry, what, hook = 'a hook', seq, turn }: Overwritten, wanted: Wanted): readonly FoundPart[] {
  if (!('text' in wanted)) return []
  const by = `the ${what} that the hook "${hook}" gave`
  const fate: Fate = { as: 'replaced', by, seq }
  const part: ContextPart = {
    kind: entry.origin,
    seq: entry.seq,
    turn,
    text: previewOf(entry),
    tokens: 0,
    size: Math.round(tokensOfEntry(entry)),
    fate,
  }
  return matching(entry, wanted).map(({ where, text }) => ({ part, fate, where, excerpt: excerptOf(text, wanted.text), isShown: false }))
}

/** Characters around what was found. */
const around = 40

/** The words around a text; where only its spaces differ, the beginning. */
function excerptOf(text: string, wanted: string): string {
  const start = text.toLowerCase().indexOf(wanted.toLowerCase())
  if (start < 0) return beginning(text)
  const from = Math.max(0, start - around)
  const to = start + wanted.length + around
  const cut = text.slice(from, to).toWellFormed().replace(/\s+/g, ' ').trim()
  return `${from > 0 ? '…' : ''}${cut}${to < text.length ? '…' : ''}`
}
