/** On the wires of all vendors: what is explained as sent is in the body that the server parsed, and what is not, is not. */
import { agent, explain, frameOf } from '@loom-agent/agent'
import { type WireServer, wireServer, wires } from '@loom-agent/harness/wire'
import { afterEach, expect, test } from 'vitest'
import { anyStrategy, marksOf } from '../../../test/laws/context-lives.ts'
import { modelOn } from '../../harness/test/wire/providers.ts'
import { factsOf } from './journals.ts'

const open: WireServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

test.for(wires)('on %s', async (wire) => {
  const server = await wireServer({ reply: () => 'Yes.' })
  open.push(server)
  let left = 0
  for (const seed of [3, 5, 8]) {
    const before = server.requests.length
    const worker = agent({ instructions: 'Be exact.', model: modelOn(wire, server), context: anyStrategy(seed), settings: { maxOutputTokens: 100 } })
    for (let n = 0; n < 8; n += 1) await worker.run(`asked <q${seed}x${n}>`, { thread: 't' })
    const requests = await factsOf(worker, 't', 'model.requested')
    const received = server.requests.slice(before)
    expect(received.length).toBe(requests.length)
    for (const [index, { seq }] of requests.entries()) {
      const body = JSON.stringify(received[index]?.body)
      const { parts, request } = await explain(worker.journal, `t@${seq}`)
      const frame = await frameOf(worker.journal, `t@${seq}`)
      expect(request?.isVerified).toBe(true)
      for (const { entry, fate, kind } of parts) {
        if (entry === undefined || fate.as === 'not yet' || kind === 'reply') continue
        const isSent = fate.as === 'verbatim' || fate.as === 'trimmed'
        left += isSent ? 0 : 1
        for (const mark of marksOf(frame, entry)) expect({ mark, isSent: body.includes(mark) }).toEqual({ mark, isSent })
      }
    }
  }
  expect(left).toBeGreaterThan(0)
})
