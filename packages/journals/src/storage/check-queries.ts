/** Checks what the methods of a journal are asked. A misspelt field would be answered as if it were not there. */
import type { FeedQuery, Head, Journal, ReadRange, RemoveOptions, ThreadQuery } from '@loom-agent/kernel'
import { aFunction, checkOptions, type Expected, numberFrom, anObject as object, oneOf } from './options.ts'

/** Whole numbers from 1 on: `createJournal` checks them (JOURNAL-19). */
const count: Expected = { words: 'a whole number from 1 on', fits: () => true }
const text: Expected = { words: 'a text', fits: (value) => typeof value === 'string' }
const time = numberFrom(0)

const readFields: Readonly<Record<keyof ReadRange, Expected>> = { from: count, limit: count, incarnation: text }
const feedFields: Readonly<Record<keyof FeedQuery, Expected>> = { from: text, limit: count, agent: text, labels: object }
const headKeys: readonly (keyof Head)[] = ['incarnation', 'seq']
const removeFields: Readonly<Record<keyof RemoveOptions, Expected>> = {
  expected: { words: 'a head, with its incarnation and seq', fits: (value) => hasFields(value, headKeys) },
}
const threadFields: Readonly<Record<keyof ThreadQuery, Expected>> = {
  status: oneOf('idle', 'running', 'waiting', 'done', 'failed', 'stopped', 'partial'),
  agent: text,
  labels: object,
  parent: text,
  dueBy: time,
  since: time,
  before: time,
  sort: oneOf('id', 'changed', 'latest'),
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
  fits: (value) => value === 0 || Number(value) >= year2001,
}
const year2001 = 1e12

/** The journal, whose methods refuse queries that have unknown fields, or values that do not fit. `now` is its clock. */
export function checkQueries(journal: Journal, now: () => number = Date.now): Journal {
  return {
    ...journal,
    async read(thread, range = {}) {
      checkOptions('journal.read', range, readFields)
      return journal.read(thread, range)
    },
    async threads(query = {}) {
      checkOptions('journal.threads', query, threadFields)
      const { since, before } = query
      // A clock that shows an earlier time is that of a test.
      if (now() >= year2001) checkOptions('journal.threads', { since, before }, { since: moment, before: moment })
      if ((query.sort ?? 'id') !== 'id') checkOptions('journal.threads', query, timedFields)
      return journal.threads(query)
    },
    async feed(query = {}) {
      checkOptions('journal.feed', query, feedFields)
      return journal.feed(query)
    },
    async remove(thread, options = {}) {
      checkOptions('journal.remove', options, removeFields)
      return journal.remove(thread, options)
    },
    watch(thread, hint) {
      checkOptions('journal.watch', { hint }, { hint: { ...aFunction, required: true } })
      return journal.watch(thread, hint)
    },
  }
}
