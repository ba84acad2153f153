/** The sample threads: made by real runs, with a fork, children, a question that is open, a crash and a thread of many turns. */
import { approve } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import type { ManualClock } from '@loom-agent/testing'
import { cleaningAgent, inventoryAgent, reply, researchAgent, type SamplePlace, supportAgent } from './sample-agents.ts'

/** When the first sample thread began. */
export const sampleStart: number = Date.UTC(2026, 10, 18, 8, 30)

/** When the sample threads are looked at. */
export const sampleNow: number = Date.UTC(2026, 10, 18, 16, 20)

const minute = 60_000

/** How much the samples hold. */
export interface SampleOptions {
  /** Turns of the long thread; default 240. */
  readonly turns?: number
}

/** Makes the sample threads in a journal, by a clock that moves with them. */
export async function makeSample(place: SamplePlace, { turns = 240 }: SampleOptions = {}): Promise<void> {
  const { journal, clock } = place
  await inventoryAgent(place, turns).run('Count the shelves of the yarn room.', { thread: 'inventory-2026-11' })
  clock.skip(52 * minute)
  await refunds(journal, clock)
  clock.skip(31 * minute)
  await research(journal, clock)
  clock.skip(14 * minute)
  await failing(journal, clock)
  clock.skip(9 * minute)
  await waiting(journal, clock)
  clock.skip(4 * minute)
  await cleaning(journal, clock)
}

/** A refund that was approved after a long wait, and a fork of it that was refused nothing. */
async function refunds(journal: Journal, clock: ManualClock): Promise<void> {
  const script = [
    reply(
      clock,
      1_900,
      {
        text: 'Let me look at the order.',
        calls: [
          { tool: 'lookup_order', input: { id: 8812 } },
          { tool: 'read_policy', input: { name: 'refunds' } },
        ],
      },
      [1_840, 62],
    ),
    reply(
      clock,
      2_400,
      { reasoning: 'Delivered, within 30 days, not refunded before.', calls: [{ tool: 'issue_refund', input: { id: 8812, amount: 59 } }] },
      [2_310, 48],
    ),
    reply(clock, 1_600, 'I have refunded **$59.00** for order 8812.\n\n- paid to the card that was used\n- it takes 2 to 3 days', [2_520, 71]),
  ]
  const support = supportAgent({ journal, clock }, script)
  const thread = 'order-8812'
  const first = await support.run('The yarn of order 8812 is the wrong colour. I would like my money back.', { thread })
  clock.skip(192 * minute)
  for (const { id } of first.questions) await support.answer(id, approve({ by: 'ann' }))
  await support.resume(thread).result()
  clock.skip(2 * minute)
  const again = supportAgent({ journal, clock }, [
    reply(clock, 1_700, 'Order 8812 was delivered. I can offer you an *exchange* instead of a refund.', [2_140, 55]),
  ])
  const fork = await again.fork(`${thread}@9`, { thread: 'order-8812-exchange' })
  await fork.resume().result()
}

/** An agent with two others, one of which is asked twice. */
async function research(journal: Journal, clock: ManualClock): Promise<void> {
  const ask = (tool: string, prompt: string): { readonly tool: string; readonly input: object } => ({ tool, input: { prompt } })
  const researcher = researchAgent(
    { journal, clock },
    {
      researcher: [
        reply(
          clock,
          2_600,
          {
            text: 'I will read and check.',
            calls: [ask('reader', 'When was the power loom patented?'), ask('checker', 'Who invented the Jacquard machine?')],
          },
          [980, 120],
        ),
        reply(clock, 3_100, { calls: [ask('checker', 'Was Cartwright the first?')] }, [1_720, 90]),
        reply(
          clock,
          4_200,
          '# Looms with power\n\nThe power loom was patented in **1785** by Edmund Cartwright; Jacquard followed in 1804.\n\n```text\n1785  Cartwright\n1804  Jacquard\n```',
          [2_250, 310],
        ),
      ],
      reader: [
        reply(clock, 1_500, { calls: [{ tool: 'search', input: { words: 'power loom patent' } }] }, [410, 33]),
        reply(clock, 1_900, '1785, by Edmund Cartwright.', [690, 21]),
      ],
      checker: [
        reply(clock, 1_200, { calls: [{ tool: 'search', input: { words: 'Jacquard machine' } }] }, [400, 30]),
        reply(clock, 1_700, 'Joseph Marie Jacquard, 1804.', [640, 18]),
        reply(clock, 1_400, 'Nobody is known before him.', [430, 17]),
      ],
    },
  )
  await researcher.run('Write two sentences about looms with power.', { thread: 'looms-report' })
}

/** A run that fails: its model cannot be reached. */
async function failing(journal: Journal, clock: ManualClock): Promise<void> {
  const support = supportAgent({ journal, clock }, [
    reply(clock, 1_300, { calls: [{ tool: 'lookup_order', input: { id: 9001 } }] }, [1_500, 40]),
    { throws: new Error('getaddrinfo ENOTFOUND models.example') },
  ])
  await support.run('Where is order 9001?', { thread: 'order-9001' }).catch(() => {})
}

/** A run that waits for a person. */
async function waiting(journal: Journal, clock: ManualClock): Promise<void> {
  const support = supportAgent({ journal, clock }, [
    reply(clock, 1_800, { calls: [{ tool: 'lookup_order', input: { id: 9044 } }] }, [1_620, 44]),
    reply(
      clock,
      2_100,
      {
        text: 'The parcel was lost. I will refund it.',
        calls: [{ tool: 'issue_refund', input: { id: 9044, amount: 127.5, reason: 'lost by the carrier' } }],
      },
      [1_980, 66],
    ),
  ])
  await support.run('My parcel 9044 never arrived.', { thread: 'order-9044' })
}

/** A run that waits for a person to look at many arguments. One of them is not what it looks like. */
async function cleaning(journal: Journal, clock: ManualClock): Promise<void> {
  const old = Array.from({ length: 39 }, (_, index) => `/var/log/loom/2026-10-${String(1 + (index % 31)).padStart(2, '0')}/worker-${index}.log`)
  const paths = [...old, '/var/log/loom/2026-10-31/\u202egol.rekrow']
  const cleaner = cleaningAgent({ journal, clock }, [
    reply(
      clock,
      1_400,
      { text: 'The disk is at 96 %.', calls: [{ tool: 'delete_files', input: { paths, reason: 'older than 30 days' } }] },
      [1_210, 380],
    ),
  ])
  await cleaner.run('Make room on the disk.', { thread: 'disk-cleanup' })
}
