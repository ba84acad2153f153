/** Ways to spoil a request on purpose. */
import type { WireRequest } from '../../src/wire/wire.ts'

/** Makes another request of a request. */
export type Edit = (request: WireRequest) => WireRequest

type Change = (holder: unknown[] | Record<string, unknown>, key: string) => void

/** Changes a copy at a place such as `body.messages.1.content`. */
function changed(request: WireRequest, place: string, change: Change): WireRequest {
  const copy = structuredClone({ path: request.path, headers: request.headers, body: request.body })
  const keys = place.split('.')
  const last = keys.pop() ?? ''
  const holder = keys.reduce((value: unknown, key) => (value as Record<string, unknown>)[key], copy)
  if (typeof holder !== 'object' || holder === null) throw new Error(`There is nothing at ${place}.`)
  change(holder as Record<string, unknown>, last)
  return { ...copy, ...(request.kept && { kept: request.kept }) }
}

/** Puts a value at a place. */
export const put =
  (place: string, value: unknown): Edit =>
  (request) =>
    changed(request, place, (holder, key) => {
      Reflect.set(holder, key, value)
    })

/** Puts a value into a list, before what is at the place. */
export const insert =
  (place: string, value: unknown): Edit =>
  (request) =>
    changed(request, place, (holder, key) => {
      ;(holder as unknown[]).splice(Number(key), 0, value)
    })

/** Takes away what is at a place. */
export const remove =
  (place: string): Edit =>
  (request) =>
    changed(request, place, (holder, key) => {
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else Reflect.deleteProperty(holder, key)
    })

/** Writes one text instead of another, everywhere in the body. */
export const rename =
  (from: string, to: string): Edit =>
  (request) => ({ ...request, body: JSON.parse(JSON.stringify(request.body).replaceAll(JSON.stringify(from), JSON.stringify(to))) as unknown })

/** A spoiled request: the rule that it breaks, the request that it was, the vendor's message, and the edits. */
export type Mutation = readonly [rule: string, base: string, says: string, ...edits: readonly Edit[]]
