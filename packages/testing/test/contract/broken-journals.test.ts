/** The contract suite is judged: it must notice every journal that breaks a promise. */
import { memoryJournal } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { beforeAll, describe, expect, test } from 'vitest'
import { contractCases } from '../../src/contract/contract.ts'
import { type ContractCase, contractRules, type Reopen } from '../../src/contract/contract-case.ts'
import { faults } from './broken-journals.ts'
import type { Fault } from './faults.ts'

const cases = contractCases({ durable: true })
const stay: Reopen = async (journal) => journal

async function fails(one: ContractCase, journal: Journal, reopen: Reopen = stay): Promise<boolean> {
  try {
    await one.run(journal, reopen)
    return false
  } catch {
    return true
  }
}

/** Cases that a sound journal passes: only their failure counts against a broken one. */
const trusted = new Set<ContractCase>()

async function failingCase({ rule, spoil, reopen }: Fault): Promise<string | undefined> {
  for (const one of cases) {
    if (one.rule === rule && trusted.has(one) && (await fails(one, spoil(memoryJournal()), reopen))) return one.name
  }
  return undefined
}

describe('the contract suite notices a journal that', () => {
  beforeAll(async () => {
    for (const one of cases) if (!(await fails(one, memoryJournal()))) trusted.add(one)
  })

  for (const fault of faults) {
    test.concurrent(`${fault.name} (${fault.rule})`, async () => {
      expect(await failingCase(fault)).toBeDefined()
    })
  }

  test('breaks any one of the rules', () => {
    expect(new Set(faults.map(({ rule }) => rule))).toEqual(new Set(Object.keys(contractRules)))
  })
})
