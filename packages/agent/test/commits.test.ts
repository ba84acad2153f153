/** How many commits a turn costs, for each kind of schema and each effect class. */
import { agent, jsonSchema, memoryJournal, type Schema, tool } from '@loom-agent/agent'
import type { EffectClass, Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const effects = ['pure', 'read', 'idempotent', 'reconcilable', 'unsafe'] as const satisfies readonly EffectClass[]
const turns = 4

const next = 'turn.entered context.assembled model.requested'
/** Nothing impure stands between the reply and the call, so the call's intent is committed with the reply. */
const two = ['model.replied tool.started', `tool.finished ${next}`]
/** A call that changes nothing does not wait for its intent; when it ends at once, one commit has the whole turn. */
const one = [`model.replied tool.started tool.finished ${next}`]
/** An asynchronous schema may take any time: the reply is committed alone, before the schema is waited for. */
const three = ['model.replied', 'tool.started', `tool.finished ${next}`]
/** The same, for a call that changes nothing and ends at once. */
const threeLessOne = ['model.replied', `tool.started tool.finished ${next}`]

const json = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const
const sync = { sync: { harmless: one, other: two }, async: { harmless: two, other: two } }
const async = { sync: { harmless: threeLessOne, other: three }, async: { harmless: three, other: three } }

const kinds: readonly { readonly name: string; readonly schema: Schema | undefined; readonly commits: typeof sync }[] = [
  { name: 'no schema', schema: undefined, commits: sync },
  { name: 'a synchronous Standard Schema', schema: z.object({ n: z.number() }), commits: sync },
  { name: 'jsonSchema()', schema: jsonSchema(json), commits: sync },
  { name: 'jsonSchema() with its own validator', schema: jsonSchema(json, { validate: z.object({ n: z.number() }) }), commits: sync },
  { name: 'an asynchronous Standard Schema', schema: z.object({ n: z.number().refine(async () => true) }), commits: async },
]

/** The commits of each turn, from after one request of the model up to and with the next one. */
async function commitsOf(act: ReturnType<typeof tool>): Promise<readonly (readonly string[])[]> {
  const memory = memoryJournal()
  const perTurn: string[][] = [[]]
  const journal: Journal = {
    ...memory,
    append(thread, batch) {
      perTurn.at(-1)?.push(batch.events.map(({ type }) => type).join(' '))
      if (batch.events.at(-1)?.type === 'model.requested') perTurn.push([])
      return memory.append(thread, batch)
    },
  }
  const model = scriptedModel((_, number) => (number <= turns ? { calls: [{ tool: 'act', input: { n: number } }] } : 'Done.'))
  await agent({ model, tools: [act], journal }).run('go')
  return perTurn.slice(1, -1)
}

const bodies = { sync: () => 'acted', async: () => new Promise((resolve) => setImmediate(resolve, 'acted')) }

describe.each(kinds)('a turn with a call whose input has $name', ({ schema, commits }) => {
  test.each(effects)('and whose effect is %s has the commits it was designed to have', async (effect) => {
    for (const body of ['sync', 'async'] as const) {
      const check = { check: () => ({ status: 'unknown' }) as const }
      const act = tool({ name: 'act', effect, ...(schema && { input: schema }), ...(effect === 'reconcilable' && check), run: bodies[body] })
      const perTurn = await commitsOf(act)
      const { harmless, other } = commits[body]
      expect(perTurn).toHaveLength(turns)
      // The first turn of all loads the validator of JSON Schemas.
      expect(perTurn.slice(1)).toEqual(Array(turns - 1).fill(effect === 'pure' || effect === 'read' ? harmless : other))
    }
  })
})
