/**
 * A thread of more than 100 events, and what its forks are judged by: parallel calls, durable tools, children, questions of policies, bodies and hooks,
 * refused and denied calls, several runs, one of which failed and was resumed, and one that waits.
 */
import {
  type Agent,
  agent,
  answerWith,
  approve,
  edit,
  type Hook,
  jsonSchema,
  memoryJournal,
  type Question,
  reject,
  respond,
  type SignedAnswer,
  skip,
  suspend,
  tool,
} from '@loom-agent/agent'
import type { EffectClass, Journal } from '@loom-agent/kernel'
import { type ScriptedModel, scriptedModel } from '@loom-agent/testing'

/** The names of the tools of the world, with their classes. */
export const effectOf: { readonly [tool: string]: EffectClass } = {
  look: 'read',
  add: 'pure',
  pay: 'unsafe',
  save: 'idempotent',
  erase: 'unsafe',
  peek: 'read',
  ticket: 'unsafe',
  trip: 'unsafe',
  ponder: 'read',
  relay: 'read',
  courier: 'idempotent',
  sign: 'unsafe',
  cached: 'unsafe',
  banned: 'unsafe',
}

type Planned = { readonly calls: readonly { readonly tool: string; readonly input?: unknown }[] }
const calls = (...given: readonly (string | readonly [tool: string, input: unknown])[]): Planned => ({
  calls: given.map((one) => (typeof one === 'string' ? { tool: one } : { tool: one[0], input: one[1] })),
})

/** The replies of the model on the whole thread, run after run. */
const replies: readonly (string | Planned)[] = [
  calls('look', ['pay', { sum: 1 }], 'add'),
  calls(['ticket', { n: 1 }], ['ticket', { n: 2 }], ['ticket', { n: 3 }], 'look'),
  calls(['courier', { prompt: 'Send it.' }], ['pay', { sum: 'much' }], 'nowhere'),
  'The first run is done.',
  calls('trip', 'erase'),
  calls('sign', 'cached', 'banned', ['pay', { sum: 2 }]),
  calls('relay', ['look', { at: 'the door' }], ['save', { n: 1 }]),
  'The second run is done.',
  calls(['pay', { sum: 1 }], ['pay', { sum: 1 }]),
  calls('peek', 'look'),
  'The third run is done.',
  calls('ponder', ['save', { n: 2 }]),
  'The last run is done.',
]

/** A body that was entered: in which thread, for which call. */
export interface Execution {
  readonly thread: string
  readonly call: string
  readonly tool: string
}

/** The world: one journal, one agent, and what its bodies did. */
export interface ForkWorld {
  readonly journal: Journal
  readonly clerk: Agent<unknown, string>
  readonly executed: Execution[]
  readonly model: ScriptedModel
  /** Another model with the same replies. */
  readonly other: ScriptedModel
  /** Lets the model fail once. */
  failNext(): void
}

const modelFrom = (script: readonly (string | Planned)[], mayFail: () => boolean, modelId: string): ScriptedModel =>
  scriptedModel(
    ({ prompt }) => {
      if (mayFail()) throw Object.assign(new Error('The model is down.'), { statusCode: 400, isRetryable: false })
      return script[prompt.filter(({ role }) => role === 'assistant').length] ?? 'Nothing more to say.'
    },
    { modelId },
  )

/** What hooks do before calls: they change arguments, ask, answer and skip. */
const hook: Hook = {
  name: 'guard',
  beforeToolExecution({ answer }, { tool: name, input }) {
    if (name === 'look') return { input: { ...(input as object), seen: true } }
    if (name === 'sign' && !answer) return suspend('Who signs?')
    if (name === 'cached') return answerWith({ type: 'text', value: 'from the cache' })
    return name === 'banned' ? skip('it is banned') : undefined
  },
  afterToolExecution: (_, { tool: name }) => (name === 'add' ? { status: 'success', output: { type: 'text', value: 'three' } } : undefined),
}

/** Makes the world. */
export function createForkWorld(): ForkWorld {
  const executed: Execution[] = []
  const journal = memoryJournal()
  let fails = false
  const mayFail = (): boolean => {
    const now = fails
    fails = false
    return now
  }
  const note = (name: string, { thread, call }: { readonly thread: string; readonly call: string }): string => {
    executed.push({ thread, call, tool: name })
    return `${name} was done`
  }
  const plain = (name: string, input = jsonSchema({ type: 'object' })) =>
    tool({ name, input, effect: effectOf[name] ?? 'unsafe', run: (_, ctx) => note(name, ctx) })
  const mail = plain('mail')
  const courier = agent({
    name: 'courier',
    description: 'Sends mail.',
    model: modelFrom([calls('look', 'mail'), 'Sent.'], () => false, 'courier'),
    tools: [mail, plain('look')],
  })
  const trip = tool({
    name: 'trip',
    durable: true,
    async run(_, ctx) {
      note('trip', ctx)
      await ctx.step('book', () => 'booked')
      const { kind } = await ctx.ask('Is the hotel fine?')
      return ctx.step('confirm', () => kind, { effect: 'idempotent' })
    },
  })
  const ponder = tool({
    name: 'ponder',
    durable: true,
    effect: 'read',
    async run(_, ctx) {
      note('ponder', ctx)
      const first = await ctx.ask('Is this the first question?', { name: 'first' })
      const second = await ctx.ask('Is this the second question?', { name: 'second' })
      return `${first.kind} ${second.kind}`
    },
  })
  const relay = tool({
    name: 'relay',
    durable: true,
    effect: 'read',
    async run(_, ctx) {
      note('relay', ctx)
      return (await ctx.run(courier, 'Send it again.')).text
    },
  })
  const sum = jsonSchema({ type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] })
  const model = modelFrom(replies, mayFail, 'clerk')
  const tools = [plain('pay', sum), ...['look', 'add', 'save', 'erase', 'peek', 'ticket', 'sign', 'cached', 'banned'].map((name) => plain(name))]
  const clerk = agent({
    name: 'clerk',
    instructions: 'Be exact.',
    model,
    journal,
    hooks: [hook],
    tools: [...tools, trip, ponder, relay, courier],
    ports: { price: () => 7 },
    permissions: {
      rules: [
        { tool: 'erase', verdict: 'deny', reason: 'nothing is erased' },
        { tool: 'peek', verdict: 'ask' },
        { tool: 'ponder', verdict: 'ask' },
        { tool: 'ticket', verdict: 'ask', when: ({ input }) => (input as { n: number }).n > 0 },
      ],
      default: 'allow',
    },
  })
  return {
    journal,
    clerk,
    executed,
    model,
    other: modelFrom(replies, () => false, 'other'),
    failNext() {
      fails = true
    },
  }
}

/** What the people of the parent answer: they approve, reject, edit and give results. */
function parentAnswer({ call, prompt }: Question): SignedAnswer | undefined {
  if (prompt.includes('second question')) return undefined
  const { n } = (call?.input ?? {}) as { n?: number }
  if (call?.tool !== 'ticket') return approve()
  return n === 1 ? edit({ n: 10 }) : n === 2 ? reject('Not this one.') : respond('a ticket by hand')
}

/** Makes the thread `t`. */
export async function liveParent(world: ForkWorld): Promise<void> {
  const { clerk, failNext } = world
  const onQuestion = parentAnswer
  await clerk.run('Begin.', { thread: 't', onQuestion })
  await clerk.run('Go on.', { thread: 't', onQuestion })
  failNext()
  await clerk.run('And again.', { thread: 't', onQuestion })
  await clerk.resume('t', { onQuestion }).result()
  const last = clerk.start('The last one.', { thread: 't', onQuestion })
  await last.steer('Hurry.')
  await last.result()
}
