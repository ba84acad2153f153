/** What a process of a trial is made of: a journal, a connection to the world, and the agent of all plans. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Agent, type AgentOptions, approve, type Question, respond, type SignedAnswer } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { type CallKind, effectName, resultOf } from '../plan/plan.ts'
import { planAgent, steadyAnswer } from '../plan/plan-agent.ts'
import type { PlanInput, PlanWorld } from '../plan/plan-tools.ts'
import { type ProcessJob, toolFaultsIn } from './job.ts'
import { openJournal } from './place.ts'
import type { Reporter } from './reporter.ts'
import { connectWorld, type WorldConnection } from './world-server.ts'

/** A process of a trial. */
export interface PlannedProcess {
  readonly world: WorldConnection
  readonly journal: Journal
  close(): Promise<void>
}

/** Connects to the world and opens the journal. */
export async function openProcess(job: ProcessJob, open: () => Promise<Journal> = () => openJournal(job.place)): Promise<PlannedProcess> {
  const world = await connectWorld(job.port, `${job.trial}/${job.process}`)
  const journal = await open()
  const close = async (): Promise<void> => {
    await journal.close()
    world.close()
  }
  return { world, journal, close }
}

/** Counts the ids of this process: several agents in it have no id in common, or their threads would be taken for each other. */
let ids = 0

/** The agent of all plans in a process; a reporter reports its effects and requests. */
export function processAgent(
  job: ProcessJob,
  { world, journal }: Pick<PlannedProcess, 'world' | 'journal'>,
  { reporter, name, options = {} }: { readonly reporter?: Reporter; readonly name?: string; readonly options?: Partial<AgentOptions> } = {},
): Agent {
  return planAgent({
    world: planWorld(job, world, reporter),
    journal,
    ...(name !== undefined && { name }),
    faults: toolFaultsIn(job.faults ?? []),
    ...(job.depth !== undefined && { depth: job.depth }),
    model: (model) => ({
      ...model,
      async doStream(request) {
        reporter?.enter('model')
        await pause(1)
        reporter?.leave('model')
        return model.doStream(request)
      },
    }),
    // The first id names the driver: the journal shows which process wrote what.
    options: { ...options, ports: { ids: () => `p${job.process}.${process.pid}.${++ids}` } },
  })
}

function planWorld({ trial, process: number, delays = {} }: ProcessJob, world: WorldConnection, reporter: Reporter | undefined): PlanWorld {
  return {
    async perform(effect) {
      reporter?.enter('asked')
      if (delays.before) await pause(delays.before)
      await world.perform(trial, { ...effect, process: number })
      reporter?.done(`${effect.thread}/${effect.call}${effect.step === undefined ? '' : `/${effect.step}`}`)
      reporter?.leave('asked')
      if (delays.after) await pause(delays.after)
    },
    has: (effect) => world.has(trial, effectName(effect)),
    tick: async (ticks) => {
      if (ticks > 0) await pause(ticks)
    },
  }
}

/** Answers a question. Whether a call in doubt has happened is what the world says. */
export async function answerOf({ trial, faults = [] }: ProcessJob, world: WorldConnection, question: Question): Promise<SignedAnswer> {
  const { thread, kind, id, call } = question
  if (kind !== 'in-doubt') return steadyAnswer(question)
  const [callId = '', step] = id.slice(thread.length + 1, id.lastIndexOf('#')).split(/\/(.*)/)
  const tool = call?.tool as CallKind
  const happened = await world.has(trial, effectName({ kind: tool, thread, call: callId, ...(step !== undefined && { step }) }))
  if (faults.includes('careless-human') || (!happened && !faults.includes('credulous-human'))) return approve()
  if (step !== undefined) return respond(step.split(':')[1] ?? '')
  const { size } = (call?.input ?? {}) as Partial<PlanInput>
  return respond(resultOf(tool, callId, size))
}
