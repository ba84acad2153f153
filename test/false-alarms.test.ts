/** The redaction leaves what is no secret: this repository's own code and pages are the measure. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { redactText } from '@loom-agent/agent/kit'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const texts = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => /\.(?:[cm]?[jt]s|md|json|ya?ml|html|css)$/.test(file))
  .map((file) => readFileSync(join(root, file), 'utf8'))

describe('of the lines of this repository', () => {
  const lines = texts.flatMap((text) => text.split('\n'))

  // The made-up keys that tests of the repository hold are counted too.
  test.each(['text', 'foreign'] as const)('at most one in 2,000 is changed where it is read as %s', (kind) => {
    const changed = lines.filter((line) => redactText(line, { kind }) !== line)
    expect(lines.length).toBeGreaterThan(50_000)
    expect(changed.length).toBeLessThanOrEqual(lines.length / 2_000)
  })
})
