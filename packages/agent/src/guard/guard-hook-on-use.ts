/** The hook that asks what guards ask, loaded with its first use. */
import type { Clock } from '@loom-agent/kernel'
import type { Hook } from '../hook/hook.ts'
import type { Guard } from './guard.ts'
import { loadedGuarding, loadGuarding } from './load-guarding.ts'

/** The hook of these guards. */
export function guardHookOnUse(guards: readonly Guard[], clock: Clock): Hook<never> {
  let hook: Hook<never> | undefined
  const load = async (): Promise<Hook<never>> => {
    hook ??= (loadedGuarding() ?? (await loadGuarding())).guardHook(guards, clock)
    return hook
  }
  return {
    name: 'guards',
    beforeIterationStart: async (context) => (await load()).beforeIterationStart?.(context),
    afterToolExecution: async (context, call) => (await load()).afterToolExecution?.(context, call),
    afterModelReply: async (context, reply) => (await load()).afterModelReply?.(context, reply),
  }
}
