/** Routes of breakpoints: where the runs of a thread stop, and going on from one stop to the next. */
import { type BreakRequest, frameAt, hookPoints, setBreakpoints, step } from '@loom-agent/agent'
import type { Breakpoint } from '@loom-agent/kernel'
import { flag, list, named, object, oneOf, optional, text, whole } from '../route/described.ts'
import { type Route, route } from '../route/route.ts'
import { findDriven, findThread } from '../service/find-thread.ts'

const getBreakpoints = route({
  name: 'getBreakpoints',
  method: 'GET',
  path: '/threads/{thread}/breakpoints',
  scope: 'read',
  summary: 'Where the runs of a thread stop, and where the run under way has stopped.',
  reply: {
    schema: object({
      items: list('The breakpoints.', named<Breakpoint>('Breakpoint', '@loom-agent/kernel', 'A breakpoint.')),
      isPaused: flag('The run under way is paused.'),
      at: optional(text('The last place at which a breakpoint has stopped it, in words.')),
    }),
  },
  async handle(call) {
    const { head } = await findThread(call, call.params.thread)
    const { breakpoints, run } = await frameAt(call.service.journal, head.thread)
    return { items: breakpoints, isPaused: run?.status === 'suspended' && run.pause, at: run?.passed }
  },
})

const breakRequest = object({
  id: optional(text('Its id; default: made of what it names.', { least: 1 })),
  hook: optional(oneOf('At this point of a turn.', ...hookPoints)),
  tool: optional(text('Before calls of this tool.', { least: 1 })),
  cost: optional(whole('From this cost of a run on, in micro-units; once.')),
  depth: optional(whole('In children of this depth and deeper, before their first turn.', { least: 1 })),
  error: optional(flag('After an error.')),
  once: optional(flag('It stops a run once, and is gone then.')),
})

const putBreakpoints = route({
  name: 'setBreakpoints',
  method: 'PUT',
  path: '/threads/{thread}/breakpoints',
  scope: 'run',
  summary: 'Sets where the runs of a thread stop, in place of the breakpoints before; also of its open children, and of those that it starts.',
  body: object({ breakpoints: list('The breakpoints; none: no run stops.', breakRequest) }),
  reply: { status: 204 },
  async handle(call) {
    const { head } = await findThread(call, call.params.thread)
    await setBreakpoints(call.service.journal, head.thread, call.body.breakpoints as readonly BreakRequest[], { by: call.identity.name })
  },
})

const stepThread = route({
  name: 'stepThread',
  method: 'POST',
  path: '/threads/{thread}/steps',
  scope: 'run',
  summary: 'Goes on with a run that has stopped: to the next place, over its children, out of a child, or without another stop by a step.',
  body: object({ how: oneOf('Where it stops next.', 'into', 'over', 'out', 'continue') }),
  reply: { status: 204 },
  async handle(call) {
    const { agent, head, root } = await findDriven(call, call.params.thread)
    const { how } = call.body
    const leave = call.service.admission.enterRun(call.identity.name)
    try {
      if (how !== 'continue') await step(call.service.journal, head.thread, how, { by: call.identity.name })
      // The root of the tree is resumed: its driver goes on with its children.
      const rest = agent.resume(root.thread).result()
      rest.then(leave, leave)
    } catch (error) {
      leave()
      throw error
    }
  },
})

/** Breakpoints. */
export const breakRoutes: readonly Route[] = [getBreakpoints, putBreakpoints, stepThread]
