/** Scenarios about calls of every class. */
import { tool } from '@loom-agent/agent'
import type { CrashScenario } from '../scenario.ts'
import { add, book, breath, calls, look, mail, note, pay, played } from './cast.ts'

/** Scenarios about calls. */
export const callScenarios: readonly CrashScenario[] = [
  played('a call', () => ({ tools: [look], says: [calls('look'), 'Done.'] })),
  played('a call that has its value at once', () => ({ tools: [add], says: [calls('add'), 'Done.'] })),
  played('parallel reads', () => ({ tools: [look, add], says: [calls('look', 'look', 'add', 'look'), 'Done.'] })),
  played('serial calls that may happen once', (scene) => ({ tools: [pay(scene), mail(scene)], says: [calls('pay', 'mail', 'pay'), 'Done.'] })),
  played('parallel calls that may happen once', ({ outside }) => ({
    tools: [tool({ name: 'send', schedule: { parallel: true }, run: () => outside.act('send') })],
    says: [calls('send', 'send', 'send'), 'Done.'],
  })),
  played('calls of all classes', (scene) => ({
    tools: [look, add, pay(scene), note(scene), book(scene)],
    says: [calls('pay', 'look', 'note', 'add', 'book', 'pay'), calls('look', 'pay'), 'Done.'],
  })),
  played('calls with a key', (scene) => ({ tools: [note(scene)], says: [calls('note', 'note'), calls('note'), 'Done.'] })),
  played('calls that can be checked', (scene) => ({ tools: [book(scene)], says: [calls('book', 'book'), 'Done.'] })),
  played('a check that cannot tell', ({ outside }) => ({
    tools: [tool({ name: 'vague', effect: 'reconcilable', check: () => ({ status: 'unknown' }), run: () => outside.act('vague') })],
    says: [calls('vague'), 'Done.'],
  })),
  played('a check that fails', ({ outside }) => ({
    tools: [tool({ name: 'vague', effect: 'reconcilable', check: () => Promise.reject(new Error('no line')), run: () => outside.act('vague') })],
    says: [calls('vague'), 'Done.'],
  })),
  played('calls that throw', ({ outside }) => ({
    tools: [
      tool({ name: 'fail', effect: 'read', run: () => Promise.reject(new Error('it always fails')) }),
      tool({
        name: 'break',
        async run() {
          await outside.act('break')
          throw new Error('broken')
        },
      }),
    ],
    says: [calls('fail', 'break'), 'Never mind.'],
  })),
  played('a call that takes too long', () => ({
    tools: [tool({ name: 'hang', effect: 'read', schedule: { timeout: 5000 }, run: () => new Promise(() => {}) }), look],
    says: [calls('hang', 'look'), 'Done.'],
  })),
  played('calls that cannot be run', (scene) => ({
    tools: [pay(scene)],
    permissions: { pay: 'deny' },
    says: [calls('missing', ['pay', 'no json'], 'pay'), 'Never mind.'],
  })),
  played('a call that tells how far it is', ({ outside }) => ({
    tools: [
      tool({
        name: 'build',
        async *run() {
          yield 'half'
          await breath()
          yield 'nearly'
          return outside.act('build')
        },
      }),
    ],
    says: [calls('build'), 'Done.'],
  })),
]
