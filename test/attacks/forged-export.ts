/** Exports that an attacker has changed: every line is linked again, so that the hashes fit. Written from the format alone, without Loom's code. */
import { createHash } from 'node:crypto'
import { exportThread } from '@loom-agent/journals'
import type { Journal } from '@loom-agent/kernel'

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')

/** The digest of bytes. */
export const digestOf = (bytes: Uint8Array): string => sha256(bytes)

/** A line: what it says, or its text, and the head that it claims. */
export interface Line {
  body: Record<string, unknown> | string
  head: readonly [seq: number, epoch: number]
}

/** An event in a line. */
export type RawEvent = [type: string, data: Record<string, unknown>, version?: number]

/** The lines of one thread. */
export type Section = Line[]

/** An export as the sections of its threads. */
export async function sectionsOf(journal: Journal, thread: string): Promise<Section[]> {
  const sections: Section[] = []
  for await (const line of exportThread(journal, thread)) {
    const { head, hash: _hash, ...body } = JSON.parse(line) as { head: [number, number]; hash: string }
    if ('loom' in body) sections.push([])
    sections.at(-1)?.push({ body, head })
  }
  return sections
}

/** The lines of sections, linked anew. */
export function sealed(sections: readonly Section[]): readonly string[] {
  const ends: string[] = []
  return sections.flatMap((section, index) => {
    const header = section[0]?.body
    let chain = sha256(`loom:${typeof header === 'object' ? header['thread'] : ''}`)
    const lines = section.map(({ body, head }) => {
      const given = typeof body === 'object' && 'end' in body ? { ...body, end: ends } : body
      const json = typeof given === 'string' ? given : JSON.stringify(given)
      const text = `${json.slice(0, -1)},"head":[${head.join(',')}]`
      chain = sha256(`${chain}\n${text}`)
      return `${text},"hash":"${chain}"}`
    })
    if (index < sections.length - 1) ends.push(chain)
    return lines
  })
}

/** The body of a line that is an object. */
export function bodyOf(line: Line | undefined): Record<string, unknown> {
  if (typeof line?.body !== 'object') throw new Error('The line is a text.')
  return line.body
}

/** The lines of a section that are batches. */
export const batchesOf = (section: Section | undefined): Line[] => (section ?? []).filter(({ body }) => typeof body === 'object' && 'events' in body)

/** The events of a batch. */
export const eventsIn = (line: Line | undefined): RawEvent[] => bodyOf(line)['events'] as RawEvent[]

/** The header of a section. */
export const headerOf = (section: Section | undefined): Record<string, unknown> => bodyOf(section?.[0])

/** Adds events to the end of a thread, as a batch of their own; the last one of an export has a line with its end. */
export function extend(section: Section, events: readonly RawEvent[], more: Record<string, unknown> = {}): void {
  const place = section.findLastIndex(({ body }) => typeof body === 'object' && 'events' in body)
  const last = section[place]
  const { summary, ...rest } = bodyOf(last)
  if (last) last.body = rest
  const [seq, epoch] = last?.head ?? [0, 0]
  const head = [seq + events.length, epoch] as const
  const { time } = rest
  let { run, turn } = rest
  for (const [type, data] of eventsIn(last)) {
    if (type === 'run.started') run = data['run']
    if (type === 'turn.entered') turn = data['turn']
  }
  section.splice(place + 1, 0, { body: { id: `forged.${seq + 1}`, v: 2, time, run, turn, events, summary, ...more }, head })
  for (const line of section.slice(place + 2)) line.head = head
}

/** Says something else of a thread in its summary. */
export function claim(section: Section | undefined, change: Record<string, unknown>): void {
  for (const { body } of section ?? []) {
    if (typeof body === 'object' && 'summary' in body) body['summary'] = { ...(body['summary'] as object), ...change }
  }
}

/** The first event of a type in a section. */
export function eventOf(section: Section | undefined, type: string): RawEvent {
  const found = batchesOf(section)
    .flatMap(eventsIn)
    .find(([name]) => name === type)
  if (!found) throw new Error(`There is no ${type}.`)
  return found
}

/** The type, the data and whether an event is one. */
export const dataOf = (section: Section | undefined, type: string): Record<string, unknown> => eventOf(section, type)[1]

/** A value that is nested so deep. */
export const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
