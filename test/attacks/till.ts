/** A till that attacks try to empty: a tool that pays, and a rule that allows no more than a sum in all. */
import { type Policy, type Rule, type ToolDefinition, tool } from '@loom-agent/agent'
import { type ScriptedModel, scriptedModel } from '@loom-agent/testing'
import { z } from 'zod'

/** The facts of a rule, as far as a sum over a run needs them. Code that does not supply the calls of the run leaves them out. */
interface Facts {
  readonly input: unknown
  readonly calls?: Iterable<{ readonly tool: string; readonly input: unknown }>
}

const amountIn = (input: unknown): number => (input as { amount: number }).amount

/** What the payments of the run so far, and this one, come to. */
export function sumIn({ input, calls = [] }: Facts): number {
  let sum = amountIn(input)
  for (const call of calls) if (call.tool === 'pay') sum += amountIn(call.input)
  return sum
}

/** Denies a payment that would make the sum of all of a run greater. */
export const denyAbove = (most: number, when?: (facts: Facts) => Promise<void>): Rule => ({
  tool: 'pay',
  verdict: 'deny',
  when: async (facts) => {
    await when?.(facts)
    return sumIn(facts) > most
  },
})

/** The policy of that rule alone. */
export const atMost = (most: number, ...rules: readonly Rule[]): Policy => ({ rules: [denyAbove(most), ...rules], default: 'allow' })

type Pay = Partial<Pick<ToolDefinition<never, unknown, false>, 'effect' | 'permission' | 'schedule'>>

/** A tool that pays. `paid` has every amount that has left the till. */
export function till(options: Pay & { readonly before?: () => unknown } = {}) {
  const { before, ...given } = options
  const paid: number[] = []
  const pay = tool({
    name: 'pay',
    input: z.object({ amount: z.coerce.number().default(50) }),
    ...(given as object),
    async run({ amount }) {
      await before?.()
      paid.push(amount)
      return 'paid'
    },
  })
  return { pay, paid, spent: (): number => paid.reduce((sum, amount) => sum + amount, 0) }
}

/** Pays so often in one reply, then ends: decided by the prompt, so that it goes on in any process. */
export const pays = (times: number, input: object = { amount: 50 }): ScriptedModel =>
  scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: Array.from({ length: times }, () => ({ tool: 'pay', input })) }))

/** Calls each of these tools once in one reply, then ends. */
export const callsEach = (...names: readonly string[]): ScriptedModel =>
  scriptedModel(({ prompt }) =>
    prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: names.map((name) => ({ tool: name, input: { prompt: 'pay', amount: 50 } })) },
  )
