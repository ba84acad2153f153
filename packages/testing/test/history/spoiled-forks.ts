/** Forks, spoiled. */
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
