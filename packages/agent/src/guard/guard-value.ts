/** Guards at the results of calls: every text of a result is asked about before it is stored. */
import type { Clock, Json, JsonObject, Part } from '@loom-agent/kernel'
import { messageOf, toJson } from '../platform/normalize.ts'
import { content, isContent } from '../types/content.ts'
import { noted, notesOf } from '../types/noted.ts'
import { askGuards } from './ask-guards.ts'
import type { Guard, GuardedPlace, GuardNote } from './guard.ts'

/** Whose result it is, and what asks about it. */
export interface ResultGuarding {
  readonly guards: readonly Guard[]
  readonly place: GuardedPlace
  readonly clock: Clock
}

/** Who is asked, and what was said so far. */
export interface Asking extends ResultGuarding {
  readonly notes: GuardNote[]
}

/** What guards leave of a value, and what they said. */
export interface LeftValue {
  /** The value, or an error where it was blocked. */
  readonly left: unknown
  readonly notes: readonly GuardNote[]
}

/** What guards leave of a value, or of an error. */
export function guardValue(guarding: ResultGuarding, value: unknown): Promise<LeftValue> {
  return guarded(guarding, (asking) => leftOf(asking, value))
}

/** What guards leave of the parts of a message or of a result. */
export function guardParts(guarding: ResultGuarding, parts: readonly Part[]): Promise<LeftValue & { readonly left: readonly Part[] | Error }> {
  return guarded(guarding, (asking) => partsLeft(asking, parts)) as Promise<LeftValue & { readonly left: readonly Part[] | Error }>
}

async function guarded(guarding: ResultGuarding, look: (asking: Asking) => Promise<unknown>): Promise<LeftValue> {
  const asking: Asking = { ...guarding, notes: [] }
  const { notes } = asking
  const left = await look(asking)
  const blocked = notes.find(({ verdict }) => verdict === 'block')
  const withheld = blocked && new Error(`it has run, and its result is withheld by the guard ${blocked.guard}: ${blocked.reason}`)
  return { left: withheld ?? left, notes }
}

/** What guards leave of what a body returned, or of the error that it threw, with its notes and with what they said. */
export async function guardReturned(guarding: ResultGuarding, value: unknown): Promise<unknown> {
  const given = notesOf(value)
  const returned = await guardValue(guarding, given ? given.value : value)
  const about = await guardValue(guarding, given?.meta ?? {})
  const notes = [...returned.notes, ...about.notes]
  const meta = about.left instanceof Error ? {} : (about.left as JsonObject)
  return given || notes.length > 0 ? noted(returned.left, notes.length > 0 ? { ...meta, guards: notes } : meta) : returned.left
}

async function leftOf(asking: Asking, value: unknown): Promise<unknown> {
  if (value === undefined || value === null) return value
  if (value instanceof Error) {
    const message = messageOf(value)
    const text = await ask(asking, message, undefined)
    return text === message ? value : Object.assign(new Error(text), { name: value.name })
  }
  if (!isContent(value)) return walk(asking, toJson(value), undefined)
  return content(await partsLeft(asking, value.parts))
}

/** What guards leave of parts: of texts, data and the names of files. The bytes of files are not looked at. */
export async function partsLeft<Some extends AnyPart>(asking: Asking, given: readonly Some[]): Promise<readonly Some[]> {
  const parts: Some[] = []
  for (const part of given) {
    if (part.type === 'text' || part.type === 'reasoning') parts.push({ ...part, text: await ask(asking, part.text ?? '', undefined) })
    else if (part.type === 'data') parts.push({ ...part, data: await walk(asking, toJson(part.data), undefined) })
    else parts.push(part.type !== 'file' || part.name === undefined ? part : { ...part, name: await ask(asking, part.name, undefined) })
  }
  return parts
}

/** A part of a result as tools give it, or of a message as it is stored. */
interface AnyPart {
  readonly type: string
  readonly text?: string
  readonly data?: unknown
  readonly name?: string
}

async function walk(asking: Asking, value: Json, name: string | undefined): Promise<Json> {
  if (typeof value === 'string') return ask(asking, value, name)
  if (typeof value === 'number') return numberLeft(asking, value, name)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items: Json[] = []
    for (const item of value as readonly Json[]) items.push(await walk(asking, item, name))
    return items
  }
  const fields: [string, Json][] = []
  for (const [key, field] of Object.entries(value as JsonObject))
    if (field !== undefined) fields.push([await ask(asking, key, undefined), await walk(asking, field, key)])
  return Object.fromEntries(fields)
}

/** Cards, phones and pins may be numbers. A number that stays is one. */
async function numberLeft(asking: Asking, value: number, name: string | undefined): Promise<Json> {
  const text = String(value)
  if (!/\d{4}/.test(text)) return value
  const left = await ask(asking, text, name)
  return left === text ? value : left
}

async function ask({ guards, place, clock, notes }: Asking, text: string, name: string | undefined): Promise<string> {
  const asked = await askGuards(guards, text, { place: name === undefined ? place : { ...place, name }, clock })
  for (const note of asked.notes)
    if (!notes.some(({ guard, verdict, reason }) => guard === note.guard && verdict === note.verdict && reason === note.reason)) notes.push(note)
  return asked.text
}
