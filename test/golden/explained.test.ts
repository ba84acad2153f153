/** Journals of every age explain: also contexts of version 1, which left out what came before one entry. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { explain, presenceOf, renderExplanation } from '@loom-agent/agent'
import { explainRequests, requestTokens, wireToolsOf } from '@loom-agent/agent/kit'
import { decodeBatch, type Journal, type LoomEvent } from '@loom-agent/kernel'
import { checkContexts } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsByThread, readGolden } from './golden-history.ts'

const folder = join(import.meta.dirname, 'histories')
const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'))

/** A journal that has these events, and that can only be read. */
function journalOf(thread: string, events: readonly LoomEvent[]): Journal {
  const reading = {
    head: () => Promise.resolve({ thread, incarnation: thread, seq: events.length }),
    read: (_: string, { from = 1 }: { from?: number }) => Promise.resolve(events.filter(({ seq }) => seq >= from)),
  }
  return reading as object as Journal
}

test.each(files)('every request of %s is explained, and its parts have all of its tokens', (file) => {
  const { batches } = readGolden(readFileSync(join(folder, file), 'utf8'))
  for (const [thread, events] of eventsByThread(batches)) {
    for (const { parts, messages, frame } of explainRequests(thread, events)) {
      const sent = requestTokens(frame, { prompt: [...messages], tools: wireToolsOf(frame.context.tools) })
      expect(parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(sent)
      expect(parts.filter(({ entry }) => entry !== undefined).length).toBeGreaterThan(0)
    }
  }
})

describe('a context of version 1', () => {
  const said = (text: string) => ({ role: 'user', parts: [{ type: 'text', text }] })
  const request = { input: ['one', 'two', 'three'].map(said), model: 'test/model', limits: {}, agent: { name: 'a', fingerprint: 'f' } }
  const eventsWith = (rebase: object): readonly LoomEvent[] => {
    const started = [
      ['thread.started', { agent: 'a' }],
      ['run.started', { run: 'r1', request }],
      ['driver.acquired', { epoch: 1, worker: 'w' }],
    ]
    const turn = [
      ['context.assembled', { rebase: { reason: 'full', system: 'Be exact.', tools: [], ...rebase } }],
      ['model.requested', { attempt: 1 }],
    ]
    const line = (events: readonly unknown[], more: object = {}): string => JSON.stringify({ id: 'b', v: 1, time: 1, events, ...more })
    return [
      ...decodeBatch('t', 1, line(started)),
      ...decodeBatch('t', 4, line([['turn.entered', { turn: 1 }]], { run: 'r1' })),
      ...decodeBatch('t', 5, line(turn, { run: 'r1', turn: 1 })),
    ]
  }
  const fatesOf = async (rebase: object) => {
    const { parts } = await explain(journalOf('t', eventsWith(rebase)), 't@6')
    return parts.filter(({ kind }) => kind === 'input').map(({ fate }) => fate)
  }

  test('with keepFrom has dropped what came before', async () => {
    expect(await fatesOf({ keepFrom: 1 })).toMatchObject([
      { as: 'dropped', rule: 'keepFrom' },
      { as: 'verbatim', message: 1 },
      { as: 'verbatim', message: 2 },
    ])
  })

  test('with a lead has that text in the place of what came before', async () => {
    const rebase = { keepFrom: 2, lead: 'They said one, and then two.' }
    expect(await fatesOf(rebase)).toMatchObject([
      { as: 'summarised', message: 1, line: rebase.lead },
      { as: 'summarised', message: 1 },
      { as: 'verbatim', message: 2 },
    ])
    const journal = journalOf('t', eventsWith(rebase))
    expect(renderExplanation(await explain(journal, 't@6', 'two'))).toContain('"two": in the request')
    expect((await presenceOf(journal, 't')).rows.map(({ from, to, turns }) => [from, to, turns[0]?.as])).toEqual([
      [0, 1, 'summary'],
      [2, 2, 'in'],
    ])
    expect(checkContexts(eventsWith(rebase), [])).toEqual([])
  })
})
