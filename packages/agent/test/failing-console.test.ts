import { agent, type Result } from '@loom-agent/agent'
import { afterEach, describe, expect, test, vi } from 'vitest'

describe('where the console cannot log an error, a run that fails is recorded as failed and is not tried for ever (THROWN-2)', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  const runWithoutModel = (): Promise<Result<unknown>> => agent({ model: 'nobody/knows', ports: { development: true } }).run('Hi')

  test.each([
    ['throws', { error: () => JSON.parse('no JSON') }],
    ['is missing', {}],
  ])('because it %s', async (_, broken) => {
    vi.stubGlobal('console', broken)
    expect(await runWithoutModel()).toMatchObject({ status: 'failed', error: { code: 'LOOM_MODEL_UNRESOLVED' } })
  })
})
