/** Misspelt options of functions that take a journal, of its own methods and of durable bodies: none is accepted (OPTION-1). */
import {
  agent,
  approve,
  type DurableContext,
  explainPermission,
  followFeed,
  frameAt,
  jsonSchema,
  memoryJournal,
  readEvents,
  searchThreads,
  setLabels,
  signal,
  subscribe,
  testPolicy,
  threads,
  tool,
} from '@loom-agent/agent'
import { mortalJournal, scriptedModel } from '@loom-agent/testing'
import { beforeAll, describe, expect, test } from 'vitest'

const unknown = 'LOOM_OPTION_UNKNOWN'
const invalid = 'LOOM_OPTION_INVALID'
type Mistake = readonly [given: string, act: () => unknown, code: string, named: string]

async function refused([, act, code, named]: Mistake): Promise<void> {
  const error: unknown = await Promise.resolve()
    .then(act)
    .then(
      (value) => ({ accepted: value }),
      (thrown: unknown) => thrown,
    )
  expect(error).toMatchObject({ code, message: expect.stringContaining(named) as string })
}

const worker = agent({ name: 'worker', model: scriptedModel(() => 'ok') })
const { journal } = worker
beforeAll(async () => {
  await worker.run('x', { thread: 't' })
})

const all = <T>(items: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(items)
const given = (options: object): never => options as never

const mistakes: readonly Mistake[] = [
  ['remove({ expect })', () => journal.remove('t', given({ expect: 1 })), unknown, 'journal.remove has no option "expect". Did you mean "expected"?'],
  ['remove({ expected: 3 })', () => journal.remove('t', given({ expected: 3 })), invalid, 'expected is 3. Give a head'],
  ['threads({ state })', () => journal.threads(given({ state: 'done' })), unknown, 'journal.threads has no option "state"'],
  ['threads({ label })', () => journal.threads(given({ label: {} })), unknown, 'Did you mean "labels"?'],
  ['threads of no status', () => journal.threads(given({ status: 'active' })), invalid, 'status is "active". Give one of idle, running, waiting'],
  ['threads in no order', () => journal.threads(given({ sort: 'newest' })), invalid, 'sort is "newest". Give one of id, changed, latest.'],
  ['threads since a word', () => journal.threads(given({ since: 'yesterday' })), invalid, 'since is "yesterday"'],
  [
    'threads after a time by an id',
    () => journal.threads({ sort: 'latest', after: 't' }),
    invalid,
    'after is "t". Give the last head of the page before',
  ],
  ['threads(journal, { state })', () => all(threads(journal, given({ state: 'done' }))), unknown, 'has no option "state"'],
  ['feed({ form })', () => journal.feed(given({ form: 'x' })), unknown, 'journal.feed has no option "form". Did you mean "from"?'],
  ['feed from a number', () => journal.feed(given({ from: 7 })), invalid, 'journal.feed: from is 7. Give a text.'],
  ['read({ form })', () => journal.read('t', given({ form: 3 })), unknown, 'journal.read has no option "form"'],
  ['readEvents({ form })', () => all(readEvents(journal, 't', given({ form: 3 }))), unknown, 'journal.read has no option "form"'],
  ['followFeed({ form })', () => followFeed(journal, given({ form: 'x' })).next(), unknown, 'followFeed has no option "form"'],
  ['searchThreads of a state', () => all(searchThreads(journal, 'x', given({ state: 'x' }))), unknown, 'has no option "state"'],
  ['signal({ from })', () => signal(journal, 't', 'x', 1, given({ from: 'x' })), unknown, 'signal has no option "from"'],
  ['agent.signal({ form })', () => worker.signal('t', 'x', 1, given({ form: 'x' })), unknown, 'signal has no option "form"'],
  ['handle.signal({ who })', () => worker.resume('t').signal('x', 1, given({ who: 'x' })), unknown, 'signal has no option "who"'],
  ['subscribe({ controll })', () => subscribe(worker.watch('t', { until: 'rest' }), given({ controll() {} })), unknown, 'Did you mean "control"?'],
  ['jsonSchema({ validator })', () => jsonSchema({}, given({ validator: 1 })), unknown, 'Did you mean "validate"?'],
  ['approve of a misspelt limit', () => approve({ limits: given({ token: 1 }) }), unknown, 'Did you mean "tokens"?'],
  ['explainPermission({ toolName })', () => explainPermission({ x: 'allow' }, given({ toolName: 'x' })), unknown, 'has no option "toolName"'],
  ['testPolicy({ expects })', () => testPolicy({}, [given({ tool: 'x', expects: 'ask' })]), unknown, 'testPolicy: case 0 has no option "expects"'],
  ['memoryJournal({ mode })', () => memoryJournal(given({ mode: 'strict' })), unknown, 'memoryJournal has no option "mode"'],
  ['mortalJournal({ apend })', () => mortalJournal(journal, given({ apend: 1 })), unknown, 'Did you mean "append"?'],
  ['an id of a start that is a number', () => worker.run('x', { id: 7 as never }), invalid, 'id is 7. Give'],
  ['an id of a start that is long', () => worker.run('x', { id: 'x'.repeat(5000) }), invalid, `${'x'.repeat(199)}.... Give`],
]

const other = worker as never
const journals: readonly Mistake[] = [
  ['signal', () => signal(other, 't', 'x'), invalid, 'signal: journal is'],
  ['setLabels', () => setLabels(other, 't', {}), invalid, 'setLabels: journal is'],
  ['searchThreads', () => all(searchThreads(other, 'x')), invalid, 'searchThreads: journal is'],
  ['followFeed', () => followFeed(other).next(), invalid, 'followFeed: journal is'],
  ['readEvents', () => all(readEvents(other, 't')), invalid, 'readEvents: journal is'],
  ['frameAt', () => frameAt(other, 't'), invalid, 'reading a thread: journal is'],
]

describe('a misspelt option, or a value that does not fit, is refused', () => {
  test.each(mistakes.map((mistake) => [mistake[0], mistake] as const))('%s', (_, mistake) => refused(mistake))
})

describe('an agent in the place of its journal is refused', () => {
  test.each(journals.map((mistake) => [mistake[0], mistake] as const))('%s', (_, mistake) => refused(mistake))
})

test('a refused removal removes nothing', async () => {
  await expect(journal.remove('t', given({ expect: { incarnation: 'another', seq: 1 } }))).rejects.toMatchObject({ code: unknown })
  expect(await journal.head('t')).toMatchObject({ thread: 't' })
})

const bodies: readonly (readonly [string, (context: DurableContext) => unknown, string])[] = [
  ['waitFor({ untill })', (ctx) => ctx.waitFor('a', given({ untill: 1 })), 'ctx.waitFor has no option "untill". Did you mean "until"?'],
  ['waitFor until a word', (ctx) => ctx.waitFor('a', given({ until: 'tomorrow' })), 'ctx.waitFor: until is "tomorrow". Give a date'],
  ['run({ nam })', (ctx) => ctx.run(worker, 'x', given({ nam: 'x' })), 'ctx.run has no option "nam". Did you mean "name"?'],
]
test.each(bodies)('in a durable body, %s is an error that the model reads', async (_, body, named) => {
  const act = tool({ durable: true, effect: 'read', run: (_input, context) => body(context) })
  const caller = agent({ model: scriptedModel([{ calls: [{ tool: 'act' }] }, 'end']), tools: { act } })
  expect(await caller.run('x', { thread: 't' })).toMatchObject({ status: 'done' })
  const outputs = (await caller.journal.read('t')).flatMap((event) => (event.type === 'tool.finished' ? [String(event.data.output.value)] : []))
  expect(outputs).toEqual([expect.stringContaining(named)])
})
