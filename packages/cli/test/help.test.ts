/** Every command has an example in its help, and every example runs. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { questions } from '@loom-agent/agent'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Command } from 'commander'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProgram } from '../src/program.ts'
import { loom, project } from './captured.ts'

const folder = mkdtempSync(join(project, 'tmp-'))
const journal = join(folder, 'loom.db')

function helpOf(args: readonly string[]): string {
  let help = ''
  const write = (text: string): void => {
    help += text
  }
  const program = createProgram(
    { out: write, err: write, isInteractive: false, columns: 100, hasColour: false, env: {}, cwd: tmpdir(), now: Date.now },
    () => {},
  )
  try {
    program.parse([...args, '--help'], { from: 'user' })
  } catch {
    // Commander ends help by an error where it may not end the process.
  }
  return help
}

function namesOf(command: Command, above: readonly string[] = []): readonly (readonly string[])[] {
  return command.commands.flatMap((one) => (one.commands.length > 0 ? namesOf(one, [...above, one.name()]) : [[...above, one.name()]]))
}

const terminal = { out: () => {}, err: () => {}, isInteractive: false, columns: 100, hasColour: false, env: {}, cwd: tmpdir(), now: Date.now }
const examples = namesOf(createProgram(terminal, () => {})).map((names) => [names.join(' '), /\$ loom (.*)/.exec(helpOf(names))?.[1] ?? ''] as const)

/** Splits a line as a shell does, as far as examples need it. */
const wordsOf = (line: string): readonly string[] => [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)

beforeAll(async () => {
  process.env['LOOM_JOURNAL'] = journal
  await sqlite(journal).close()
  copyFileSync(join(project, 'loom.config.ts'), join(folder, 'loom.config.ts'))
  writeFileSync(join(folder, 'policy.json'), JSON.stringify({ default: 'ask' }))
  writeFileSync(join(folder, 'cases.jsonl'), JSON.stringify({ input: 'Hello.', expected: 'well' }))
  writeFileSync(join(folder, 'cases.json'), JSON.stringify([{ tool: 'a', expect: 'ask' }]))
  await loom(['run', 'Look for the order number.', '--thread', 'user-123'])
})
afterAll(() => rmSync(folder, { recursive: true }))

test('every command has an example', () => {
  expect(examples.length).toBeGreaterThan(20)
  expect(examples.filter(([, example]) => example === '')).toEqual([])
})

test.each(examples.filter(([name]) => !['answer', 'import', 'adopt', 'serve', 'chat'].includes(name)))(
  'the example of %s runs',
  async (_, example) => {
    const { code, err } = await loom(wordsOf(example), { cwd: folder })
    expect([code, code === 0 ? '' : err]).toEqual([0, ''])
  },
)

test('the examples of answer, import and adopt run one after another', async () => {
  const [answering, importing, adopting] = ['answer', 'import', 'adopt'].map((name) => wordsOf(examples.find(([one]) => one === name)?.[1] ?? ''))
  await loom(['run', 'Pay bob.', '--thread', 'waiting'], { cwd: folder })
  const open = sqlite(journal)
  const [question] = await questions(open, { thread: 'waiting' })
  await open.close()
  const answered = await loom(
    (answering ?? []).map((word) => (word === 'QUESTION' ? (question?.id ?? '') : word)),
    { cwd: folder },
  )
  expect([answered.code, answered.err]).toEqual([0, expect.stringContaining('reject')])
  await loom(['export', 'user-123', '-o', 'user-123.jsonl'], { cwd: folder })
  const other = { cwd: folder, env: { LOOM_JOURNAL: join(folder, 'other.db') } }
  expect((await loom(importing ?? [], other)).code).toBe(0)
  expect((await loom(adopting ?? [], other)).code).toBe(0)
})
