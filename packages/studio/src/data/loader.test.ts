import { expect, test } from 'vitest'
import { createLoader, type Loaded } from './loader.ts'

interface Held {
  readonly version: string
  end(value: string): Promise<void>
  fail(error: Error): Promise<void>
}

const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function world(): { want: (of: string, version: string) => void; loads: Held[]; seen: Loaded<string>[] } {
  const loads: Held[] = []
  const seen: Loaded<string>[] = []
  const loader = createLoader<string>((loaded) => seen.push(loaded))
  const want = (of: string, version: string): void =>
    loader.want({
      of,
      version,
      load: () =>
        new Promise((resolve, reject) => {
          const end = (value: string): Promise<void> => {
            resolve(value)
            return later()
          }
          const fail = (error: Error): Promise<void> => {
            reject(error)
            return later()
          }
          loads.push({ version: `${of} ${version}`, end, fail })
        }),
    })
  return { want, loads, seen }
}

test('one load is under way at a time, and what changed meanwhile is loaded once', async () => {
  const { want, loads, seen } = world()
  want('a', '1')
  want('a', '2')
  want('a', '3')
  expect(loads.map(({ version }) => version)).toEqual(['a 1'])
  await loads[0]?.end('one')
  expect(seen.at(-1)).toEqual({ of: 'a', data: 'one', error: undefined, isLoading: true })
  expect(loads.map(({ version }) => version)).toEqual(['a 1', 'a 3'])
  await loads[1]?.end('three')
  expect(seen.at(-1)).toEqual({ of: 'a', data: 'three', error: undefined, isLoading: false })
})

test('the same version is not loaded again', async () => {
  const { want, loads } = world()
  want('a', '1')
  await loads[0]?.end('one')
  want('a', '1')
  expect(loads).toHaveLength(1)
})

test('data stays while newer data of the same thing is loaded, and when that fails', async () => {
  const { want, loads, seen } = world()
  want('a', '1')
  await loads[0]?.end('one')
  want('a', '2')
  expect(seen.at(-1)).toEqual({ of: 'a', data: 'one', error: undefined, isLoading: true })
  const error = new Error('gone')
  await loads[1]?.fail(error)
  expect(seen.at(-1)).toEqual({ of: 'a', data: 'one', error, isLoading: false })
})

test('of another thing nothing stays, and what comes late of the first one is not shown', async () => {
  const { want, loads, seen } = world()
  want('a', '1')
  want('b', '1')
  expect(seen.at(-1)).toEqual({ of: 'b', data: undefined, error: undefined, isLoading: true })
  await loads[0]?.end('late')
  expect(seen.at(-1)?.data).toBeUndefined()
  await loads[1]?.end('b')
  expect(seen.at(-1)).toEqual({ of: 'b', data: 'b', error: undefined, isLoading: false })
})
