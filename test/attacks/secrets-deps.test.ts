/** Attacks on dependencies: nothing of Loom holds what a run was given once this process has nothing more to do with the run. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Agent, agent, approve, memoryJournal, type Result, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { mortalJournal, type ScriptStep, scriptedModel } from '@loom-agent/testing'
import { describe, expect, it, vi } from 'vitest'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function areLetGo(given: readonly WeakRef<object>[]): Promise<boolean> {
  for (let turn = 0; turn < 200 && given.some((one) => one.deref()); turn += 1) {
    // What was looked at stays until the pass of the event loop is over.
    await soon()
    collectGarbage()
  }
  return given.every((one) => one.deref() === undefined)
}

const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
const asks: ScriptStep = ({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'ok' : { calls: [{ tool: 'pay' }] })
const clerk = (journal: Journal, says: ScriptStep | readonly ScriptStep[] = asks, deps?: () => object): Agent =>
  agent({ name: 'clerk', model: scriptedModel(says), tools: [pay], journal, behaviour: { attempts: 1 }, ...(deps && { deps }) }) as Agent

/** Starts runs with dependencies of their own, and returns references that hold none of them. */
async function started(
  worker: Agent,
  threads: readonly string[],
  then?: (thread: string, result: Result | undefined) => Promise<unknown>,
): Promise<readonly WeakRef<object>[]> {
  const begin = async (thread: string): Promise<WeakRef<object>> => {
    const deps = { key: thread }
    const result = await worker.run('go', { thread, deps } as never).catch(() => undefined)
    await then?.(thread, result)
    return new WeakRef(deps)
  }
  return Promise.all(threads.map(begin))
}

const threads = ['a', 'b', 'c']

describe('dependencies are let go of', () => {
  it('when the run has ended', async () => {
    const worker = clerk(memoryJournal(), () => 'done')
    expect(await areLetGo(await started(worker, threads))).toBe(true)
    expect(worker.name).toBe('clerk')
  })

  it('when the run has failed', async () => {
    const worker = clerk(memoryJournal(), () => ({ throws: new Error('no') }))
    expect(await areLetGo(await started(worker, threads))).toBe(true)
    expect(worker.name).toBe('clerk')
  })

  it('by the stacks of the causes of what was thrown, which become texts when it is recorded', async () => {
    // Nobody logs it in production, which would read the stack too.
    vi.stubEnv('NODE_ENV', 'production')
    let isWritten = false
    const markWritten = (): string => {
      isWritten = true
      return ''
    }
    const cause = Object.defineProperty(new Error('no'), 'stack', { get: markWritten })
    const { status } = await clerk(memoryJournal(), () => ({ throws: new Error('no', { cause }) })).run('go')
    vi.unstubAllEnvs()
    expect([status, isWritten]).toEqual(['failed', true])
  })

  it('when the run waits and another process answers it and brings it to its end', async () => {
    const journal = memoryJournal()
    const worker = clerk(journal)
    const other = clerk(journal, asks, () => ({}))
    const given = await started(worker, threads, async (thread, result) => {
      await other.answer(result?.questions[0]?.id ?? '', approve())
      expect((await other.resume(thread).result()).status).toBe('done')
    })
    // The next run of this process looks at those that it left.
    await worker.run('go', { thread: 'next', deps: {} } as never)
    expect(await areLetGo(given)).toBe(true)
    expect(worker.name).toBe('clerk')
  })

  it('when the run waits and its thread is removed', async () => {
    const journal = memoryJournal()
    const worker = clerk(journal)
    const given = await started(worker, threads, (thread) => journal.remove(thread))
    await worker.run('go', { thread: 'next', deps: {} } as never)
    expect(await areLetGo(given)).toBe(true)
    expect(worker.name).toBe('clerk')
  })

  it('when the journal of the run fails for good', async () => {
    const { journal, die } = dying()
    const worker = clerk(journal, async () => {
      die()
      return 'never'
    })
    expect(await areLetGo(await started(worker, threads))).toBe(true)
    expect(worker.name).toBe('clerk')
  })

  it('when another process has taken the thread over and has ended the run', async () => {
    const journal = memoryJournal()
    let reached = (): void => {}
    const isReached = new Promise<void>((resolve) => {
      reached = resolve
    })
    const worker = clerk(journal, () => {
      reached()
      return new Promise<never>(() => {})
    })
    const begin = (): WeakRef<object> => {
      const deps = { key: 'a' }
      void worker.run('go', { thread: 'a', deps } as never)
      return new WeakRef(deps)
    }
    const given = begin()
    await isReached
    const other = clerk(
      mortalJournal(journal).journal,
      () => 'done',
      () => ({}),
    )
    expect((await other.resume('a').result()).status).toBe('done')
    expect(await areLetGo([given])).toBe(true)
    expect(worker.name).toBe('clerk')
  })

  it('when the run waits and is stopped without its agent', async () => {
    const journal = memoryJournal()
    const worker = clerk(journal)
    const other = clerk(journal, asks, () => ({}))
    const given = await started(worker, threads, (thread) => other.stop(thread, 'enough'))
    await worker.run('go', { thread: 'next', deps: {} } as never)
    expect(await areLetGo(given)).toBe(true)
    expect(worker.name).toBe('clerk')
  })
})

/** A journal that fails for good once it is told to. */
function dying(): { journal: Journal; die(): void } {
  const inner = memoryJournal()
  let isDead = false
  const append: Journal['append'] = (thread, batch) => (isDead ? Promise.reject(new Error('The disk is gone.')) : inner.append(thread, batch))
  const die = (): void => {
    isDead = true
  }
  return { journal: { ...inner, append }, die }
}
