/** An answer with a zod schema; a first answer that does not fit is repaired. */
import assert from 'node:assert/strict'
import { scriptedModel } from '@loom-agent/testing'
import { agent } from 'loom-agent'
import { z } from 'zod'

const output = z.object({ city: z.string(), people: z.number().int() })
const model = scriptedModel(['{"city":"Lyon"}', '{"city":"Lyon","people":520000}'])
const result = await agent({ name: 'atlas', model, output }).run('Which city is known for silk?')
assert.equal(result.status, 'done')
const { city, people } = result.output
assert.equal(`${city} ${people.toFixed(0)}`, 'Lyon 520000')
