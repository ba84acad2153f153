import { describe, expect, test } from 'vitest'
import type { EntryChange, EntryChanges } from './facts.ts'
import { bodyOf, outcomeOf } from './what-if.ts'

describe('the request of a trial', () => {
  test('has the bound that its strategy knows', () => {
    expect(bodyOf({ strategy: 'window', bound: 4 }).context).toEqual({ strategy: 'window', turns: 4 })
    expect(bodyOf({ strategy: 'compress', bound: 900 }).context).toEqual({ strategy: 'compress', max: 900 })
    expect(bodyOf({ strategy: 'everything', bound: 900 }).context).toEqual({ strategy: 'everything' })
  })

  test('has the change of a hint, in whole tokens', () => {
    const pin = { kind: 'pin', entries: [{ origin: 'reply', number: 0 }] } as const
    expect(bodyOf({ strategy: 'own', bound: 0, change: pin }).context?.keep).toEqual([pin])
    expect(bodyOf({ strategy: 'own', bound: 0, change: { kind: 'tokens', more: 27_753.99 } }).context?.keep).toEqual([
      { kind: 'tokens', more: 27_754 },
    ])
  })
})

describe('the outcome for an entry', () => {
  const change: EntryChange = { origin: 'reply', seq: 7, text: 'x', tokens: 9, as: 'summary', rule: 'summary', turn: 5, turns: 2 }
  const of = (listed: readonly EntryChange[], entries = listed.length): EntryChanges => ({ entries, tokens: 9, by: [], listed })

  test('is kept, lost, or the same', () => {
    expect(outcomeOf({ kept: of([change]), lost: of([]) }, 7)).toEqual({ as: 'kept', change })
    expect(outcomeOf({ kept: of([]), lost: of([change]) }, 7)).toEqual({ as: 'lost', change })
    expect(outcomeOf({ kept: of([change]), lost: of([]) }, 8)).toEqual({ as: 'same' })
  })

  test('is not claimed where the report does not list everything', () => {
    expect(outcomeOf({ kept: of([change], 80), lost: of([]) }, 8)).toEqual({ as: 'unlisted' })
  })
})
