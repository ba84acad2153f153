/** Real runs of real agents, and the journals they leave. */
import type { LanguageModelV4Message } from '@ai-sdk/provider'
import {
  type AgentOptions,
  agent,
  answerWith,
  approve,
  edit,
  type Hook,
  jsonSchema,
  memoryJournal,
  type Ports,
  type Result,
  type RunHandle,
  type RunOptions,
  reject,
  respond,
  type SignedAnswer,
  setBreakpoints,
  type Tool,
  tool,
} from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { idle } from '../../../../test/support/event-loop.ts'
import { manualClock } from '../../src/double/manual-clock.ts'
import { type ScriptedModel, type ScriptedReply, type ScriptStep, scriptedModel } from '../../src/double/scripted-model.ts'

/** An agent of any output. */
export interface Player {
  start(input: string, options?: RunOptions): RunHandle<unknown>
  resume(thread: string, options?: Omit<RunOptions, 'thread' | 'whenBusy'>): RunHandle<unknown>
}

/** Called with every prompt that a model is sent. */
export type OnPrompt = (prompt: readonly LanguageModelV4Message[]) => void

/** What happens on a thread: its agent, and what is done with it. */
export interface Scenario {
  readonly name: string
  /** The agent on a journal; `onPrompt` is called with every prompt that is sent. */
  createAgent(journal: Journal, onPrompt?: OnPrompt): Player
  play(player: Player, thread: string): Promise<void>
}

type Script = readonly (string | ScriptedReply)[]

/** The n-th reply of a script, n being the replies that the prompt holds: the same after a crash. */
const replyOf =
  (script: Script): ScriptStep =>
  ({ prompt }) =>
    script[prompt.filter(({ role }) => role === 'assistant').length] ?? 'There is nothing more to say.'

const observedModel = (step: ScriptStep, onPrompt: OnPrompt | undefined): ScriptedModel =>
  scriptedModel((request, number) => {
    onPrompt?.(request.prompt)
    return typeof step === 'function' ? step(request, number) : step
  })

/** A reply that calls tools, by name or with arguments. */
const calls = (...tools: readonly (string | readonly [string, unknown])[]): ScriptedReply => ({
  calls: tools.map((called) => (typeof called === 'string' ? { tool: called } : { tool: called[0], input: called[1] })),
})

const ports: Partial<Ports> = { random: () => 0 }

interface Part extends Omit<AgentOptions, 'model' | 'journal'> {
  readonly says: Script
}

const player = ({ says, ...options }: Part, journal: Journal, onPrompt?: OnPrompt) =>
  agent({ name: 'player', ports, ...options, model: observedModel(replyOf(says), onPrompt), journal })

/** A scenario of one run, from its input to its end. */
const plain = (name: string, part: Part): Scenario => ({
  name,
  createAgent: (journal, onPrompt) => player(part, journal, onPrompt),
  play: async (playing, thread) => void (await playing.start('Go.', { thread }).result()),
})

/** A scenario of one run whose questions are answered one after another. */
const answered = (name: string, part: Part, answers: readonly SignedAnswer[]): Scenario => ({
  name,
  createAgent: (journal, onPrompt) => player(part, journal, onPrompt),
  async play(playing, thread) {
    const run = playing.start('Go.', { thread })
    let result: Result<unknown> = await run.result()
    for (const answer of answers) {
      await run.answer(result.questions[0]?.id ?? '', answer)
      result = await run.result()
    }
  },
})

/** Sets breakpoints of its own thread. */
const armed = (journal: Journal): Tool =>
  tool({ name: 'arm', effect: 'idempotent', run: (_, { thread }) => setBreakpoints(journal, thread, [{ tool: 'look' }, { error: true }]) })
const look: Tool = tool({ name: 'look', effect: 'read', run: async () => 'seen' })
const note: Tool = tool({ name: 'note', effect: 'idempotent', schedule: { parallel: true }, run: async () => 'noted' })
const pay: Tool = tool({ name: 'pay', permission: 'ask', run: async () => 'paid' })
const write: Tool = tool({ name: 'write', run: async () => 'written' })
const slow: Tool = tool({ name: 'slow', effect: 'idempotent', run: () => idle() })
const add: Tool = tool({ name: 'add', input: jsonSchema({ type: 'object', required: ['a'] }), run: () => 1 })
const check: Tool = tool({ name: 'check', effect: 'reconcilable', check: () => ({ status: 'not-done' }), run: async () => 'checked' })
const stuck: Tool = tool({
  name: 'stuck',
  run: (_input, { signal }) => new Promise((_resolve, refuse) => signal.addEventListener('abort', () => refuse(new Error('aborted')))),
})
const errand: Tool = tool({
  name: 'errand',
  durable: true,
  async run(_input, ctx) {
    const bought = await ctx.step('buy', () => 'milk')
    const answer = await ctx.ask('Bring it home?', { name: 'home' })
    await ctx.sleep(1)
    await ctx.step('carry', () => 'carried', { effect: 'idempotent' })
    return `${bought}, ${answer.kind}`
  },
})

const order: Tool = tool({
  name: 'order',
  durable: true,
  async run(_input, ctx) {
    const paid = await ctx.waitFor('paid')
    return [paid, await ctx.waitFor('sent', { until: new Date(0) })]
  },
})

/** A model that is overloaded for a while. */
const overloaded = (times: number): ScriptStep => {
  let asked = 0
  return () => (++asked > times ? 'Hello.' : { throws: Object.assign(new Error('overloaded'), { statusCode: 529 }) })
}

const nine: Hook = {
  name: 'nine',
  beforeIterationStart: () => ({ settings: { temperature: 0 } }),
  beforeContextAssembly: () => ({ limits: { turns: 7 } }),
  afterContextAssembly: () => ({ say: 'Mind the gap.' }),
  beforeModelCall: () => ({ settings: { temperature: 1 } }),
  afterModelReply: (_context, { parts }) => ({ parts: parts.filter((part) => part.type !== 'reasoning') }),
  beforeToolExecution: () => ({ input: { changed: true } }),
  afterToolExecution: () => ({ output: { type: 'text', value: 'changed' } }),
  beforeRecursion: () => ({ settings: { seed: 1 } }),
  afterIterationEnd: () => ({ settings: { seed: 2 } }),
}

const payment: Part = { tools: [pay, look], says: [calls(['pay', { sum: 5 }], 'look'), 'Done.'] }
const costly: Part = { tools: [look], limits: { tokens: 10 }, says: [calls('look'), 'Done.'] }
const asksFirst = (rule: object): Part => ({
  tools: [write],
  permissions: { rules: [{ tool: 'write', verdict: 'ask', ...rule }] },
  says: [calls('write'), 'Done.'],
})

/** Scenarios of one undisturbed run. */
const straight: readonly Scenario[] = [
  plain('a plain answer', { says: ['Hello.'] }),
  plain('parallel calls', { tools: [look, note], says: [calls('look', 'look', 'note', 'note'), 'Done.'] }),
  plain('serial calls', { tools: [write, look, check], says: [calls('write', 'look', 'check', 'write'), 'Done.'] }),
  plain('calls that cannot be run', {
    tools: [add, write],
    permissions: { write: 'deny', add: 'allow' },
    says: [calls('missing', ['add', {}], ['add', 'no json'], 'write'), 'Never mind.'],
  }),
  plain('a hook that stands in', {
    tools: [look, write],
    hooks: [{ beforeToolExecution: () => answerWith({ type: 'text', value: 'known' }) }],
    says: [calls('look', 'write', 'write'), 'Done.'],
  }),
  plain('hooks at all nine points', { tools: [look, write], hooks: [nine], says: [calls('look', 'write'), 'Done.'] }),
  {
    ...plain('a question that expires', asksFirst({ expires: 1 })),
    async play(playing, thread) {
      let result = await playing.start('Go.', { thread }).result()
      while (result.status === 'waiting') result = await playing.resume(thread).result()
    },
  },
  plain('a reply that is cut, with a warning', {
    tools: [],
    says: [{ text: 'Once upon a', finish: 'length', parts: [{ type: 'stream-start', warnings: [{ type: 'unsupported', feature: 'topK' }] }] }],
  }),
  plain('a loop', { tools: [look], says: Array.from({ length: 9 }, () => calls('look')) }),
  answered('an approval', payment, [approve()]),
  answered('an approval with other arguments', payment, [edit({ sum: 1 })]),
  answered('a rejection', payment, [reject('too much')]),
  answered('a result given by a human', payment, [respond('paid by hand')]),
  answered('two approvers', asksFirst({ approvers: 2 }), [approve({ by: 'ann' }), approve({ by: 'bob' })]),
  answered('a durable call that asks and sleeps', { tools: [errand, write], says: [calls('errand', 'write'), 'Done.'] }, [approve()]),
  answered('a budget that is granted', costly, [approve({ limits: { tokens: 100 } })]),
  answered('a budget that is refused', costly, [reject('no money')]),
]

const withChild =
  (part: Part): Scenario['createAgent'] =>
  (journal, onPrompt) => {
    const child = player({ name: 'child', ...part }, journal, onPrompt)
    return player({ tools: [child], says: [calls(['child', { prompt: 'Go.' }]), 'Done.'] }, journal, onPrompt)
  }

const failing =
  (times: number): Scenario['createAgent'] =>
  (journal, onPrompt) =>
    agent({ name: 'player', ports, journal, model: observedModel(overloaded(times), onPrompt) })

/** Scenarios with children, failures, and people who interrupt. */
const eventful: readonly Scenario[] = [
  { ...plain('a child', { says: [] }), createAgent: withChild({ tools: [look], says: [calls('look'), 'From the child.'] }) },
  {
    ...answered('a child that asks', { says: [] }, [approve()]),
    createAgent: withChild({ tools: [pay], says: [calls('pay'), 'From the child.'] }),
  },
  {
    ...plain('an answer that is repaired', { says: [] }),
    createAgent: (journal, onPrompt) => {
      const output = jsonSchema<{ n: number }>({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] })
      return agent({ name: 'player', ports, journal, model: observedModel(replyOf(['nothing', '{"n":1}']), onPrompt), output })
    },
  },
  { ...plain('a model that fails once', { says: [] }), createAgent: failing(1) },
  {
    name: 'a run that fails and is resumed',
    createAgent: failing(4),
    async play(playing, thread) {
      await playing.start('Go.', { thread }).result()
      await playing.resume(thread).result()
    },
  },
  {
    name: 'two inputs one after another',
    createAgent: (journal, onPrompt) => player({ tools: [look], says: [calls('look'), 'One.', calls('look', 'look'), 'Two.'] }, journal, onPrompt),
    async play(playing, thread) {
      await playing.start('First.', { thread }).result()
      await playing.start('Second.', { thread }).result()
    },
  },
  {
    name: 'a queue',
    createAgent: (journal, onPrompt) => player({ tools: [slow], says: [calls('slow'), 'One.', calls('slow'), 'Two.', 'Three.'] }, journal, onPrompt),
    async play(playing, thread) {
      const runs = ['First.', 'Second.', 'Third.'].map((input) => playing.start(input, { thread }))
      for (const run of runs) await run.result()
    },
  },
  {
    name: 'a word while it works',
    createAgent: (journal, onPrompt) => player({ tools: [slow], says: [calls('slow'), 'Done.', 'Done again.'] }, journal, onPrompt),
    async play(playing, thread) {
      const run = playing.start('Go.', { thread })
      await run.steer('Also this.', { by: 'ann' })
      await run.result()
    },
  },
  {
    name: 'starts with ids, and a call that waits for signals',
    createAgent: (journal, onPrompt) => player({ tools: [order], says: [calls('order'), 'One.', 'Two.'] }, journal, onPrompt),
    async play(playing, thread) {
      const run = playing.start('First.', { thread, id: 'one' })
      await run.result()
      await run.signal('paid', 7, { by: 'bank' })
      await run.result()
      await playing.start('Second.', { thread, id: 'two' }).result()
    },
  },
  {
    name: 'a pause',
    createAgent: (journal, onPrompt) => player({ tools: [slow], says: [calls('slow'), 'Done.'] }, journal, onPrompt),
    async play(playing, thread) {
      const run = playing.start('Go.', { thread })
      await run.pause()
      await run.result()
      await playing.resume(thread).result()
    },
  },
  {
    name: 'breakpoints',
    createAgent: (journal, onPrompt) => player({ tools: [armed(journal), look], says: [calls('arm'), calls('look'), 'Done.'] }, journal, onPrompt),
    async play(playing, thread) {
      await playing.start('Go.', { thread }).result()
      for (let stops = 0; stops < 2; stops += 1) await playing.resume(thread).result()
    },
  },
  {
    name: 'a queue with a stop and a pause',
    createAgent: (journal, onPrompt) => player({ ...payment, says: [...payment.says, 'Third.'] }, journal, onPrompt),
    async play(playing, thread) {
      const first = playing.start('First.', { thread })
      const { questions } = await first.result()
      const second = playing.start('Second.', { thread })
      await second.stop('enough', { by: 'ann' })
      const third = playing.start('Third.', { thread })
      await third.pause({ by: 'ann' })
      await third.answer(questions[0]?.id ?? '', approve())
      await third.result()
      await playing.resume(thread).result()
    },
  },
  {
    name: 'a limit that is raised',
    createAgent: (journal, onPrompt) => player({ tools: [look], limits: { turns: 1 }, says: [calls('look'), 'Done.'] }, journal, onPrompt),
    async play(playing, thread) {
      await playing.start('Go.', { thread }).result()
      await playing.resume(thread, { limits: { turns: 3 } }).result()
    },
  },
]

/** The time of the run is used up while a call is under way; then the run is given more. */
const timed: Scenario = {
  name: 'a limit of time that is reached and raised',
  createAgent(journal, onPrompt) {
    const clock = manualClock()
    const late = tool({ name: 'late', effect: 'read', run: () => clock.advance(10_000) })
    return player({ tools: [late], says: [calls('late'), 'Done.'], limits: { time: 5000 }, ports: { ...ports, clock } }, journal, onPrompt)
  },
  async play(playing, thread) {
    await playing.start('Go.', { thread }).result()
    await playing.resume(thread, { limits: { time: 60_000 } }).result()
  },
}

const stopping = (name: string, part: Part, when: string): Scenario => ({
  name,
  createAgent: (journal, onPrompt) => player(part, journal, onPrompt),
  async play(playing, thread) {
    const run = playing.start('Go.', { thread })
    for await (const event of run.events()) if (event.type === when) await run.stop('enough')
    await run.result()
  },
})

/** Scenarios that are stopped. */
const stopped: readonly Scenario[] = [
  stopping('a stop while calls run', { tools: [stuck, write], says: [calls('stuck', 'write'), 'Done.'] }, 'tool-start'),
  stopping('a stop while the model speaks', { says: [{ text: 'I am speaking', stallAfter: 3 }] }, 'text-delta'),
  stopping('a stop while it waits', { tools: [pay], says: [calls('pay'), 'Done.'] }, 'run.suspended'),
  timed,
]

/** One scenario of every kind. */
export const scenarios: readonly Scenario[] = [...straight, ...eventful, ...stopped]

/** The scenario with this name. */
export function scenario(name: string): Scenario {
  const found = scenarios.find((candidate) => candidate.name === name)
  if (!found) throw new Error(`There is no scenario ${name}.`)
  return found
}

/** Plays a scenario, on a thread of its name, and returns the journal; `durable` is called with the head after every batch. */
export async function played(
  { name, createAgent, play }: Scenario,
  onPrompt?: OnPrompt,
  durable: (seq: number) => void = () => {},
): Promise<Journal> {
  const journal = memoryJournal()
  const unwatch = journal.watch(name, durable)
  await play(createAgent(journal, onPrompt), name)
  unwatch()
  return journal
}
