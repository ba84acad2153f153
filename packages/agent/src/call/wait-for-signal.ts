/**
 * `ctx.waitFor`: a durable body waits for a value that another process sends to its thread.
 *
 * DURABLE-5. A wait ends once, with the first signal of its name or when its time has passed, and the body gets the same end at every entry.
 */
import { type Draft, type Json, LoomError } from '@loom-agent/kernel'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { never } from '../platform/never.ts'
import { checkOptions } from '../platform/options.ts'
import { askShape } from '../types/answer.ts'
import { validate } from '../types/schema.ts'
import { checkSignalName } from '../types/signal-name.ts'
import type { Received, WaitOptions } from '../types/wait.ts'
import { type BodyEntry, keyOf, openStep } from './body-entry.ts'
import { checking, delivered, isRecorded, noteDurable, working } from './delivery.ts'
import { recordFacts } from './record-facts.ts'

const waitShape: Readonly<Record<keyof WaitOptions, Expected>> = {
  until: { words: 'a date, or milliseconds since 1970', fits: (value) => expected.finite(0).fits(value instanceof Date ? value.getTime() : value) },
  schema: askShape.schema,
}

/** A number that is a duration, where a moment is expected, would end the wait at once. */
const momentShape: Shape = {
  until: { words: 'a moment in milliseconds since 1970, such as Date.now() + 60_000', fits: (value) => value instanceof Date || isAfter2000(value) },
}

const isAfter2000 = (time: unknown): boolean => expected.finite(1e12).fits(time)

/** Waits for the next signal of the name. */
export async function waitForSignal(entry: BodyEntry, name: string, options: WaitOptions = {}): Promise<Received> {
  if (entry.dead) return never()
  checkSignalName(name)
  checkOptions('ctx.waitFor', options, waitShape)
  const { until, schema } = options
  const key = keyOf(entry, { kind: 'wait', name })
  if (!entry.rehearsal && !isRecorded(entry, key) && !openStep(entry, key)) await startWait(entry, key, { name, until })
  const ended = (await delivered(entry, key)).value as { status: 'received'; value: Json } | { status: 'expired' }
  return ended.status === 'expired' || !schema
    ? ended
    : { status: 'received', value: (await checking(entry, () => fit(name, schema, ended.value))) as Json }
}

interface Wait {
  readonly name: string
  readonly until: WaitOptions['until'] | undefined
}

/** Starts the wait. The signal may have come before: then it is recorded at once. */
async function startWait(entry: BodyEntry, key: string, { name, until }: Wait): Promise<void> {
  const { call, work } = entry
  // A clock that shows an earlier time is that of a test.
  if (isAfter2000(work.definition.ports.clock.now())) checkOptions('ctx.waitFor', { until }, momentShape)
  const wait = { call: call.id, key, effect: 'pure', signal: name, ...(until !== undefined && { until: Number(until) }) } as const
  const started: Draft = { type: 'tool.step-started', data: wait }
  await working(entry, async () => {
    if (await recordFacts(work, [started])) noteDurable(entry, key)
  })
}

async function fit(name: string, schema: NonNullable<WaitOptions['schema']>, value: Json): Promise<unknown> {
  const verdict = await validate(schema, value)
  if (verdict.kind === 'valid') return verdict.value
  const message = `The signal ${name} does not fit what the tool waits for: ${verdict.problem}. Send it again in that form; a tool that goes on waiting catches this error.`
  throw new LoomError('LOOM_SIGNAL_INVALID', message, { context: { name, problem: verdict.problem } })
}
