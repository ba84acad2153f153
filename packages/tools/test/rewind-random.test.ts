/** Random sequences of edits by agents and by people, and of rewinds: the files are those of a model that was written from the contract. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { assertHistory } from '@loom-agent/testing'
import { fileTools, shellTools } from '@loom-agent/tools'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventsOf } from '../../../test/support/threads.ts'
import { type Content, type ModelFolder, type ModelThread, put, rewindModel } from './rewind-model.ts'
import { type ScriptedCall, type WorkspaceWorld, workspaceWorld } from './workspace-world.ts'

const paths = ['a.txt', 'sub/b.txt', 'sub/deep/c.txt'] as const
const path = fc.constantFrom(...paths)

/** What is done; numbers choose among what there is then. */
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('agent' as const), path, how: fc.constantFrom('write', 'write', 'delete', 'bash', 'both') }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('person' as const), path, how: fc.constantFrom('write', 'write', 'delete', 'revert') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rewind' as const), moment: fc.nat(), thread: fc.nat(), isBranch: fc.boolean() }) },
)
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

interface Playing {
  readonly world: WorkspaceWorld
  readonly folder: ModelFolder
  readonly threads: ModelThread[]
  /** The thread whose files the folder has. */
  current: number
  number: number
}

async function endOf(playing: Playing, name: string): Promise<number> {
  return (await eventsOf(playing.world.journal, name)).length
}

const currentOf = ({ threads, current }: Playing): ModelThread => threads[current] as ModelThread

async function actAsAgent(playing: Playing, { path: file, how }: Extract<Action, { kind: 'agent' }>): Promise<void> {
  const { world, folder } = playing
  const before = folder.files.get(file)
  if (how === 'delete' && before === undefined) return
  const contents: readonly Content[] =
    how === 'delete' ? [undefined] : how === 'both' ? [`agent ${playing.number}`, `again ${playing.number}`] : [`agent ${playing.number}`]
  const calls = contents.map((content, index): ScriptedCall => {
    if (content === undefined) return ['delete_file', { path: file }]
    if (how === 'bash' || index === 1) return ['bash', { command: `mkdir -p "$(dirname ${file})"; printf '${content}' > ${file}` }]
    return ['write_file', { path: file, content }]
  })
  const thread = currentOf(playing)
  const tools = { ...fileTools({ root: world.root, workspace: 'snapshots' }), ...shellTools({ cwd: world.root, grace: 100, workspace: world.files }) }
  await world.agentFor(calls, { tools }).run('Go.', { thread: thread.name })
  const changes = contents.map((after, index) => ({ path: file, before: index === 0 ? before : contents[index - 1], after }))
  for (const { after } of changes) put(folder, file, { content: after, isPerson: false })
  const all = [...thread.changes, ...changes]
  const moments = [...thread.moments, { seq: await endOf(playing, thread.name), count: all.length }]
  playing.threads[playing.current] = { ...thread, changes: all, moments }
}

function actAsPerson(playing: Playing, { path: file, how }: Extract<Action, { kind: 'person' }>): void {
  const { world, folder, number } = playing
  // A person may also write what an agent has written before.
  const former = currentOf(playing).changes.find((change) => change.path === file)?.before
  const content = how === 'delete' ? undefined : how === 'revert' && former !== undefined ? former : `person ${number}`
  if (content === undefined) rmSync(join(world.root, file), { force: true })
  else world.put(file, content)
  put(folder, file, { content, isPerson: true })
}

async function rewind(playing: Playing, { moment, thread, isBranch }: Extract<Action, { kind: 'rewind' }>): Promise<void> {
  const { world, folder, threads } = playing
  const from = currentOf(playing)
  const to = isBranch ? (threads[thread % threads.length] as ModelThread) : from
  const { seq, count } = to.moments[moment % to.moments.length] as { seq: number; count: number }
  const theirs = new Map([...folder.byPerson].map((file) => [file, folder.files.get(file)]))
  const stays = rewindModel(folder, { from, to, count })
  const name = `fork-${playing.number}`
  const options = { thread: name, effects: 'live', ...(to.name !== from.name && { from: from.name }) } as const
  const { conflicts } = await world.agentFor([]).rewind(`${to.name}@${seq}`, options)
  expect(conflicts.map((conflict) => conflict.path).sort()).toEqual(stays)
  const now = world.contents()
  // What a person has written last is there, unless it is what was wanted anyway.
  for (const [file, content] of theirs) if (content !== undefined) expect(now[file], `${file} of a person`).toBe(content)
  threads.push({ name, changes: to.changes.slice(0, count), moments: [{ seq: await endOf(playing, name), count }] })
  playing.current = threads.length - 1
}

async function play(actions: readonly Action[]): Promise<void> {
  const world = workspaceWorld()
  try {
    world.put('a.txt', 'from the beginning')
    const folder: ModelFolder = { files: new Map([['a.txt', 'from the beginning']]), byPerson: new Set(['a.txt']) }
    const start = await world.run('t', [])
    const playing: Playing = { world, folder, threads: [{ name: 't', changes: [], moments: [{ seq: start, count: 0 }] }], current: 0, number: 0 }
    for (const one of actions) {
      playing.number += 1
      if (one.kind === 'agent') await actAsAgent(playing, one)
      else if (one.kind === 'person') actAsPerson(playing, one)
      else await rewind(playing, one)
      expect(world.contents()).toEqual(Object.fromEntries(folder.files))
    }
    for (const { name } of playing.threads) assertHistory(await eventsOf(world.journal, name))
  } finally {
    world.remove()
  }
}

test('200 random sequences of agents, people and rewinds leave the files of the model, and no byte of a person is lost', async () => {
  const sequences = fc.array(action, { minLength: 3, maxLength: 9 })
  await fc.assert(fc.asyncProperty(sequences, play), { numRuns: 200, seed: 14, endOnFailure: false })
}, 600_000)
