import { memoryJournal } from '@loom-agent/agent'
import { exportThread, importThread, verify } from '@loom-agent/journals'
import type { Draft, Journal, Summary } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { batchAt, facts } from './batches.ts'
import { allOf } from './events.ts'
import { codes } from './file-samples.ts'
import { sealFormat2 } from './transfer-seals.ts'

const link = (thread: string) => ({ thread, call: 'c', depth: 1 })
const started = (parent?: string): readonly Draft[] => [
  { type: 'thread.started', data: { agent: 'a', incarnation: 'first', ...(parent !== undefined && { parent: link(parent) }) } },
]

/** A journal with a parent and its child. */
async function family(): Promise<Journal> {
  const journal = memoryJournal()
  await journal.append('p', batchAt(0, [...started(), ...facts('x')], { summary: { status: 'done', agent: 'a' } }))
  await journal.append('c', batchAt(0, started('p'), { summary: { status: 'done', agent: 'a', parent: 'p' } }))
  return journal
}

type Forged = { readonly thread?: string; readonly header?: object; readonly summary?: object; readonly lines?: readonly object[] }

/** The lines of a thread with one event, forged, with hashes that fit. */
function forged({ thread = 't', header = {}, summary = {}, lines = [] }: Forged): readonly string[] {
  const seal = sealFormat2(thread)
  const whole = { status: 'idle', ...summary }
  const batch = { id: 'b', v: 2, time: 1, events: started().map(({ type, data }) => [type, data]), summary: whole }
  return [
    seal(JSON.stringify({ loom: 'thread', format: 2, thread, incarnation: 'first', exported: thread, ...header }), [0, 0]),
    ...lines.map((line) => seal(JSON.stringify(line), [0, 0])),
    seal(JSON.stringify(batch), [1, 0]),
    seal(JSON.stringify({ end: [], summary: whole }), [1, 0]),
  ]
}

describe('an import refuses with the line what cannot be a thread, and keeps nothing (IMPORT-1, IMPORT-2)', () => {
  const cases: readonly (readonly [string, Forged, string])[] = [
    ['an unknown status', { summary: { status: 'dancing' } }, 'the status'],
    ['labels that are a text', { summary: { labels: 'boo' } }, 'the labels'],
    ['labels that are a list', { summary: { labels: [1] } }, 'the labels'],
    ['an agent that is a number', { summary: { agent: 5 } }, 'the agent'],
    ['a time that is a text', { summary: { wakeAt: 'soon' } }, 'the wakeAt'],
    ['a parent that is an object', { summary: { parent: { x: 1 } } }, 'the parent'],
    ['a parent that its events do not have', { summary: { parent: 'victim' } }, 'started with no parent'],
    ['another incarnation than its events', { header: { incarnation: 'forged' } }, 'started with the incarnation first'],
    ['no name', { thread: '' }, 'cannot be the id'],
    ['a name with separators', { thread: 'a@1#2' }, 'cannot be the id'],
    ['a blob without bytes', { lines: [{ blob: 'b' }] }, 'has no bytes'],
    ['a blob whose bytes are a number', { lines: [{ blob: 'b', base64: 5 }] }, 'has no bytes'],
  ]
  test.each(cases)('%s', async (_name, given, words) => {
    const to = memoryJournal()
    const imported = importThread(to, forged(given))
    await expect(imported).rejects.toMatchObject({ code: codes.damaged, context: { line: expect.any(Number) as number } })
    await expect(imported).rejects.toThrow(words)
    expect(await to.threads()).toEqual([])
  })

  const parents: readonly (readonly [string, string, string])[] = [
    ['itself', 'p', 'p of p'],
    ['its child', 'c', 'p of c of p'],
  ]
  test.each(parents)('a thread whose parent is %s', async (_name, parent, way) => {
    const from = memoryJournal()
    const summary: Summary = { status: 'done', parent }
    await from.append('p', batchAt(0, facts('x'), { summary }))
    await from.append('c', batchAt(0, facts('y'), { summary: { status: 'done', parent: 'p' } }))
    const to = memoryJournal()
    await expect(importThread(to, exportThread(from, 'p'))).rejects.toThrow(`its own parent (${way})`)
    expect(await to.threads()).toEqual([])
    const problems = (await allOf(verify(from))).map(({ thread, problem }) => `${thread}: ${problem}`)
    expect(problems).toContain(`p: it is its own parent (${way})`)
  })
})

test('JOURNAL-17: an import that fails leaves the children that were there before', async () => {
  const from = await family()
  const lines = await Array.fromAsync(exportThread(from, 'p'))
  for (let length = 0; length < lines.length; length += 1) {
    const to = memoryJournal()
    await importThread(to, exportThread(from, 'c'))
    await expect(importThread(to, lines.slice(0, length))).rejects.toMatchObject({ code: codes.damaged })
    expect(
      (await to.threads()).map(({ thread, seq }) => `${thread}@${seq}`),
      `${length} lines`,
    ).toEqual(['c@1'])
    await importThread(to, lines)
    expect((await to.threads()).map(({ thread, seq }) => `${thread}@${seq}`)).toEqual(['c@1', 'p@2'])
  }
})

test('JOURNAL-17: an import that the journal fails leaves the children that were there before', async () => {
  const from = await family()
  const to = memoryJournal()
  await importThread(to, exportThread(from, 'c'))
  const failing: Journal = { ...to, release: async () => Promise.reject(new Error('The disk is full.')) }
  await expect(importThread(failing, exportThread(from, 'p'))).rejects.toThrow('The disk is full.')
  expect(await to.head('c')).toMatchObject({ seq: 1 })
})
