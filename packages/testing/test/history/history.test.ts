/** What real runs leave behind breaks no rule, whatever happens to them. */
import { agent } from '@loom-agent/agent'
import type { LoomEvent } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { eventsOf } from '../../../../test/support/threads.ts'
import { scriptedModel } from '../../src/double/scripted-model.ts'
import { assertHistory, checkHistory } from '../../src/history/check-history.ts'
import { checkPairing } from '../../src/history/check-pairing.ts'
import { resumed } from './crashed-journals.ts'
import { played, type Scenario, scenario, scenarios } from './real-journals.ts'

/** Scenarios that come to an end by themselves after whatever was lost. */
const crashing = [
  'a plain answer',
  'parallel calls',
  'serial calls',
  'calls that cannot be run',
  'a loop',
  'an approval',
  'a rejection',
  'a result given by a human',
  'a question that expires',
  'two approvers',
  'a durable call that asks and sleeps',
  'a budget that is granted',
  'a budget that is refused',
  'a child',
  'a child that asks',
  'an answer that is repaired',
  'a model that fails once',
  'a run that fails and is resumed',
  'two inputs one after another',
  'a queue',
  'a word while it works',
  'a pause',
  'a limit that is raised',
  'a stop while it waits',
]

/** Plays a scenario and returns its journal, with the seqs after which it was durable. */
async function withBoundaries(one: Scenario) {
  const durable: number[] = []
  const journal = await played(one, undefined, (seq) => durable.push(seq))
  return { journal, durable: [...new Set(durable)] }
}

describe('a journal breaks no rule', () => {
  for (const one of scenarios) {
    test(`after ${one.name}`, async () => {
      const wrong: string[] = []
      const journal = await played(one, (prompt) => wrong.push(...checkPairing(prompt)))
      const events = await eventsOf(journal, one.name)
      expect(checkHistory(events)).toEqual([])
      expect(wrong).toEqual([])
      for (const { thread } of await journal.threads({ parent: one.name })) assertHistory(await eventsOf(journal, thread))
    })
  }

  for (const name of crashing) {
    test(`after ${name}, wherever the driver was lost`, async () => {
      const one = scenario(name)
      const { journal, durable } = await withBoundaries(one)
      for (const cut of durable.slice(0, -1)) {
        const wrong: string[] = []
        const events = await resumed({ scenario: one, journal, cut, onPrompt: (prompt) => wrong.push(...checkPairing(prompt)) })
        expect({ cut, broken: checkHistory(events), wrong }).toEqual({ cut, broken: [], wrong: [] })
      }
    })
  }

  test('when it ends midway', async () => {
    const events = await eventsOf(await played(scenario('serial calls')), 'serial calls')
    for (let length = 0; length < events.length; length += 1) expect(checkHistory(events.slice(0, length))).toEqual([])
  })

  test('when it holds events of a newer version', async () => {
    const events = await eventsOf(await played(scenario('a plain answer')), 'a plain answer')
    const newer = { ...events.at(-1), type: 'run.celebrated', v: 1, seq: events.length + 1, data: {} }
    const changed = { ...events.at(-1), v: 2, seq: events.length + 2 }
    expect(checkHistory([...events, newer as never, changed as never])).toEqual([])
  })

  test('when it belongs to a fork, which continues where its parent was cut', () => {
    const forked: LoomEvent = { v: 1, type: 'thread.forked', thread: 'fork', seq: 8, time: 0, data: { from: 'parent@7' } }
    expect(checkHistory([forked])).toEqual([])
    expect(checkHistory([forked, { ...forked, seq: 9 }])).toEqual([])
    const started: LoomEvent = { ...forked, type: 'thread.started', seq: 9, data: { agent: 'a' } }
    expect(checkHistory([forked, started]).map(({ rule }) => rule)).toEqual(['HIST-2'])
  })
})

test('a shorter context may be asked for before, while and after a thread runs', async () => {
  const talker = agent({ model: scriptedModel(() => 'Yes.') })
  await talker.run('One?', { thread: 't' })
  await talker.compact('t')
  await talker.run('Two?', { thread: 't' })
  await talker.compact('t')
  const events = await eventsOf(talker.journal, 't')
  expect(events.filter(({ type }) => type === 'context.compact-requested').length).toBeGreaterThan(0)
  expect(checkHistory(events)).toEqual([])
})

test('asserting a history names the rules that it breaks, and where', async () => {
  const events = await eventsOf(await played(scenario('a plain answer')), 'a plain answer')
  expect(() => assertHistory(events)).not.toThrow()
  const twice = [...events, { ...(events.at(-1) as LoomEvent), seq: events.length + 1 }]
  expect(() => assertHistory(twice)).toThrow(
    'The history breaks a rule:\n  HIST-8 at a plain answer@9: run.finished comes after the end of r1 (finished).',
  )
  expect(() => assertHistory(twice.slice(1))).toThrow('breaks 3 rules')
})
