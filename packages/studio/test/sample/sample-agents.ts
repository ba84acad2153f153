/** The agents of the sample threads. Their model follows scripts, and their clock moves with what they do: the same threads every time. */
import { type Agent, type AgentOptions, agent, compress, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { type ManualClock, type ScriptedReply, type ScriptStep, scriptedModel } from '@loom-agent/testing'

/** What the agents of a sample stand on. */
export interface SamplePlace {
  readonly journal: Journal
  readonly clock: ManualClock
}

/** A reply that takes time and tokens. */
export function reply(clock: ManualClock, ms: number, said: string | ScriptedReply, usage: readonly [input: number, output: number]): ScriptStep {
  return () => {
    clock.skip(ms)
    const [input, output] = usage
    const given = typeof said === 'string' ? { text: said } : said
    return { ...given, usage: { input, output, cacheRead: Math.floor(input * 0.6) } }
  }
}

/** A tool that takes time. */
const slow =
  <T>(clock: ManualClock, ms: number, result: T) =>
  (): T => {
    clock.skip(ms)
    return result
  }

/** A clock that moves with the work, and prices of a model that nobody sells. */
const portsOf = (clock: ManualClock): NonNullable<AgentOptions['ports']> => ({
  clock,
  price: (_, { input, output }) => input * 3 + output * 15,
})

/** Looks up orders and refunds them, and asks before it pays. */
export function supportAgent({ journal, clock }: SamplePlace, script: readonly ScriptStep[]): Agent {
  const order = { id: 8812, customer: 'C. Weaver', total: 59, status: 'delivered', items: [{ sku: 'yarn-07', count: 3 }] }
  return agent({
    name: 'support',
    description: 'Answers customers and refunds orders.',
    instructions: 'You help customers of a yarn shop. Look an order up before you say anything about it.',
    model: scriptedModel(script, { modelId: 'scripted-large' }),
    tools: {
      lookup_order: tool({ description: 'Finds an order.', effect: 'read', run: slow(clock, 38, order) }),
      read_policy: tool({
        description: 'Reads a policy of the shop.',
        effect: 'read',
        run: slow(clock, 12, '# Refunds\n\nWithin 30 days, **once** per order.'),
      }),
      issue_refund: tool({ description: 'Pays money back.', effect: 'unsafe', permission: 'ask', run: slow(clock, 210, { refunded: 59 }) }),
    },
    journal,
    ports: portsOf(clock),
  })
}

/** Removes files, and asks before it does. */
export function cleaningAgent({ journal, clock }: SamplePlace, script: readonly ScriptStep[]): Agent {
  return agent({
    name: 'cleaner',
    description: 'Keeps disks from being full.',
    model: scriptedModel(script, { modelId: 'scripted-small' }),
    tools: { delete_files: tool({ description: 'Removes files.', effect: 'unsafe', permission: 'ask', run: slow(clock, 320, 'removed') }) },
    journal,
    ports: portsOf(clock),
  })
}

/** Writes reports with the help of two other agents. */
export function researchAgent({ journal, clock }: SamplePlace, scripts: { readonly [name: string]: readonly ScriptStep[] }): Agent {
  const search = tool({ description: 'Searches pages.', effect: 'read', run: slow(clock, 640, ['Jacquard, 1804', 'Cartwright, 1785']) })
  const one = (name: string, tools = {}): Agent =>
    agent({
      name,
      description: `Does the part of the ${name}.`,
      model: scriptedModel(scripts[name] ?? [], { modelId: name === 'researcher' ? 'scripted-large' : 'scripted-small' }),
      tools,
      journal,
      ports: portsOf(clock),
    })
  return one('researcher', { reader: one('reader', { search }), checker: one('checker', { search }) })
}

/** Brings an inventory up to date, item by item: a thread of many turns whose context is compressed. */
export function inventoryAgent({ journal, clock }: SamplePlace, turns: number): Agent {
  const step: ScriptStep = ({ prompt }) => {
    const done = prompt.filter(({ role }) => role === 'tool').length
    clock.skip(400 + ((done * 37) % 900))
    const usage = { input: 900 + ((done * 61) % 2_400), output: 24 + (done % 17), cacheRead: 700 }
    if (counted >= turns) return { text: `All ${turns} items are up to date.`, usage }
    counted += 1
    const calls = [{ tool: 'count_item', input: { sku: `yarn-${String(counted).padStart(4, '0')}`, shelf: `row ${counted % 12}` } }]
    return { calls: counted % 5 === 0 ? [...calls, { tool: 'update_stock', input: { sku: `yarn-${counted}`, count: counted % 40 } }] : calls, usage }
  }
  let counted = 0
  return agent({
    name: 'inventory',
    description: 'Counts what is on the shelves.',
    instructions: 'Count every item, and never let stock fall below 5.',
    model: scriptedModel([step], { modelId: 'scripted-small' }),
    tools: {
      count_item: tool({ description: 'Counts an item.', effect: 'read', run: slow(clock, 90, { count: 17, note: 'counted by hand '.repeat(20) }) }),
      update_stock: tool({
        description: 'Writes a count.',
        effect: 'idempotent',
        run: () => {
          clock.skip(160)
          if (counted % 85 === 0) throw new Error('SQLITE_BUSY: the stock table is locked')
          return 'written'
        },
      }),
    },
    limits: { turns: turns + 10, calls: 4 * turns, loop: false },
    window: 8_000,
    context: compress({ reserve: 1_000 }),
    journal,
    ports: portsOf(clock),
  })
}
