import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

/** The sizes to beat: non-blank lines, characters that are not blank, imports included. */
const examples = {
  hello: { lines: 3, characters: 100, says: 'Hello! I can calculate, such as 2 + 2 * 10. I have no tools here.' },
  tool: { lines: 9, characters: 230, says: 'The tool says 4.' },
  approval: { lines: 12, characters: 350, says: 'Order 7 is refunded.' },
  stream: { lines: 17, characters: 350, says: 'the journal knew where it had been.\ndone, 5 tokens' },
  'multi-agent': { lines: 10, characters: 260, says: 'Dear reader: looms have had power since 1785.' },
}

describe.each(Object.entries(examples))('the example %s', (name, { lines, characters, says }) => {
  const file = join(import.meta.dirname, name, 'main.ts')

  test('runs and says what it promises', async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--conditions=loom-source', file])
    expect(stdout.trim().endsWith(says)).toBe(true)
    expect(stderr).toBe('')
  })

  test('is as short as it promises', () => {
    const text = readFileSync(file, 'utf8')
    expect(text.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(lines)
    expect(text.replace(/\s/g, '').length).toBeLessThanOrEqual(characters)
  })
})
