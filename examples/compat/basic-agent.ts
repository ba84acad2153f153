/** A basic agent with tools: the first sample of the original Python project. */
import assert from 'node:assert/strict'
import { scriptedModel } from '@loom-agent/testing'
import { tool } from 'loom-agent'
import { Agent } from 'loom-agent/compat'
import { z } from 'zod'

const files: { readonly [path: string]: string } = { 'notes.txt': 'Apples cost 3, pears cost 4.' }

const readFile = tool({
  name: 'read_file',
  description: 'Reads a file.',
  input: z.object({ path: z.string() }),
  effect: 'read',
  run: ({ path }) => files[path] ?? new Error(`there is no ${path}`),
})

const calculator = tool({
  name: 'calculator',
  description: 'Adds numbers.',
  input: z.object({ numbers: z.array(z.number()).min(1).max(1000) }),
  effect: 'pure',
  run: ({ numbers }) => numbers.reduce((sum, number) => sum + number, 0),
})

// Any AI SDK model takes the place of the script.
const llm = scriptedModel([
  { text: 'I look it up.', calls: [{ tool: 'read_file', input: { path: 'notes.txt' } }] },
  { calls: [{ tool: 'calculator', input: { numbers: [3, 4] } }] },
  'Together they cost 7.',
])

const shopper = Agent.create(llm, { systemPrompt: 'You know prices.', tools: [readFile, calculator], maxIterations: 10 })
const answer = await shopper.run('What do apples and pears cost together?')

assert.equal(answer, 'Together they cost 7.')
llm.assertComplete()
