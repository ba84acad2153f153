/** Law 5: of concurrent claims and answers exactly one takes effect. */
import { agent, approve, memoryJournal, reject, tool } from '@loom-agent/agent'
import { definitionOf } from '@loom-agent/agent/kit'
import type { Journal } from '@loom-agent/kernel'
import { assertHistory, steadyModel } from '@loom-agent/testing'
import { eventsOf } from '@loom-agent/testing/crash'
import { expect, test } from 'vitest'

const racers = 1000

/** The racers, each round in another order. */
const shuffled = (round: number): readonly number[] => Array.from({ length: racers }, (_, index) => (index * 7919 + round * 104729) % racers)

test('of a thousand claimants one gets the thread, round after round', async () => {
  const journal = memoryJournal()
  for (let seen = 0; seen < 20; seen += 1) {
    const claims = await Promise.all(shuffled(seen).map((racer) => journal.acquire('t', { worker: `w${racer}`, incarnation: 'life', seen })))
    const winners = claims.filter(({ kind }) => kind === 'acquired')
    expect(winners).toHaveLength(1)
    expect(winners[0]?.epoch).toBe(seen + 1)
    const [winner] = winners
    expect((await journal.head('t'))?.holder).toBe(winner?.kind === 'acquired' ? winner.head.holder : '')
    await journal.release('t', { epoch: seen + 1, incarnation: 'life' })
  }
})

test('of a thousand claimants that replace a dead holder by force one gets the thread', async () => {
  const journal = memoryJournal()
  await journal.acquire('t', { worker: 'dead', incarnation: 'life', seen: 0 })
  for (let seen = 1; seen < 20; seen += 1) {
    const claims = await Promise.all(
      shuffled(seen).map((racer) => journal.acquire('t', { worker: `w${racer}`, incarnation: 'life', seen, force: true })),
    )
    expect(claims.filter(({ kind }) => kind === 'acquired')).toHaveLength(1)
  }
})

const payer = (journal: Journal, pay: () => string) =>
  agent({ model: steadyModel([{ calls: [{ tool: 'pay' }] }, 'Done.']), tools: [tool({ name: 'pay', permission: 'ask', run: pay })], journal })

test('of a thousand different answers from as many processes one takes effect, and the call runs once', async () => {
  const journal = memoryJournal()
  let paid = 0
  const pay = (): string => {
    paid += 1
    return `paid ${paid}`
  }
  const { questions } = await payer(journal, pay).run('Go.', { thread: 't' })
  const [question] = questions
  const answers = await Promise.allSettled(
    shuffled(1).map((racer) =>
      payer(journal, pay).answer(question?.id ?? '', racer % 2 === 0 ? approve({ by: `p${racer}` }) : reject(`no ${racer}`)),
    ),
  )
  const events = await eventsOf(journal, 't')
  const answered = events.filter(({ type }) => type === 'question.answered')
  expect(answered).toHaveLength(1)
  const [winner] = answered.flatMap((event) => (event.type === 'question.answered' ? [event.data.answer] : []))
  // An answer that is the same as the winner's is accepted; every other one is rejected as settled.
  const agreeing = shuffled(1).filter((racer) => winner?.kind === 'approve' && racer % 2 === 0).length
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(Math.max(1, agreeing))
  const { status } = await payer(journal, pay).resume('t').result()
  expect({ status, paid }).toEqual({ status: 'done', paid: winner?.kind === 'approve' ? 1 : 0 })
  assertHistory(await eventsOf(journal, 't'))
})

test('of a thousand processes that resume a thread one drives it', async () => {
  const journal = memoryJournal()
  let looked = 0
  const look = tool({
    name: 'look',
    effect: 'read',
    async run() {
      looked += 1
      return `looked ${looked}`
    },
  })
  const looker = () => agent({ model: steadyModel([{ calls: [{ tool: 'look' }] }, 'Done.']), tools: [look], journal })
  await journal.append('t', {
    id: 'input',
    incarnation: 't',
    expected: 0,
    time: 0,
    events: [
      { type: 'thread.started', data: { agent: 'agent' } },
      {
        type: 'run.started',
        data: {
          run: 'r1',
          request: {
            input: [{ role: 'user', parts: [{ type: 'text', text: 'Go.' }] }],
            agent: { name: 'agent', fingerprint: definitionOf(looker()).fingerprint() },
            model: 'scripted/script',
            limits: {},
          },
        },
      },
    ],
    summary: { status: 'running' },
  })
  const results = await Promise.all(shuffled(3).map(() => looker().resume('t').result()))
  expect(new Set(results.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['done Done.']))
  expect({ looked, drivers: (await eventsOf(journal, 't')).filter(({ type }) => type === 'driver.acquired').length }).toEqual({
    looked: 1,
    drivers: 1,
  })
})
