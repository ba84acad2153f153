/** The part of an event that is compared: the rest depends on the moment, on the machine, or on what was redacted. */
import type { EventOf, Failure, Json, JsonObject, LoomEvent, RunRequest } from '@loom-agent/kernel'
import { questionPlaceOf } from './script.ts'

/** A time in milliseconds after the event: small differences do not count. */
export const laterKeys: ReadonlySet<string> = new Set(['sleepsFor', 'expiresIn'])

type ComparedParts = { readonly [T in LoomEvent['type']]?: (event: EventOf<T>) => object }

const failureOf = ({ code, message }: Failure): object => ({ code, message })
const later = (moment: number | undefined, time: number): number | undefined => (moment === undefined ? undefined : moment - time)

function requestOf({ input, agent, settings, limits, metadata, unattended, done, repairs }: RunRequest): object {
  // Runs have not always recorded whether a model without a price is refused; a run that is refused fails.
  const { unpriced: _unpriced, calls: _calls, children: _children, ...bounds } = limits
  return { input, agent: { name: agent.name }, settings, limits: bounds, metadata, unattended, done, repairs }
}

const startOf = ({ data }: EventOf<'run.started'> | EventOf<'run.queued'>): object =>
  'request' in data ? { run: data.run, request: requestOf(data.request) } : { run: data.run }

const comparedParts: ComparedParts = {
  'thread.started': ({ data: { incarnation: _incarnation, parent, ...rest } }) => ({
    ...rest,
    parent: parent && { call: parent.call, depth: parent.depth },
  }),
  'run.started': startOf,
  'run.queued': startOf,
  // Where a layer ends follows from the system text, which is compared itself.
  'context.assembled': ({ data: { rebase, ...rest } }) => ({
    ...rest,
    rebase: rebase && { ...rebase, layers: rebase.layers?.map(({ name, origin }) => ({ name, origin })) },
  }),
  'model.requested': ({ data: { attempt, reserved } }) => ({ attempt, reserved: reserved?.tokens }),
  'model.replied': ({ data: { ms: _ms, cost: _cost, ...reply } }) => reply,
  'model.failed': ({ data: { attempt, error, retryAt, partial } }) => ({
    attempt,
    error: failureOf(error),
    triesAgain: retryAt !== undefined,
    partial,
  }),
  'tool.started': ({ data: { call, effect, durable, input, allowedBy } }) => ({ call, effect, durable, input, allowedBy }),
  // What is kept of a long result beside its event is no part of a fixture, and the files that a body has changed are not there.
  'tool.finished': ({ data: { ms: _ms, stages: _stages, whole: _whole, files: _files, contents: _contents, unseen: _unseen, ...outcome } }) =>
    outcome,
  'tool.step-started': ({ data: { call, key, effect, until, signal }, time }) => ({ call, key, effect, signal, sleepsFor: later(until, time) }),
  'tool.step-finished': ({ data: { error, ...rest } }) => ({ ...rest, error: error && failureOf(error) }),
  'question.asked': ({ data: { id, digest: _digest, grant: _grant, expires, prompt, ...rest }, time }) => ({
    place: questionPlaceOf(id),
    ...rest,
    prompt: rest.kind === 'limit' ? undefined : prompt,
    expiresIn: later(expires, time),
  }),
  'question.expired': ({ data }) => ({ place: questionPlaceOf(data.id) }),
  'child.started': ({ data: { call, key, agent } }) => ({ call, key, agent }),
  'child.finished': ({ data: { call, key, value, error, usage } }) => ({ call, key, value, error: error && failureOf(error), usage }),
  'run.failed': ({ data }) => ({ error: failureOf(data.error) }),
  // The reason says the same in words, which may change.
  'run.stopped': ({ data: { kind, limit, max, used, reason } }) =>
    limit === undefined
      ? { kind, reason: kind === 'length' || kind === 'filtered' ? undefined : reason, used }
      : { kind, limit, max, used: limit === 'time' ? undefined : used },
}

/** A value as plain data: addresses of files are objects, and count by their text. */
export function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject
}

/** The data of an event that is compared, as plain data. */
export function comparedDataOf(event: LoomEvent): JsonObject {
  const compared = comparedParts[event.type] as ((event: LoomEvent) => object) | undefined
  return plain(compared ? compared(event) : event.data)
}

/** Where two values differ first, and how. */
export interface Difference {
  readonly path: string
  readonly recorded: Json | undefined
  readonly replayed: Json | undefined
}

const isBranch = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null

/** The first place at which two values differ; undefined when they are the same. An absent field and an undefined one are the same. */
export function firstDifference(recorded: Json | undefined, replayed: Json | undefined, path = ''): Difference | undefined {
  if (Object.is(recorded, replayed)) return undefined
  if (!isBranch(recorded) || !isBranch(replayed) || Array.isArray(recorded) !== Array.isArray(replayed)) return { path, recorded, replayed }
  for (const key of new Set([...Object.keys(recorded), ...Object.keys(replayed)])) {
    const [before, now] = [recorded[key], replayed[key]]
    if (laterKeys.has(key) && isAbout(before, now)) continue
    const found = firstDifference(before, now, path === '' ? key : `${path}.${key}`)
    if (found) return found
  }
  return undefined
}

/** Recorded times include the time that it took to write something. */
function isAbout(before: Json | undefined, now: Json | undefined): boolean {
  return typeof before === 'number' && typeof now === 'number' && Math.abs(before - now) <= Math.max(1000, before * 0.05)
}
