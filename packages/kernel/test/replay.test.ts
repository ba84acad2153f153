import { memoryJournal } from '@loom-agent/agent'
import { storedFrame } from '@loom-agent/agent/kit'
import { emptyFrame, fold } from '@loom-agent/kernel'
import { facts, frames, given } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { busyJournal, eventsIn } from './real-runs.ts'

const { started, turn, assembled } = facts

describe('the frame of a stored thread', () => {
  test('at every seq is the fold of the events up to there (REPLAY-1)', async () => {
    const journal = await busyJournal()
    const events = await eventsIn(journal)
    expect(events.length).toBeGreaterThan(40)
    const all = [...frames('t', events)]
    for (let seq = 0; seq <= events.length; seq += 1) {
      const expected = seq === 0 ? emptyFrame('t') : all[seq - 1]
      expect(await storedFrame(journal, 't', seq)).toEqual(expected)
      expect(fold('t', events.slice(0, seq))).toEqual(expected)
    }
    expect(await storedFrame(journal, 't')).toEqual(all.at(-1))
    expect(await storedFrame(journal, 't', 9_999)).toEqual(all.at(-1))
  })

  test('that does not exist is empty', async () => {
    expect(await storedFrame(memoryJournal(), 'nowhere')).toEqual(emptyFrame('nowhere'))
  })

  test('goes on from any frame before it, and leaves that frame as it was (EVOLVE-1)', async () => {
    const events = await eventsIn(await busyJournal())
    for (let seq = 0; seq <= events.length; seq += 1) {
      const before = fold('t', events.slice(0, seq))
      const copy = structuredClone(before)
      expect(fold('t', events.slice(seq), before)).toEqual(fold('t', events))
      expect(before).toEqual(copy)
    }
  })
})

test('folding needs no more than the events: a frame in the middle is not changed by what follows', () => {
  const middle = given(...started(), turn(1))
  const text = JSON.stringify(middle.frame)
  middle.when(assembled(), turn(2))
  expect(JSON.stringify(middle.frame)).toBe(text)
})
