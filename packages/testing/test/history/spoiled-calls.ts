/** Calls and questions, spoiled. */
import type { Draft, EventData, FileFacts, Limits } from '@loom-agent/kernel'
import { add, alter, become, drop, mark, move, type Row, repeat, to } from './edits.ts'
import { asked, denied, driver, ended, failure, finished, patched, replacement, replied, started, startedRun } from './made-up.ts'

/** A start of a run with other limits. */
const limited =
  (limits: Limits) =>
  (data: EventData['run.started']): EventData['run.started'] =>
    'request' in data ? { ...data, request: { ...data.request, limits } } : data

const file = { path: 'a', before: 'h1', after: 'h2' } as const
/** What a result or a found change says about files. */
const withFiles =
  (facts: FileFacts): ((data: EventData['tool.finished']) => EventData['tool.finished']) =>
  (data) => ({ ...data, ...facts })
const found = (facts: FileFacts): Draft => ({ type: 'workspace.changed', data: { by: 'job', ...facts } })

/** Calls and patches. */
export const spoiledCalls: readonly Row[] = [
  ['HIST-46', 'serial calls', 'a call names a file twice', alter('tool.finished', withFiles({ files: [file, file] }))],
  ['HIST-46', 'serial calls', 'a call names a file that it left as it was', alter('tool.finished', withFiles({ files: [{ ...file, after: 'h1' }] }))],
  [
    'HIST-46',
    'serial calls',
    'a call keeps the content of another file',
    alter('tool.finished', withFiles({ files: [file], contents: [{ $blob: 'h3', bytes: 1 }] })),
  ],
  ['HIST-46', 'parallel calls', 'a call that reads changes a file', alter('tool.finished', withFiles({ files: [file] }))],
  [
    'HIST-46',
    'a durable call that asks and sleeps',
    'a step that reads is to change a file',
    alter('tool.step-started', (data) => ({ ...data, effect: 'read', files: [file] })),
  ],
  ['HIST-46', 'a plain answer', 'a found change names a file twice', add(found({ files: [file, file] }), 'after', 'run.finished')],
  [
    'HIST-46',
    'a plain answer',
    'a mode is named that did not change',
    add(found({ files: [{ ...file, after: 'h1', modes: [420, 420] }] }), 'after', 'run.started'),
  ],
  ['HIST-16', 'parallel calls', 'a call has a result that was never proposed', alter('tool.finished', (data) => ({ ...data, call: '1.9' }))],
  ['HIST-16', 'two inputs one after another', 'a call of an earlier turn begins', add(started('1.0'), 'after', ['tool.started', 1])],
  ['HIST-16', 'a plain answer', 'a call begins before the reply', add(started('1.0'), 'before', 'model.replied')],
  ['HIST-17', 'parallel calls', 'a call gets its result twice', repeat('tool.finished')],
  ['HIST-17', 'a rejection', 'a denied call succeeds', add(finished('1.0'), 'after', 'tool.denied')],
  ['HIST-17', 'parallel calls', 'a call that has its result is denied', add(denied('1.0'), 'before', ['turn.entered', 1])],
  ['HIST-18', 'parallel calls', 'the next turn comes before the last result', drop(['tool.finished', 3])],
  ['HIST-18', 'a rejection', 'a rejected call gets no result', drop('tool.denied')],
  ['HIST-18', 'a stop while it waits', 'a stopped run leaves a call behind', drop('tool.finished')],
  [
    'HIST-18',
    'an approval',
    'a failed run leaves a call behind when the next one starts',
    to((events) => add(startedRun('r2'), 'after', 'run.failed')(add(failure, 'after', 'question.asked')(events)), ['run.started', 1]),
  ],
  ['HIST-18', 'serial calls', 'a run fails while a call is performed', add(failure, 'after', 'tool.started')],
  ['HIST-19', 'serial calls', 'a call begins twice', repeat('tool.started')],
  ['HIST-19', 'parallel calls', 'a call begins after its result', add(started('1.0', 'read'), 'before', ['turn.entered', 1])],
  [
    'HIST-20',
    'serial calls',
    'an unsafe call is run again by the next driver',
    (events) => add(driver(2), 'after', 'tool.started')(repeat('tool.started')(events)),
  ],
  ['HIST-20', 'a crash in a call', 'a call in doubt begins before the answer', drop('question.answered')],
  ['HIST-20', 'a crash in a call', 'a call is run again without a doubt', drop('tool.in-doubt', 'question.asked', 'question.answered')],
  ['HIST-20', 'a crash in a step', 'a step is run again without a doubt', drop('tool.in-doubt', 'question.asked', 'question.answered')],
  ['HIST-21', 'serial calls', 'a serial call overtakes the one before', move(['tool.started', 2], 'before', ['tool.finished', 1])],
  ['HIST-22', 'an approval', 'a call begins before the answer', drop('question.answered')],
  ['HIST-22', 'an approval', 'a rejected call begins', alter('question.answered', ({ id }) => ({ id, answer: { kind: 'reject' } }))],
  [
    'HIST-22',
    'an approval',
    'a call begins whose result a human has given',
    alter('question.answered', ({ id }) => ({ id, answer: { kind: 'respond', value: 1 } })),
  ],
  ['HIST-22', 'two approvers', 'one approver is enough', drop(['question.answered', 1])],
  ['HIST-22', 'two approvers', 'one approver counts twice', alter(['question.answered', 1], (data) => ({ ...data, by: 'ann' }))],
  [
    'HIST-22',
    'a crash in a call',
    'a call in doubt was rejected and begins',
    alter('question.answered', ({ id }) => ({ id, answer: { kind: 'reject' } })),
  ],
  ['HIST-23', 'a rejection', 'a rejected call succeeds', become('tool.denied', finished('1.0'))],
  ['HIST-23', 'serial calls', 'a call succeeds that never began', drop('tool.started')],
  ['HIST-23', 'serial calls', 'a call succeeds under a driver that had not begun it', add(driver(2), 'before', ['tool.finished', 1])],
  ['HIST-23', 'a hook that stands in', 'a result does not say where it comes from', alter('tool.finished', (data) => ({ ...data, meta: {} }))],
  ['HIST-23', 'a rejection', 'a hook replaces a rejected call', become('tool.denied', replacement('1.0'))],
  ['HIST-23', 'a stop while it waits', 'a hook replaces a call that is asked about', become('tool.finished', replacement('1.0'))],
  [
    'HIST-23',
    'serial calls',
    'a hook replaces a call that had begun',
    (events) => add(driver(2), 'before', ['tool.finished', 1])(become(['tool.finished', 1], replacement('1.0'))(events)),
  ],
  ['HIST-23', 'serial calls', 'a call is denied while it is performed', become(['tool.finished', 1], denied('1.0'))],
  [
    'HIST-24',
    'serial calls',
    'a call is in doubt while it is performed',
    add({ type: 'tool.in-doubt', data: { call: '1.0' } }, 'after', 'tool.started'),
  ],
  ['HIST-24', 'an approval', 'a call is in doubt that never began', add({ type: 'tool.in-doubt', data: { call: '1.0' } }, 'after', 'model.replied')],
  [
    'HIST-24',
    'a durable call that asks and sleeps',
    'a step is in doubt while it is performed',
    add({ type: 'tool.in-doubt', data: { call: '1.0', key: 'step:buy:1' } }, 'after', 'tool.step-started'),
  ],
  ['HIST-24', 'a crash in a call', 'a doubt is asked about that was never recorded', drop('tool.in-doubt')],
  ['HIST-24', 'a crash in a step', 'another step is in doubt', alter('tool.in-doubt', ({ call }) => ({ call, key: 'step:other:1' }))],
  ['HIST-34', 'hooks at all nine points', 'there is no such point', alter('hook.applied', (data) => ({ ...data, point: 'beforeEverything' }))],
  ['HIST-34', 'a plain answer', 'a patch of a request comes after the reply', add(patched('beforeModelCall'), 'after', 'model.replied')],
  ['HIST-34', 'parallel calls', 'a result is patched before it is there', add(patched('afterToolExecution', '1.0'), 'after', 'tool.started')],
  ['HIST-34', 'parallel calls', 'arguments are patched after the call began', add(patched('beforeToolExecution', '1.0'), 'after', 'tool.started')],
  ['HIST-34', 'parallel calls', 'a patch of a call names none', add(patched('afterToolExecution'), 'before', ['turn.entered', 1])],
  ['HIST-34', 'hooks at all nine points', 'a reply is patched after its calls began', move(['hook.applied', 4], 'after', 'tool.started')],
]

const signals = 'starts with ids, and a call that waits for signals'
const expired = (key: string): Draft => ({ type: 'tool.step-finished', data: { call: '1.0', key, value: { status: 'expired' } } })

/** Waits for signals. */
export const spoiledWaits: readonly Row[] = [
  ['HIST-36', signals, 'a wait without a time expires', add(expired('wait:paid:1'), 'before', 'tool.suspended')],
  [
    'HIST-36',
    signals,
    'a wait ends with a value that nobody sent',
    alter('tool.step-finished', (data) => ({ ...data, value: { status: 'received' } })),
  ],
  ['HIST-36', signals, 'a wait ends without a value', alter('tool.step-finished', ({ call, key }) => ({ call, key }))],
  ['HIST-36', signals, 'a signal that came too late ends a wait', alter('tool.step-started', (data) => ({ ...data, until: 1 }))],
  ['HIST-26', signals, 'a wait that got its signal expires', add(expired('wait:paid:1'), 'after', 'signal.received')],
  ['HIST-26', signals, 'a wait that got its signal begins again', alter(['tool.step-started', 1], (data) => ({ ...data, key: 'wait:paid:1' }))],
  [
    'HIST-26',
    signals,
    'a wait begins that a kept signal has ended, and it expires',
    (events) => {
      const sent = alter('signal.received', (data) => ({ ...data, name: 'sent' }))(events)
      return alter(['tool.step-started', 1], (data) => ({ ...data, until: Number.MAX_SAFE_INTEGER }))(sent)
    },
  ],
]

/** Durable calls, children and questions. */
export const spoiledQuestions: readonly Row[] = [
  [
    'HIST-25',
    'serial calls',
    'a call that is not durable is suspended',
    add({ type: 'tool.suspended', data: { call: '1.0' } }, 'after', 'tool.started'),
  ],
  ['HIST-25', 'a child that asks', 'a call is suspended twice', repeat('tool.suspended')],
  ['HIST-26', 'a durable call that asks and sleeps', 'a step is recorded twice', repeat('tool.step-finished')],
  [
    'HIST-26',
    'a durable call that asks and sleeps',
    'a recorded step begins again',
    add({ type: 'tool.step-started', data: { call: '1.0', key: 'step:buy:1', effect: 'unsafe' } }, 'after', 'tool.step-finished'),
  ],
  ['HIST-26', 'a durable call that asks and sleeps', 'a step begins before its call', move('tool.step-started', 'before', 'tool.started')],
  ['HIST-26', 'a durable call that asks and sleeps', 'a step begins twice', repeat('tool.step-started')],
  [
    'HIST-26',
    'serial calls',
    'a call that is not durable has a step',
    add({ type: 'tool.step-started', data: { call: '1.0', key: 'k', effect: 'pure' } }, 'after', 'tool.started'),
  ],
  [
    'HIST-26',
    'a durable call that asks and sleeps',
    'an answer is asked for twice',
    add(asked({ kind: 'choice', call: '1.0', key: 'ask:home:1' }), 'after', 'question.asked'),
  ],
  [
    'HIST-26',
    'serial calls',
    'a step ends in a call that never began',
    add({ type: 'tool.step-finished', data: { call: '1.0', key: 'k' } }, 'before', 'tool.started'),
  ],
  [
    'HIST-27',
    'a child',
    'a child is started twice',
    to((events) => alter(['child.started', 1], (data) => ({ ...data, key: 'run:child:2' }))(repeat('child.started')(events)), ['child.started', 1]),
  ],
  [
    'HIST-27',
    'a child',
    'two children have one key',
    (events) => alter(['child.started', 1], (data) => ({ ...data, child: 'another' }))(repeat('child.started')(events)),
  ],
  ['HIST-27', 'a child', 'a child is started before its call', move('child.started', 'before', 'tool.started')],
  [
    'HIST-8',
    'a child',
    'a child ends in the next run',
    (events) => move('child.finished', 'after', ['run.started', 1])(add(startedRun('r2'), 'after', 'run.finished')(events)),
  ],
  ['HIST-27', 'a child', 'a child ends that was not started', drop('child.started')],
  ['HIST-27', 'a child', 'a child ends twice', repeat('child.finished')],
  ['HIST-44', 'a child', 'a child is started that is one too many', alter('run.started', limited({ children: 0 }))],
  ['HIST-44', 'parallel calls', 'a call begins that is one too many', alter('run.started', limited({ calls: 1 }))],
  ['HIST-27', 'a child', 'another child ends than was started', alter('child.finished', (data) => ({ ...data, child: 'another' }))],
  ['HIST-28', 'an approval', 'an id is used again', add(asked({ id: '1.0#1', call: '1.0' }), 'after', 'run.resumed')],
  ['HIST-28', 'an approval', 'a question is about a call that has its result', add(asked({ call: '1.1' }), 'after', 'tool.finished')],
  ['HIST-29', 'an approval', 'a question is answered twice', repeat('question.answered')],
  ['HIST-29', 'an approval', 'a question is answered that was never asked', alter('question.answered', (data) => ({ ...data, id: '1.0#7' }))],
  [
    'HIST-29',
    'a durable call that asks and sleeps',
    'a choice is edited',
    alter('question.answered', ({ id }) => ({ id, answer: { kind: 'edit', input: 1 } })),
  ],
  [
    'HIST-29',
    'a budget that is granted',
    'a budget is answered with a value',
    alter('question.answered', ({ id }) => ({ id, answer: { kind: 'respond', value: 1 } })),
  ],
  ['HIST-29', 'a question that expires', 'a question expires twice', repeat('question.expired')],
  ['HIST-30', 'a question that expires', 'a question expires too early', mark('question.expired', ({ time }) => ({ time: time - 1000 }))],
  ['HIST-30', 'a question that expires', 'a question expires that has no expiry', alter('question.asked', ({ expires: _expires, ...data }) => data)],
  [
    'HIST-30',
    'a durable call that asks and sleeps',
    'a sleep ends too early',
    mark(['tool.step-finished', 1], ({ time }) => ({ time: time - 1000 })),
  ],
  ['HIST-31', 'a budget that is granted', 'the run continues without the answer', to(drop('question.answered'), ['turn.entered', 1])],
  [
    'HIST-31',
    'a plain answer',
    'the model is asked while a question is open',
    to(add(asked({ kind: 'hook' }), 'before', 'model.requested'), 'model.requested'),
  ],
  ['HIST-31', 'a plain answer', 'a run finishes while a question is open', add(asked({ kind: 'hook' }), 'before', 'run.finished')],
  [
    'HIST-31',
    'parallel calls',
    'calls begin while a question about the run is open',
    to(add(asked({ kind: 'hook' }), 'after', 'model.replied'), 'tool.started'),
  ],
  [
    'HIST-31',
    'parallel calls',
    'the turn ends while a question about a result is open',
    add(asked({ kind: 'hook', call: '1.0' }), 'before', ['turn.entered', 1]),
  ],
  ['HIST-32', 'a plain answer', 'a run finishes before the model was asked', (events) => add(ended, 'before', 'turn.entered')(events.slice(0, 4))],
  ['HIST-15', 'a plain answer', 'a reply comes from nowhere', add(replied, 'before', 'turn.entered')],
]
