/** What hooks and observers are given and may return. Compiled, never run: `tsc -b` and `test/types/programs.test.ts` judge it. */
import { agent, answerWith, type Frame, type Hook, type HookContext, type Json, type LoomEvent, skip, suspend } from 'loom-agent'
import { expectTypeOf, test } from 'vitest'

interface Shop {
  readonly role: 'admin' | 'guest'
}

test('every point is given the context with the dependencies, and its own subject', () => {
  const hook: Hook<Shop> = {
    beforeIterationStart(context) {
      expectTypeOf(context).toEqualTypeOf<HookContext<Shop>>()
      expectTypeOf(context.deps.role).toEqualTypeOf<'admin' | 'guest'>()
      expectTypeOf(context.frame).toEqualTypeOf<Frame>()
    },
    afterContextAssembly(_, assembled) {
      expectTypeOf(assembled).toEqualTypeOf<{ readonly instructions: string; readonly tools: readonly string[] }>()
    },
    beforeModelCall(_, request) {
      expectTypeOf(request.settings.temperature).toEqualTypeOf<number | undefined>()
      expectTypeOf(request.messages).not.toBeAny()
      expectTypeOf(request.messages.at(0)?.role).toEqualTypeOf<'system' | 'user' | 'assistant' | 'tool' | undefined>()
    },
    afterModelReply(_, reply) {
      expectTypeOf(reply.parts.at(0)).not.toBeAny()
    },
    beforeToolExecution(_, call) {
      expectTypeOf(call).toEqualTypeOf<{ readonly id: string; readonly tool: string; readonly input: Json }>()
    },
    afterToolExecution(_, call) {
      expectTypeOf(call.status).toEqualTypeOf<'success' | 'error' | 'warning'>()
      expectTypeOf(call.errorType).toEqualTypeOf<string | undefined>()
    },
    beforeRecursion(_, next) {
      expectTypeOf(next.turn).toBeNumber()
    },
    observe(event, frame) {
      expectTypeOf(event).toEqualTypeOf<LoomEvent>()
      expectTypeOf(frame).toEqualTypeOf<Frame>()
    },
  }
  agent<Shop>()({ hooks: [hook], deps: { role: 'guest' } })
})

test('hooks written in place know the dependencies of their agent', () => {
  agent<Shop>()({
    deps: { role: 'guest' },
    hooks: [
      {
        beforeToolExecution({ deps, answer }, call) {
          expectTypeOf(deps).toEqualTypeOf<Shop>()
          if (deps.role === 'guest') return answer ? skip('no') : suspend(`May I ${call.tool}?`)
          return call.tool === 'old' ? answerWith({ type: 'text', value: 'gone' }) : { input: call.input }
        },
        beforeModelCall: (_, { settings }) => ({ settings: { ...settings, temperature: 0 } }),
        afterIterationEnd: async () => ({ say: 'Go on.', limits: { turns: 3 } }),
      },
    ],
    observers: [(event, frame) => expectTypeOf([event, frame] as const).toEqualTypeOf<readonly [LoomEvent, Frame]>()],
  })
})
