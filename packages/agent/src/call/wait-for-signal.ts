/**
 * `ctx.waitFor`: a durable body waits for a value that another process sends to its thread.
 *
 * DURABLE-5. A wait ends once, with the first signal of its name or when its time has passed, and the body gets the same end at every entry.
 */
import { callOf, type Draft, items, type Json, LoomError, type StepRecord } from '@loom-agent/kernel'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { never } from '../platform/never.ts'
import { checkOptions } from '../platform/options.ts'
import { askShape } from '../types/answer.ts'
import { validate } from '../types/schema.ts'
import { checkSignalName } from '../types/signal-name.ts'
import type { Received, WaitOptions } from '../types/wait.ts'
import { recordFacts } from './call-job.ts'
import { type BodyEntry, keyOf, openStep, recordOf, waiting, working } from './durable.ts'

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
  const key = keyOf(entry, 'wait', name)
  const record = recordOf(entry, key) ?? (await startWait(entry, key, { name, until }))
  if (!record) return waiting(entry)
  const ended = record.value as { status: 'received'; value: Json } | { status: 'expired' }
  return ended.status === 'expired' || !schema
    ? ended
    : { status: 'received', value: (await working(entry, () => fit(name, schema, ended.value))) as Json }
}

interface Wait {
  readonly name: string
  readonly until: WaitOptions['until'] | undefined
}

/** Starts the wait, once. Returns its record when the signal has come before. */
async function startWait(entry: BodyEntry, key: string, { name, until }: Wait): Promise<StepRecord | undefined> {
  if (entry.rehearsal || openStep(entry, key)) return undefined
  const { call, work, given } = entry
  // A clock that shows an earlier time is that of a test.
  if (isAfter2000(work.definition.ports.clock.now())) checkOptions('ctx.waitFor', { until }, momentShape)
  const wait = { call: call.id, key, effect: 'pure', signal: name, ...(until !== undefined && { until: Number(until) }) } as const
  const started: Draft = { type: 'tool.step-started', data: wait }
  return working(entry, async () => {
    await recordFacts(work.outbox, call.id, [started])
    const { run } = work.outbox.frame
    const now = run && callOf(run, call.id)
    const record = now && !openStep(entry, key) ? [...items(now.done)].find((done) => done.key === key) : undefined
    if (record) given.add(key)
    return record
  })
}

async function fit(name: string, schema: NonNullable<WaitOptions['schema']>, value: Json): Promise<unknown> {
  const verdict = await validate(schema, value)
  if (verdict.kind === 'valid') return verdict.value
  const message = `The signal ${name} does not fit what the tool waits for: ${verdict.problem}. Send it again in that form; a tool that goes on waiting catches this error.`
  throw new LoomError('LOOM_SIGNAL_INVALID', message, { context: { name, problem: verdict.problem } })
}
