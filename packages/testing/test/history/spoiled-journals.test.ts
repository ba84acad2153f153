/** The history checker is judged: it must report every journal that was spoiled on purpose, under the rule that it breaks. */
import type { LoomEvent } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { checkHistory } from '../../src/history/check-history.ts'
import { historyRules } from '../../src/history/rules.ts'
import { realJournal, spoils } from './spoiled-journals.ts'

const journals = new Map<string, Promise<readonly LoomEvent[]>>()

/** Journals are played once: a spoiled one is a copy. */
const journalCalled = (name: string): Promise<readonly LoomEvent[]> => {
  const journal = journals.get(name) ?? realJournal(name)
  journals.set(name, journal)
  return journal
}

describe('the history checker reports that', () => {
  for (const { rule, of, name, edit } of spoils) {
    test(`${name} (${rule}, ${of})`, async () => {
      const sound = await journalCalled(of)
      expect(checkHistory(sound)).toEqual([])
      const [first] = checkHistory(edit(sound))
      expect(first?.rule).toBe(rule)
    })
  }

  test('any one of its rules is broken', () => {
    expect(new Set(spoils.map(({ rule }) => rule))).toEqual(new Set(Object.keys(historyRules)))
  })
})
