/** Random trees of agents: children in children, side by side and in durable bodies, with questions, deaths and stops, made from a plan that can shrink. */
import { type Agent, agent, approve, memoryJournal, type RunHandle, stop, type Tool, tool } from '@loom-agent/agent'
import { isLoomError, type Journal } from '@loom-agent/kernel'
import { type Death, mortalJournal, scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { inTime } from './run-plan.ts'

/** A call of an agent: a tool, a question, a child, or a durable body with two children at once. */
type Call = 'look' | 'pay' | { readonly child: Node } | { readonly both: readonly [Node, Node] }
/** An agent: the calls of its turns. */
interface Node {
  readonly turns: readonly (readonly Call[])[]
}

/** A tree, and what happens to it. */
export interface TreePlan {
  readonly root: Node
  readonly deaths: readonly Death[]
  /** The seq of the root at which it is asked to stop. */
  readonly stopAt: number | undefined
  /** After how many items a viewer leaves and returns. */
  readonly leaveAfter: number
}

const leaf: fc.Arbitrary<Call> = fc.constantFrom('look', 'look', 'pay')

function nodes(depth: number): fc.Arbitrary<Node> {
  const child = depth > 0 ? nodes(depth - 1) : undefined
  const below: readonly fc.Arbitrary<Call>[] = child ? [fc.record({ child }), fc.record({ both: fc.tuple(child, child) })] : []
  return fc.record({ turns: fc.array(fc.array(fc.oneof(leaf, ...below), { minLength: 1, maxLength: 2 }), { maxLength: 2 }) })
}

/** Trees of up to three levels below the root, which always has a child. */
export const treePlans: fc.Arbitrary<TreePlan> = fc.record({
  root: fc.tuple(nodes(2), nodes(1)).map(([first, second]) => ({ turns: [[{ child: first }, 'look', { child: second }], ['look']] })),
  deaths: fc.array(fc.record({ append: fc.integer({ min: 1, max: 20 }), when: fc.constantFrom('before', 'after') }), { maxLength: 2 }),
  stopAt: fc.option(fc.integer({ min: 6, max: 30 }), { nil: undefined, freq: 4 }),
  leaveAfter: fc.integer({ min: 1, max: 9 }),
})

/** The calls of one turn, and the tools that they need. */
interface Built {
  readonly tools: { readonly [name: string]: Agent | Tool }
  readonly turns: readonly (readonly { tool: string; input: object }[])[]
}

function toolsOf({ turns }: Node, name: string): Built {
  const tools: Record<string, Agent | Tool> = {
    look: tool({ effect: 'read', run: () => 'seen' }),
    pay: tool({ permission: 'ask', effect: 'idempotent', run: () => 'paid' }),
  }
  const called = (call: Call, place: string): { tool: string; input: object } => {
    if (typeof call === 'string') return { tool: call, input: { place } }
    if ('child' in call) tools[place] = agentOf(call.child, place)
    else tools[place] = both(call.both, place)
    return { tool: place, input: { prompt: 'go' } }
  }
  return { tools, turns: turns.map((calls, turn) => calls.map((call, index) => called(call, `${name}_${turn}${index}`))) }
}

function both(children: readonly [Node, Node], place: string): Tool {
  const agents = children.map((node, index) => agentOf(node, `${place}${index}`))
  return tool({
    durable: true,
    run: async (_, ctx) => (await Promise.all(agents.map((child) => ctx.run(child, 'go')))).map(({ status }) => status).join(),
  })
}

/** What the model says next follows from the prompt alone, so that any process can go on. */
function agentOf(node: Node, name: string, journal?: Journal): Agent {
  const { tools, turns } = toolsOf(node, name)
  const model = scriptedModel(({ prompt }) => {
    const calls = turns[prompt.filter(({ role }) => role === 'assistant').length]
    return calls ? { text: `${name} calls`, calls } : `${name} is done`
  })
  return agent({ name, model, tools, ...(journal && { journal }) })
}

const thread = 't'

/** Runs a tree to its end: processes that die one after another, answers, a stop. The handles of each process are given to `view`. */
export async function growTree(plan: TreePlan, journal: Journal, view: (run: RunHandle) => void = () => {}): Promise<void> {
  const stopWatching = stopWhere(plan, journal)
  for (const death of [...plan.deaths, undefined]) {
    const mortal = mortalJournal(journal, death)
    const boss = agentOf(plan.root, 'root', mortal.journal)
    const stored = await journal.head(thread)
    const run = stored?.seq ? boss.resume(thread) : boss.start('go', { thread })
    view(run)
    const isOver = await inTime(Promise.race([settle(run), mortal.died.then(() => false)]))
    if (isOver) break
  }
  stopWatching()
}

/** A journal for a tree. */
export const treeJournal = (): Journal => memoryJournal()

async function settle(run: RunHandle): Promise<boolean> {
  for (;;) {
    const result = await run.result()
    if (result.status !== 'waiting') return true
    const [question] = result.questions
    if (!question) throw new Error('The tree waits without a question.')
    await run.answer(question.id, approve()).catch((error: unknown) => {
      // The stop of the plan may come first: then nothing is asked any more.
      if (!isLoomError(error) || error.code !== 'LOOM_QUESTION_NOT_FOUND') throw error
    })
  }
}

function stopWhere({ stopAt }: TreePlan, journal: Journal): () => void {
  if (stopAt === undefined) return () => {}
  let isAsked = false
  return journal.watch(thread, async (seq) => {
    if (isAsked || seq < stopAt) return
    isAsked = true
    await stop(journal, thread, 'Enough.').catch(() => {})
  })
}
