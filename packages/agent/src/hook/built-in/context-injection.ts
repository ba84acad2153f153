/** Something that is added to the context. */

import { at, type Frame } from '@loom-agent/kernel'
import { callUser } from '../../platform/call-user.ts'
import { expected } from '../../platform/expected.ts'
import { checkOptions } from '../../platform/options.ts'
import { textOf } from '../../types/text-of.ts'
import type { Hook, HookContext } from '../hook.ts'

/** What is added, and how often. */
export interface ContextInjectionOptions<Deps = unknown> {
  /** A text, or a function of the situation; nothing is added when it is empty. */
  readonly say: string | ((context: HookContext<Deps>) => string | undefined | Promise<string | undefined>)
  /** Once a run (default), or every turn. What was said stays in the history, so every turn costs. */
  readonly every?: 'turn' | 'run'
}

const textOrFunction = expected.either(expected.text, expected.function)

/**
 * Adds a message for the model at the beginning of each run or turn, after the input: the time, the user's settings, a reminder.
 *
 * @example
 * agent({ model, hooks: [contextInjection({ say: () => `It is ${new Date().toISOString()}.` })] })
 */
export function contextInjection<Deps = unknown>(options: ContextInjectionOptions<Deps>): Hook<Deps> {
  checkOptions('contextInjection', options, { say: expected.required(textOrFunction), every: expected.oneOf('turn', 'run') })
  const { say, every = 'run' } = options
  return {
    name: 'contextInjection',
    async beforeContextAssembly(context) {
      if (every === 'run' && context.turn !== context.frame.run?.firstTurn) return undefined
      const text = typeof say === 'function' ? await callUser(() => say(context)) : say
      return text === undefined || text === '' || isSaid(context.frame, text) ? undefined : { say: text }
    },
  }
}

/** Whether the text is in the history of this turn already: after a crash the hook is called again. */
function isSaid({ history, turn }: Frame, text: string): boolean {
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const entry = at(history, index)
    if (!entry || entry.turn !== turn) return false
    if (entry.origin === 'hook' && entry.message.role !== 'tool' && textOf(entry.message.parts) === text) return true
  }
  return false
}
