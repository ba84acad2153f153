/**
 * Mutations of exports: of bytes, of lines, and of what lines say. The latter are linked anew, so that they pass the hashes. Everything follows from a seed.
 */
import { claim, type Line, nested, type RawEvent, type Section, sealed } from '../forged-export.ts'

/** Numbers from 0 to 1 that follow from a seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** What mutations choose from. */
interface Chance {
  readonly random: () => number
  /** Names of threads that the journal has. */
  readonly names: readonly string[]
}

type Values = Record<string | number, unknown>

const below = ({ random }: Chance, limit: number): number => Math.floor(random() * limit)
const pick = <T>(chance: Chance, items: readonly T[]): T | undefined => items[below(chance, items.length)]

const strange: readonly unknown[] = [
  ...[null, true, false, 0, -1, 0.5, 1e308, -1e308, Number.MAX_SAFE_INTEGER, 2 ** 53, '', ' ', '\u0000', '\ud800', '__proto__', 'r1', 'r2', '1.0'],
  ...['running', 'waiting', 'done', 'partial', 'x'.repeat(1000), 'y'.repeat(70_000), [], {}, [[]], { length: 1 }, { $blob: 'x', bytes: 1 }],
  ...[JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"constructor":{"prototype":{}}}'), JSON.parse(nested(600))],
]

/** All places in a value, each as the object that has it and its key. */
function placesIn(value: unknown, found: [Values, string | number][] = []): [Values, string | number][] {
  if (typeof value !== 'object' || value === null || found.length > 5000) return found
  for (const key of Object.keys(value)) {
    const holder = value as Values
    found.push([holder, Array.isArray(value) ? Number(key) : key])
    placesIn(holder[key], found)
  }
  return found
}

const objectsOf = (sections: readonly Section[]): readonly (Line & { body: Record<string, unknown> })[] =>
  sections.flat().filter((line): line is Line & { body: Record<string, unknown> } => typeof line.body === 'object')

/** The lists of events that earlier mutations have left as such. */
const eventLists = (sections: readonly Section[]): readonly RawEvent[][] =>
  objectsOf(sections).flatMap(({ body }) => (Array.isArray(body['events']) && body['events'].every(isEvent) ? [body['events'] as RawEvent[]] : []))

const isEvent = (event: unknown): boolean => Array.isArray(event) && typeof event[1] === 'object' && event[1] !== null

type Mutation = (sections: Section[], chance: Chance) => void

/** Counts of a list changed, and the heads that follow from it. */
function renumber(sections: readonly Section[]): void {
  for (const section of sections) {
    const header = section[0]?.body
    const fork = typeof header === 'object' ? (header['forkOf'] as { seq?: unknown } | undefined) : undefined
    let seq = 0
    for (const line of section) {
      const { body } = line
      const events = typeof body === 'object' && Array.isArray(body['events']) ? body['events'].length : 0
      if (events > 0 && seq === 0) seq = typeof fork?.seq === 'number' ? fork.seq : 0
      seq += events
      line.head = [seq, line.head[1]]
    }
  }
}

const structural: readonly Mutation[] = [
  function changeValue(sections, chance) {
    const [holder, key] = pick(chance, placesIn(pick(chance, objectsOf(sections))?.body)) ?? []
    if (holder && key !== undefined) holder[key] = pick(chance, strange)
  },
  function exchangeValues(sections, chance) {
    const [one, two] = [0, 1].map(() => pick(chance, placesIn(pick(chance, objectsOf(sections))?.body)))
    if (one && two) one[0][one[1]] = structuredClone(two[0][two[1]])
  },
  function removeField(sections, chance) {
    const [holder, key] = pick(chance, placesIn(pick(chance, objectsOf(sections))?.body)) ?? []
    if (holder && key !== undefined && !Array.isArray(holder)) delete holder[key]
  },
  function addField(sections, chance) {
    const body = pick(chance, objectsOf(sections))?.body
    const [holder] = pick(chance, placesIn(body)) ?? []
    if (holder && !Array.isArray(holder))
      Object.defineProperty(holder, pick(chance, ['__proto__', 'call', 'parent', 'effect', 'forkOf', 'id']) ?? 'x', {
        value: pick(chance, strange),
        enumerable: true,
        configurable: true,
        writable: true,
      })
  },
  function repeatEvent(sections, chance) {
    const lists = eventLists(sections)
    const event = pick(chance, pick(chance, lists) ?? [])
    const list = pick(chance, lists)
    if (event && list) list.splice(below(chance, list.length + 1), 0, structuredClone(event))
    renumber(sections)
  },
  function removeEvent(sections, chance) {
    const list = pick(chance, eventLists(sections))
    list?.splice(below(chance, list.length), 1)
    renumber(sections)
  },
  function exchangeEvents(sections, chance) {
    const list = pick(chance, eventLists(sections)) ?? []
    const [one, two] = [below(chance, list.length), below(chance, list.length)]
    const [first, second] = [list[one], list[two]]
    if (first && second) Object.assign(list, { [one]: second, [two]: first })
  },
  function changeType(sections, chance) {
    const lists = eventLists(sections)
    const event = pick(chance, pick(chance, lists) ?? [])
    const other = pick(chance, pick(chance, lists) ?? [])
    if (event && other) event[0] = other[0]
  },
  function forgeApproval(sections, chance) {
    const lists = eventLists(sections)
    const asked = lists.flat().filter(([type]) => type === 'question.asked')
    const list = pick(chance, lists)
    list?.push(['question.answered', { id: pick(chance, asked)?.[1]?.['id'] ?? 'q', answer: { kind: 'approve', scope: 'thread' } }, 2])
    renumber(sections)
  },
  function forgeStart(sections, chance) {
    const list = pick(chance, eventLists(sections))
    list?.push(['tool.started', { call: `${1 + below(chance, 3)}.0`, effect: pick(chance, ['read', 'idempotent', 'unsafe', 'pure']), durable: true }])
    renumber(sections)
  },
  function forgeSummary(sections, chance) {
    const status = pick(chance, ['running', 'waiting', 'idle', 'done', 'failed', 'partial'])
    claim(pick(chance, sections), { status, wakeAt: below(chance, 10), agent: pick(chance, ['boss', 'clerk', 'root']), labels: { admin: true } })
  },
  function forgeParent(sections, chance) {
    const parent = pick(chance, [
      ...chance.names,
      ...sections.map((section) => (typeof section[0]?.body === 'object' ? section[0].body['thread'] : '')),
    ])
    const section = pick(chance, sections)
    const first = eventLists(section ? [section] : [])[0]?.[0]
    if (first) first[1]['parent'] = { thread: parent, call: '1.0', key: 'k', depth: 1 }
    claim(section, { parent })
  },
  function rename(sections, chance) {
    const header = pick(chance, sections)?.[0]?.body
    if (typeof header === 'object') header['thread'] = pick(chance, [...chance.names, 'other', 't@1', '', '../t'])
  },
  function moveCut(sections, chance) {
    const header = pick(chance, sections)?.[0]?.body
    if (typeof header !== 'object') return
    header['forkOf'] = { thread: pick(chance, [...chance.names, header['thread']]), incarnation: header['incarnation'], seq: below(chance, 12) }
    renumber(sections)
  },
  function changeHead(sections, chance) {
    const line = pick(chance, sections.flat())
    if (line)
      line.head = [line.head[0] + below(chance, 3) - 1, pick(chance, [0, 1, 99_999, 1e9, 1e15]) ?? 0].map((one) => Math.max(0, one)) as [
        number,
        number,
      ]
  },
  function exchangeSections(sections, chance) {
    const [one, two] = [below(chance, sections.length), below(chance, sections.length)]
    const [first, second] = [sections[one], sections[two]]
    if (first && second) Object.assign(sections, { [one]: second, [two]: first })
  },
  function repeatSection(sections, chance) {
    sections.splice(below(chance, sections.length + 1), 0, structuredClone(pick(chance, sections) ?? []))
  },
  function addBlob(sections, chance) {
    const section = pick(chance, sections) ?? []
    const place = 1 + below(chance, section.length)
    section.splice(place, 0, {
      body: { blob: pick(chance, ['b', '0'.repeat(64)]), base64: pick(chance, ['AQID', '***', '']) },
      head: section[place - 1]?.head ?? [0, 0],
    })
  },
  function nestDeep(sections, chance) {
    const line = pick(chance, sections.flat())
    if (line) line.body = `${JSON.stringify(line.body).slice(0, -1)},"deep":${nested(1 + below(chance, 20_000))}}`
  },
]

type LineMutation = (lines: string[], chance: Chance) => void

const ofLines: readonly LineMutation[] = [
  function flip(lines, chance) {
    const at = below(chance, lines.length)
    const line = lines[at] ?? ''
    const place = below(chance, line.length)
    lines[at] = line.slice(0, place) + String.fromCharCode(line.charCodeAt(place) ^ (1 << below(chance, 8))) + line.slice(place + 1)
  },
  (lines, chance) => void lines.splice(below(chance, lines.length), 1),
  (lines, chance) => void lines.splice(below(chance, lines.length), 0, pick(chance, lines) ?? ''),
  (lines, chance) => void lines.splice(below(chance, lines.length), lines.length),
  (lines, chance) =>
    void lines.splice(below(chance, lines.length), 0, pick(chance, ['{}', '[]', 'null', '{"id":"x"}', nested(50_000), '\u0000', '{"end":[]}']) ?? ''),
  function cutLine(lines, chance) {
    const at = below(chance, lines.length)
    lines[at] = (lines[at] ?? '').slice(0, below(chance, 400))
  },
]

/** A mutated export: one to three mutations of what it says, or one of its lines. */
export function mutated(exports: readonly (readonly Section[])[], { seed, names }: { seed: number; names: readonly string[] }): readonly string[] {
  const chance: Chance = { random: randomOf(seed), names }
  const sections = structuredClone(pick(chance, exports) ?? []) as Section[]
  if (chance.random() < 0.2) {
    const lines = [...sealed(sections)]
    pick(chance, ofLines)?.(lines, chance)
    return lines
  }
  for (let count = 1 + below(chance, 3); count > 0; count -= 1) pick(chance, structural)?.(sections, chance)
  return sealed(sections)
}
