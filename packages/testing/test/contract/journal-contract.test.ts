/** The reference implementation keeps the contract. */
import { memoryJournal } from '@loom-agent/agent'
import { describe, expect, test } from 'vitest'
import { contractCases, journalContract } from '../../src/contract/contract.ts'
import { contractRules } from '../../src/contract/contract-case.ts'

journalContract({ name: 'memory', open: async () => memoryJournal() }, { describe, test })

test('every rule of the contract has a case, and cases have names of their own', () => {
  const cases = contractCases({ durable: true })
  expect(new Set(cases.map(({ rule }) => rule))).toEqual(new Set(Object.keys(contractRules)))
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
})

test('only a durable journal is opened again', async () => {
  const registered: { name: string; body: () => Promise<void> }[] = []
  const runner = {
    describe: (_name: string, body: () => void) => body(),
    test: (name: string, body: () => Promise<void>) => registered.push({ name, body }),
  }
  let opened = 0
  const open = async () => {
    opened += 1
    return memoryJournal()
  }
  journalContract({ name: 'a', open }, runner)
  expect(registered.some(({ name }) => name.startsWith('JOURNAL-12'))).toBe(false)
  journalContract({ name: 'b', open, reopen: open }, runner)
  const durable = registered.filter(({ name }) => name.startsWith('JOURNAL-12'))
  expect(durable).toHaveLength(4)
  for (const { body } of durable) await expect(body()).rejects.toThrow('Expected values to be strictly')
  expect(opened).toBe(8)
})
