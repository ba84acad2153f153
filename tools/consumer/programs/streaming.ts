/** A server that streams text as it comes; a reader that leaves and returns with the last seq misses no event. */
import assert from 'node:assert/strict'
import { scriptedModel } from '@loom-agent/testing'
import { agent, isSignal } from 'loom-agent'

const story = 'Once upon a time a thread was cut.'
const teller = agent({ name: 'teller', model: scriptedModel([story, 'The end.']) })

let text = ''
for await (const piece of teller.start('Tell me a story.', { thread: 'tale' }).text()) text += piece
assert.equal(text, story)

const seen: number[] = []
for await (const event of teller.start('And then?', { thread: 'tale' }).events()) {
  if (isSignal(event)) continue
  seen.push(event.seq)
  if (event.type === 'model.requested') break
}
await teller.resume('tale').result()
for await (const event of teller.resume('tale').events({ from: (seen.at(-1) ?? 0) + 1 })) if (!isSignal(event)) seen.push(event.seq)
const first = seen[0] ?? 0
assert.deepEqual(
  seen,
  seen.map((_, index) => first + index),
)
