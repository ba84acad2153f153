/** Holes in how code of users is called, and in the bound on the time of a run. */
import type { Hole } from './hole.ts'

const callbacks = 'test/attacks/callbacks.test.ts'
const deadlines = 'test/attacks/deadlines.test.ts'

export const callerHoles: readonly Hole[] = [
  {
    what: 'a listener that rejects is not handled',
    file: 'agent/src/platform/call-user.ts',
    passage: '    ignore(listener?.(event))\n',
    instead: '    listener?.(event)\n',
    foundBy: callbacks,
  },
  {
    what: 'thenables are adopted by the platform, which ignores what an asynchronous then rejects with',
    file: 'agent/src/platform/adopt-thenable.ts',
    passage: '    thenNatively(given.then(settle, reject), nothing, reject)\n',
    instead: '    given.then(settle, reject)\n',
    foundBy: callbacks,
  },
  {
    what: 'a promise is believed whatever its own methods say',
    file: 'agent/src/platform/chain.ts',
    passage: '  if (value instanceof Promise) return true\n',
    instead: '',
    foundBy: callbacks,
  },
  {
    what: 'what cannot be read is passed on as it was thrown',
    file: 'agent/src/platform/call-user.ts',
    passage: "    return new Error('an error that cannot be read')\n",
    instead: '    return thrown\n',
    foundBy: callbacks,
  },
  {
    what: 'the promise of the price of a reply is left alone',
    file: 'agent/src/model/price.ts',
    passage: 'callUserNow(() => priced.ports.price(model, usage))',
    instead: 'priced.ports.price(model, usage)',
    foundBy: callbacks,
  },
  {
    what: 'the promise of a price that a limit needs is left alone',
    file: 'agent/src/model/price.ts',
    passage: 'callUserNow(() => ports.price(model, usage))',
    instead: 'ports.price(model, usage)',
    foundBy: callbacks,
  },
  {
    what: 'a step that nobody waits for rejects unhandled',
    file: 'agent/src/call/durable-body.ts',
    passage: 'handled(step(entry, name, { run, options: options ?? {} }))',
    instead: 'step(entry, name, { run, options: options ?? {} })',
    foundBy: callbacks,
  },
  {
    what: 'a model that cannot be resolved beside dependencies that fail is not handled',
    file: 'agent/src/definition/run-context.ts',
    passage: '  ignore(model)\n',
    instead: '',
    foundBy: callbacks,
  },
  {
    what: 'a hook may return an instance without fields, which counts as nothing',
    file: 'agent/src/hook/pass.ts',
    passage: 'prototype === Object.prototype || prototype === null || ',
    instead: 'true || ',
    foundBy: callbacks,
  },
  {
    what: 'a hook may suspend a run for no reason',
    file: 'agent/src/hook/returned.ts',
    passage: "  if (kind !== 'answer') checkOptions(",
    instead: '  if (kind === undefined) checkOptions(',
    foundBy: callbacks,
  },
  {
    what: 'the time of a run does not bound what is in flight',
    file: 'kernel/src/step.ts',
    passage: "effect.kind === 'wait' ? endOfTime(driver.frame) : never",
    instead: 'never',
    foundBy: deadlines,
  },
  {
    what: 'the time of a run bounds models and calls, and not hooks',
    file: 'kernel/src/step.ts',
    passage: "if (progress === 'busy') return stay(driver, { kind: 'wait' })",
    instead: "if (progress === 'busy') return 'wait'",
    foundBy: deadlines,
  },
  {
    what: 'time in which the run waits for people counts',
    file: 'kernel/src/evolve.ts',
    passage: "  'run.suspended'({ frame, run }, { data, time }) {\n    stopCounting(run, time)\n",
    instead: "  'run.suspended'({ frame, run }, { data }) {\n",
    foundBy: deadlines,
  },
  {
    what: 'a run whose time was used up fails when it is given more',
    file: 'kernel/src/evolve.ts',
    passage: "run.error?.code === 'LOOM_ABORTED' ? time : run.retryAt",
    instead: 'run.retryAt',
    foundBy: deadlines,
  },
  {
    what: 'a run whose time was used up ends as cancelled',
    file: 'kernel/src/evolve-thread.ts',
    passage: "limit ? { reason, kind: 'limit', max, at } : { reason, kind: 'cancelled' }",
    instead: "{ reason, kind: 'cancelled' }",
    foundBy: deadlines,
  },
  {
    what: 'a wait sets a timer of its own',
    file: 'kernel/src/driver.ts',
    passage: 'if (driver.timer?.at === at) return\n',
    instead: '',
    foundBy: deadlines,
  },
  {
    what: 'a resolver is waited for after its question has expired',
    file: 'agent/src/run/ask-resolver.ts',
    passage: '  if (expires === undefined) return answer\n',
    instead: '  if (expires !== null) return answer\n',
    foundBy: deadlines,
  },
  {
    what: 'the text of a reminder is called as it is',
    file: 'agent/src/context/reminders.ts',
    passage: 'callUserNow(() => textFor(facts))',
    instead: 'textFor(facts)',
    foundBy: callbacks,
  },
]
