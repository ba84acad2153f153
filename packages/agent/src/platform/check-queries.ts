/** Checks what the methods of a journal are asked. A misspelt field would be answered as if it were not there. */
import type { FeedQuery, Head, RemoveOptions, ThreadQuery } from '@loom-agent/kernel'
import { type Expected, expected } from './expected.ts'
import { checkOptions } from './options.ts'

/** Whole numbers from 1 on: `createJournal` checks them (JOURNAL-19). */
const { anything: count } = expected
const { text, object } = expected
const time = expected.finite(0)

const feedFields: Readonly<Record<keyof FeedQuery, Expected>> = { from: text, limit: count, agent: text, labels: object }
const headKeys: readonly (keyof Head)[] = ['incarnation', 'seq']
const removeFields: Readonly<Record<keyof RemoveOptions, Expected>> = {
  expected: { words: 'a head, with its incarnation and seq', fits: (value) => hasFields(value, headKeys) },
}
const threadFields: Readonly<Record<keyof ThreadQuery, Expected>> = {
  status: expected.oneOf('idle', 'running', 'waiting', 'done', 'failed', 'stopped', 'partial'),
  agent: text,
  labels: object,
  parent: text,
  dueBy: time,
  since: time,
  before: time,
  sort: expected.oneOf('id', 'changed', 'latest'),
  after: { words: 'the last head of the page before, or its id', fits: (value) => text.fits(value) || hasFields(value, ['thread']) },
  limit: count,
}
/** An id does not say when its thread changed, and the order is by that time. */
const timedFields: typeof threadFields = {
  ...threadFields,
  after: { words: 'the last head of the page before: its id is enough only if sorted by id', fits: (value) => hasFields(value, ['thread', 'times']) },
}

const hasFields = (value: unknown, names: readonly string[]): boolean => object.fits(value) && names.every((name) => name in (value as object))

/** A duration is a mistake that would find all threads, or none: none has changed before 2001. 0 is before all of them. */
const moment: Expected = {
  words: 'a moment in milliseconds since 1970, such as Date.now() - 3600_000',
  fits: (value) => value === 0 || isAfter2000(value),
}

const isAfter2000 = (value: unknown): boolean => expected.finite(1e12).fits(value)

/** Refuses a query of threads that has unknown fields, or values that do not fit. A clock that shows a time before 2001 is that of a test. */
export function checkThreadQuery(query: ThreadQuery, now: number): void {
  checkOptions('journal.threads', query, threadFields)
  const { since, before } = query
  if (isAfter2000(now)) checkOptions('journal.threads', { since, before }, { since: moment, before: moment })
  if ((query.sort ?? 'id') !== 'id') checkOptions('journal.threads', query, timedFields)
}

/** The same for the feed. */
export const checkFeedQuery = (query: FeedQuery): void => checkOptions('journal.feed', query, feedFields)

/** The same for a removal. */
export const checkRemoveOptions = (options: RemoveOptions): void => checkOptions('journal.remove', options, removeFields)
