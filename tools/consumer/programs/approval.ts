/** An approval over two processes: the first one asks and ends, the second one answers and continues. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scriptedModel } from '@loom-agent/testing'
import { agent, approve, sqlite, tool } from 'loom-agent'
import { z } from 'zod'

function clerkIn(folder: string) {
  const refund = tool({
    input: z.object({ order: z.number() }),
    permission: 'ask',
    run: ({ order }) => {
      appendFileSync(join(folder, 'refunds'), `${order}\n`)
      return 'refunded'
    },
  })
  const model = scriptedModel(({ prompt }) =>
    prompt.at(-1)?.role === 'tool' ? 'Order 7 is refunded.' : { calls: [{ tool: 'refund', input: { order: 7 } }] },
  )
  const journal = sqlite(join(folder, 'loom.db'))
  return { journal, clerk: agent({ name: 'clerk', model, tools: { refund }, journal }) }
}

const [given] = process.argv.slice(2)
if (given === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'loom-user-'))
  const asked = execFileSync(process.execPath, [...process.execArgv, import.meta.filename, folder], { encoding: 'utf8' })
  const { clerk, journal } = clerkIn(folder)
  const run = clerk.resume('order-7')
  await run.answer(asked.trim(), approve({ by: 'ann' }))
  assert.equal((await run.result()).text, 'Order 7 is refunded.')
  assert.equal(readFileSync(join(folder, 'refunds'), 'utf8'), '7\n')
  await journal.close()
  rmSync(folder, { recursive: true })
} else {
  const { clerk, journal } = clerkIn(given)
  const waiting = await clerk.run('Refund order 7.', { thread: 'order-7' })
  assert.equal(waiting.status, 'waiting')
  console.log(waiting.questions[0]?.id)
  await journal.close()
}
