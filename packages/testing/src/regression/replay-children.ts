/** The children of a replayed driver: they are not driven, and end as they did. Each is replayed by itself. */
import {
  type AgentInstance,
  type ChildEnd,
  type ChildOwner,
  type ChildRequest,
  type ChildRunner,
  type Children,
  childStart,
  parked,
  recordEnd,
  runChild,
} from '@loom-agent/agent/kit'
import { type EventOf, LoomError, type LoomErrorCode } from '@loom-agent/kernel'
import { awaitLine, type EpochReplay, findLine, never } from './epoch-replay.ts'
import { wasGivenUp } from './recorded-outcome.ts'
import type { Replay } from './replay.ts'
import type { ScriptEntry } from './script.ts'

/** Runs the children of a replayed driver. */
export function replayChildren(replay: Replay, epoch: EpochReplay, instance: AgentInstance): ChildRunner {
  const children: Children = {
    instance,
    watches: new Map(),
    movingOn: new Set(),
    hasLeft: false,
    drive(request, child) {
      if (!replay.starts.has(child)) replay.starts.set(child, childStart(instance, request, child))
      return endOfChild(epoch, request)
    },
  }
  return {
    async run(request) {
      const record = await runChild(children, request)
      return record !== parked && isGivenUp(epoch, request.call) ? never : record
    },
    async stop(child, _reason, waiting) {
      children.watches.get(child)?.()
      if (waiting) await recordAsRecorded(epoch, child, waiting)
    },
    leave: (child, owner) => recordAsRecorded(epoch, child, owner),
    idle: async () => {
      while (children.movingOn.size > 0) await Promise.all(children.movingOn)
    },
    hasLeft: () => false,
    close: () => {
      for (const stopWatching of [...children.watches.values()]) stopWatching()
    },
  }
}

/** Records the end of a child that was asked to stop, where the record has it. */
async function recordAsRecorded(epoch: EpochReplay, child: string, owner: ChildOwner): Promise<void> {
  if (findLine(epoch, isEndOf(owner)) === undefined) return
  await recordEnd(owner, child, endIn(await awaitLine(epoch, isEndOf(owner))))
}

/** Whether nothing more came of a call before it ended: its body was not given what it waited for. */
function isGivenUp(epoch: EpochReplay, call: string): boolean {
  const next = epoch.lines[findLine(epoch, ({ kind, track }) => kind === 'made' && track === call) ?? -1]
  return next !== undefined && wasGivenUp(epoch.frame, next.event)
}

const isEndOf =
  ({ call, key }: Pick<ChildRequest, 'call' | 'key'>) =>
  ({ kind, event }: ScriptEntry): boolean =>
    kind === 'made' && event.type === 'child.finished' && event.data.call === call && event.data.key === key

/** How a child ended, when its end is next in the record; or that it waits, when the record does not have its end. */
async function endOfChild(epoch: EpochReplay, request: ChildRequest): Promise<ChildEnd | 'waiting'> {
  const index = findLine(epoch, isEndOf(request))
  const { promise: parked, resolve } = Promise.withResolvers<'waiting'>()
  const wait = {
    call: request.call,
    park: () => {
      epoch.children.delete(wait)
      for (const gate of [...epoch.gates]) if (gate.index === index) epoch.gates.delete(gate)
      resolve('waiting')
    },
  }
  epoch.children.add(wait)
  const ended = await Promise.race([parked, awaitLine(epoch, isEndOf(request))])
  epoch.children.delete(wait)
  return ended === 'waiting' ? ended : endIn(ended)
}

function endIn(event: object): ChildEnd {
  const { value, error, usage, cost, calls, children } = (event as EventOf<'child.finished'>).data
  if (error?.code === 'LOOM_THREAD_INVALID') throw new LoomError(error.code as LoomErrorCode, error.message, { context: error.context ?? {} })
  return {
    ...(value !== undefined && { value }),
    ...(error && { error }),
    ...(usage && { usage }),
    ...(calls !== undefined && { calls }),
    ...(children !== undefined && { children }),
    ...(cost !== undefined && { cost }),
  }
}
