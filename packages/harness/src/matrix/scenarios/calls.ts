/** Scenarios about calls of every class. */
import { tool } from '@loom-agent/agent'
import type { CrashScenario } from '@loom-agent/testing/crash'
import { add, book, calls, look, mail, moment, note, pay, scenario } from './tools.ts'

/** Scenarios about calls. */
export const callScenarios: readonly CrashScenario[] = [
  scenario('a call', () => ({ tools: [look], says: [calls('look'), 'Done.'] })),
  scenario('a call that has its value at once', () => ({ tools: [add], says: [calls('add'), 'Done.'] })),
  scenario('parallel reads', () => ({ tools: [look, add], says: [calls('look', 'look', 'add', 'look'), 'Done.'] })),
  scenario('serial calls that may happen once', (context) => ({
    tools: [pay(context), mail(context)],
    says: [calls('pay', 'mail', 'pay'), 'Done.'],
  })),
  scenario('parallel calls that may happen once', ({ world }) => ({
    tools: [tool({ name: 'send', schedule: { parallel: true }, run: () => world.act('send') })],
    says: [calls('send', 'send', 'send'), 'Done.'],
  })),
  scenario('calls of all classes', (context) => ({
    tools: [look, add, pay(context), note(context), book(context)],
    says: [calls('pay', 'look', 'note', 'add', 'book', 'pay'), calls('look', 'pay'), 'Done.'],
  })),
  scenario('calls with a key', (context) => ({ tools: [note(context)], says: [calls('note', 'note'), calls('note'), 'Done.'] })),
  scenario('calls that can be checked', (context) => ({ tools: [book(context)], says: [calls('book', 'book'), 'Done.'] })),
  scenario('a check that does not know', ({ world }) => ({
    tools: [tool({ name: 'vague', effect: 'reconcilable', check: () => ({ status: 'unknown' }), run: () => world.act('vague') })],
    says: [calls('vague'), 'Done.'],
  })),
  scenario('a check that fails', ({ world }) => ({
    tools: [tool({ name: 'vague', effect: 'reconcilable', check: () => Promise.reject(new Error('no line')), run: () => world.act('vague') })],
    says: [calls('vague'), 'Done.'],
  })),
  scenario('calls that throw', ({ world }) => ({
    tools: [
      tool({ name: 'fail', effect: 'read', run: () => Promise.reject(new Error('it always fails')) }),
      tool({
        name: 'break',
        async run() {
          await world.act('break')
          throw new Error('broken')
        },
      }),
    ],
    says: [calls('fail', 'break'), 'Never mind.'],
  })),
  scenario('a call that takes too long', () => ({
    tools: [tool({ name: 'hang', effect: 'read', schedule: { timeout: 5000 }, run: () => new Promise(() => {}) }), look],
    says: [calls('hang', 'look'), 'Done.'],
  })),
  scenario('calls that cannot be run', (context) => ({
    tools: [pay(context)],
    permissions: { pay: 'deny' },
    says: [calls('missing', ['pay', 'no json'], 'pay'), 'Never mind.'],
  })),
  scenario('a call that reports its progress', ({ world }) => ({
    tools: [
      tool({
        name: 'build',
        async *run() {
          yield 'half'
          await moment()
          yield 'nearly'
          return world.act('build')
        },
      }),
    ],
    says: [calls('build'), 'Done.'],
  })),
]
