/** Forks, spoiled. */
import type { Draft, FileChange } from '@loom-agent/kernel'
import { add, alter, type Edit, type Row } from './edits.ts'
import { finished, started } from './made-up.ts'

const other = 'a fork with other instructions'
const recordedAt = (recorded: string): Edit => alter(['tool.finished', 1], (data) => ({ ...data, meta: { recorded } }))

/** Uses the result of one call for the next one too. */
const twice: Edit = (events) => {
  const [, first] = events.filter(({ type }) => type === 'tool.finished')
  const recorded = first?.type === 'tool.finished' ? String(first.data.meta?.['recorded']) : ''
  return alter(['tool.finished', 2], (data) => ({ ...data, meta: { recorded } }))(events)
}

const file = { path: 'a', before: 'h1', after: 'h2' }
const restoring = (files: readonly FileChange[] = [file]): Draft => ({
  type: 'workspace.restore-started',
  data: { at: 'parent@3', from: 'parent@9', files },
})
const restored = (files: readonly FileChange[], ...left: readonly string[]): Draft => ({
  type: 'workspace.restored',
  data: { files, conflicts: left.map((path) => ({ path, reason: 'edited' })) },
})
/** Puts files back where the fork begins. */
const putsBack = (...after: readonly Draft[]): Edit => {
  const begun = add(restoring([file, { ...file, path: 'b' }]), 'after', 'thread.forked')
  return (events) => after.reduceRight((edited, draft) => add(draft, 'after', ['driver.acquired', 1])(edited), begun(events))
}

/** What forks begin with, are told and take from the record. */
export const spoiledForks: readonly Row[] = [
  ['HIST-39', other, 'a call begins before the fork has a driver', add(started('1.0', 'read'), 'after', 'thread.forked')],
  ['HIST-39', other, 'a call has a result that no edit gave', alter('thread.forked', (data) => ({ ...data, edits: [] }))],
  [
    'HIST-39',
    other,
    'an edit gave the result of another call',
    alter('thread.forked', (data) => ({ ...data, edits: [{ kind: 'result', call: '9.0' }] })),
  ],
  ['HIST-39', other, 'a call succeeds before the fork has a driver', add(finished('1.0'), 'after', 'thread.forked')],
  ['HIST-39', 'a fork with another input', 'the run at the cut ends without an edit', alter('thread.forked', (data) => ({ ...data, edits: [] }))],
  ['HIST-47', other, 'files are put back in the middle of a fork', add(restoring(), 'after', ['driver.acquired', 1])],
  ['HIST-47', other, 'two rewinds go on at once', putsBack(restoring(), restored([file], 'b'))],
  ['HIST-47', other, 'a turn is entered before the files are back', putsBack()],
  ['HIST-47', other, 'a file comes back as something else', putsBack(restored([{ ...file, after: 'h3' }], 'b'))],
  ['HIST-47', other, 'a file comes back that was not to', putsBack(restored([file, { ...file, path: 'c' }], 'b'))],
  ['HIST-47', other, 'a file is neither back nor a conflict', putsBack(restored([file]))],
  ['HIST-47', other, 'files come back that were not to', add(restored([]), 'after', ['driver.acquired', 1])],
  ['HIST-39', other, 'files come back without a driver', add(restored([]), 'after', 'thread.forked')],
  ['HIST-40', other, 'a fork is sent the instructions of the agent', alter('thread.forked', (data) => ({ ...data, instructions: 'Be late.' }))],
  [
    'HIST-40',
    other,
    'a context is assembled with other instructions',
    alter(['context.assembled', 1], ({ rebase }) => ({ ...(rebase && { rebase: { ...rebase, system: 'Be kind.' } }) })),
  ],
  ['HIST-40', other, 'the context stays as it was', alter(['context.assembled', 1], () => ({}))],
  ['HIST-41', other, 'a result is taken from before the cut', recordedAt('parent@3')],
  ['HIST-41', other, 'a result is taken from another thread', recordedAt('another@99')],
  ['HIST-41', other, 'a result is used twice', twice],
  ['HIST-41', other, 'a result is taken where effects are live', alter('thread.forked', (data) => ({ ...data, effects: 'live' }))],
  ['HIST-41', other, 'an answer is taken from another thread', alter('question.answered', (data) => ({ ...data, recorded: 'another@99' }))],
]
