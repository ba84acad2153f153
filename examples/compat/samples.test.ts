import { globSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const samples: { readonly [file: string]: () => Promise<unknown> } = {
  'advanced-agent.ts': () => import('./advanced-agent.ts'),
  'anti-loop.ts': () => import('./anti-loop.ts'),
  'basic-agent.ts': () => import('./basic-agent.ts'),
  'custom-hooks.ts': () => import('./custom-hooks.ts'),
  'integration.ts': () => import('./integration.ts'),
  'production-agent.ts': () => import('./production-agent.ts'),
}

describe('the samples of the original Python project', () => {
  test('are all run here', () => {
    const files = globSync('*.ts', { cwd: import.meta.dirname }).filter((file) => !file.endsWith('.test.ts'))
    expect(files.sort()).toEqual(Object.keys(samples))
  })

  test.each(Object.entries(samples))('%s runs, and its assertions hold', async (_, run) => {
    await expect(run()).resolves.toBeDefined()
  })
})
