import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { hookPoints } from '@loom-agent/agent'
import { describe, expect, test } from 'vitest'

const pathOf = (page: string): string => fileURLToPath(new URL(`../../../docs/${page}`, import.meta.url))
const reference = readFileSync(pathOf('reference/hooks.md'), 'utf8')

describe('the reference of hooks', () => {
  test('has a section for each point, in order, and for nothing else', () => {
    expect([...reference.matchAll(/^### (\S+)$/gm)].map(([, heading]) => heading)).toEqual([...hookPoints])
  })

  test.each(hookPoints)('says of %s when, with what, what it may change, how it may stop, and what a throw does', (point) => {
    const section = reference.split(`\n### ${point}\n`)[1]?.split('\n#')[0] ?? ''
    const listed = [...section.matchAll(/^- ([^:]+): \S/gm)].map(([, what]) => what)
    expect(listed).toEqual(['When', 'Arguments', 'May change', 'Suspend and skip', 'A throw'])
    const isCall = point.includes('Tool')
    expect(section).toMatch(isCall ? /- A throw: .*the result of the call/ : /- A throw: fails the run with `LOOM_HOOK_FAILED`/)
  })
})
