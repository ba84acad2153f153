/** Example runs that together show every event of the original Python project. */
import { type Agent, agent, type ContextStrategy, type RunEvent, type RunHandle, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { z } from 'zod'

/** A strategy that retrieves on the first turn and compresses on the second. */
const strategy: ContextStrategy = {
  name: 'test',
  assemble: ({ frame }) => {
    if (frame.turn === 1) {
      const documents = [
        { id: 'd1', title: 'Facts', score: 0.9, text: 'Two and two are four.' },
        { id: 'd2', text: 'More facts.' },
      ]
      return { retrieved: { query: '2+2', documents } }
    }
    return { compressed: { from: 1, to: 2, summary: 'They asked for a sum.', tokensBefore: 900, tokensAfter: 300 } }
  },
}

const add = tool({
  name: 'add',
  input: z.object({ a: z.number(), b: z.number() }),
  effect: 'pure',
  run: ({ a, b }, { progress }) => {
    progress('half way')
    return a + b
  },
})
const fails = tool({
  name: 'fails',
  effect: 'read',
  run: () => {
    throw new Error('broken')
  },
})
const asks = tool({ name: 'asks', permission: 'ask', run: () => 'done' })

const serverFault = Object.assign(new Error('overloaded'), { statusCode: 503, isRetryable: true })
const ports = { random: () => 0 }

/** A run, who runs it, and its stream, opened at once. */
export interface ExampleRun {
  readonly agent: Agent
  readonly run: RunHandle
  readonly events: AsyncIterableIterator<RunEvent>
}

const begin = (of: Agent, input = 'go'): ExampleRun => {
  const run = of.start(input, { thread: 't' })
  return { agent: of, run, events: run.events() }
}

/** Each example by what happens in it. */
export const exampleRuns = {
  /** Retrieval, a retry, two calls of which one fails, compression, an answer. */
  answered: () =>
    begin(
      agent({
        model: scriptedModel([
          { throws: serverFault },
          { text: 'Let me see.', calls: [{ tool: 'add', input: { a: 2, b: 2 } }, { tool: 'fails' }] },
          'It is four.',
        ]),
        tools: { add, fails },
        context: strategy,
        ports,
      }),
      '2+2?',
    ),
  /** Three attempts, all of them in vain. */
  failed: () => begin(agent({ model: scriptedModel([{ throws: serverFault }, { throws: serverFault }, { throws: serverFault }, 'Better.']), ports })),
  /** The same call with the same result, until it is stopped. */
  looped: () => begin(agent({ model: scriptedModel(() => ({ calls: [{ tool: 'add', input: { a: 1, b: 1 } }] })), tools: { add } })),
  /** More turns than there may be. */
  limited: () =>
    begin(
      agent({
        model: scriptedModel((_, number) => ({ text: `turn ${number}`, calls: [{ tool: 'add', input: { a: number, b: 1 } }] })),
        tools: { add },
        limits: { turns: 2 },
      }),
    ),
  /** More tokens than there may be. */
  spent: () =>
    begin(
      agent({
        model: scriptedModel((_, number) => ({ text: `turn ${number}`, calls: [{ tool: 'add', input: { a: number, b: 1 } }] })),
        tools: { add },
        limits: { tokens: 20, onReached: 'stop' },
      }),
    ),
  /** A model that says a word and no more, until it is stopped. */
  stopped: () => {
    const example = begin(agent({ model: scriptedModel({ text: 'One moment please', stallAfter: 3 }) }))
    void example.run.stop('enough')
    return example
  },
  /** A call that waits for an approval. */
  waiting: () => begin(agent({ model: scriptedModel([{ calls: [{ tool: 'asks' }] }, 'Thanks.']), tools: { asks } })),
} satisfies { readonly [name: string]: () => ExampleRun }
