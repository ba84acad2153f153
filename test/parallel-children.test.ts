/** Children of one durable body, in a journal whose commits answer several writers at once. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineModel } from '@loom-agent/models'
import { agent, sqlite, tool } from 'loom-agent'
import { expect, test } from 'vitest'

const width = 4

test('children go on side by side however their records were stored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loom-children-'))
  const journal = sqlite(join(folder, 'loom.db'))
  let answered = 0
  let waiting: (() => void)[] = []
  // The first children answer at once; each later one waits until as many are asked as the body has branches.
  const generate = async (): Promise<string> => {
    answered += 1
    if (answered > 5 * width) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        if (waiting.length < width) return
        for (const one of waiting) one()
        waiting = []
      })
    }
    return 'yes'
  }
  const child = agent({ name: 'child', model: defineModel({ id: 'test/child', generate }) })
  const spread = tool({
    name: 'spread',
    durable: true,
    effect: 'read',
    run: async (_, ctx) => {
      let next = 0
      const branch = async (): Promise<void> => {
        for (let one = next++; one < 10 * width; one = next++) {
          await ctx.run(child, `task ${one}`, { name: `task ${one}` })
          await ctx.step(`note ${one}`, () => one)
        }
      }
      await Promise.all(Array.from({ length: width }, branch))
    },
  })
  const generateParent = ({ messages }: { readonly messages: readonly unknown[] }) => (messages.length > 1 ? 'done' : { calls: [{ tool: 'spread' }] })
  const parent = agent({ model: defineModel({ id: 'test/parent', generate: generateParent }), tools: [spread], journal })
  expect(await parent.run('Go.')).toMatchObject({ status: 'done', text: 'done' })
  expect(answered).toBe(10 * width)
  await journal.close()
  rmSync(folder, { recursive: true })
})
