/** Routes that branch threads: forks, and rewinds, which put files back. */
import type { Edit, RewindPlan } from '@loom-agent/agent'
import type { FileChange, FileConflict, ForkEffects, Limits } from '@loom-agent/kernel'
import { type Described, flag, list, named, object, oneOf, optional, text } from '../route/described.ts'
import { type Call, type Route, route } from '../route/route.ts'
import { findDriven, findThread, mayUse, threadNotFound } from '../service/find-thread.ts'
import type { ServedFork } from '../service/served-agent.ts'
import { ofAgent, seqOf } from './schemas.ts'

const forkFields = {
  at: seqOf('The last event that the fork shares.'),
  thread: optional(text('The id of the fork; default: made up.', { least: 1 })),
  edits: optional(list('What is different from the cut on.', ofAgent<Edit>('Edit', 'An edit.'))),
  effects: optional(oneOf('What happens to effects after the cut; default `ask`.', 'live', 'recorded', 'stub', 'ask')),
  limits: optional(named<Limits>('Limits', '@loom-agent/kernel', 'What the run that goes on may spend; default: it asks.')),
}
const forkBody = object({ ...forkFields, resume: optional(flag('Goes on from the cut at once; default false.')) })
const planBody = object(forkFields)
type ForkBody = NonNullable<typeof planBody.type>
/** What a fork would reuse, run and risk. */
const plan: Described<ServedFork['plan']> = ofAgent('ForkPlan', 'What it reuses, runs and risks.')

interface ForkSetup {
  readonly agent: Awaited<ReturnType<typeof findDriven>>['agent']
  readonly moment: string
  readonly options: { readonly thread?: string; readonly edit?: readonly Edit[]; readonly effects?: ForkEffects; readonly limits?: Limits }
}

async function forkOf(call: Call<{ readonly thread: string }>, { at, thread, edits, effects, limits }: ForkBody): Promise<ForkSetup> {
  const { agent } = await findDriven(call, call.params.thread)
  const isOwn = thread === undefined ? call.identity.threads === undefined : mayUse(call.identity, thread)
  if (!isOwn) throw threadNotFound(thread ?? 'of a fork without a name')
  const options = { ...(thread !== undefined && { thread }), ...(edits && { edit: edits }), ...(effects && { effects }), ...(limits && { limits }) }
  return { agent, moment: `${call.params.thread}@${at}`, options }
}

const forkThread = route({
  name: 'forkThread',
  method: 'POST',
  path: '/threads/{thread}/forks',
  scope: 'run',
  summary: 'Forks a thread. The thread itself is only read.',
  body: forkBody,
  reply: { schema: object({ thread: text('The id of the fork.'), from: text('Where it was cut: `thread@seq`.'), plan }) },
  async handle(call) {
    const { resume, ...body } = call.body
    const { agent, moment, options } = await forkOf(call, body)
    const leave = resume ? call.service.admission.enterRun(call.identity.name) : () => {}
    try {
      const fork = await agent.fork(moment, options)
      if (resume) fork.resume().result().then(leave, leave)
      return { thread: fork.thread, from: fork.from, plan: fork.plan }
    } catch (error) {
      leave()
      throw error
    }
  },
})

const planFork = route({
  name: 'planFork',
  method: 'POST',
  path: '/threads/{thread}/fork-plans',
  scope: 'read',
  summary: 'What such a fork would reuse, run and risk; nothing is made.',
  body: planBody,
  reply: { schema: plan },
  async handle(call) {
    const { agent, moment, options } = await forkOf(call, call.body)
    return agent.planFork(moment, options)
  },
})

const rewindFields = {
  ...forkFields,
  from: optional(text('The thread whose files the folder has now; default: the one that is rewound.', { least: 1 })),
}
const rewindBody = object(rewindFields)
type RewindBody = NonNullable<typeof rewindBody.type>

/** What became, or would become, of files. */
const restored = {
  folder: text('The moment whose files the folder had.', { most: 1000 }),
  files: list('Files that are put back: what they had, and what they get.', named<FileChange>('FileChange', '@loom-agent/kernel', 'A file.')),
  conflicts: list('Files that stay as they are, and why.', named<FileConflict>('FileConflict', '@loom-agent/kernel', 'A file.')),
  unseen: list('Calls that may have changed more files than are known.', text('A call.', { most: 10_000 })),
  shared: list('Paths among them that were changed while a command ran: by it, or by somebody else.', text('A path.', { most: 10_000 })),
}

async function rewindOf(call: Call<{ readonly thread: string }>, { from, ...body }: RewindBody): Promise<ForkSetup & { readonly from?: string }> {
  const setup = await forkOf(call, body)
  // The folder may have the files of another thread, which is only for who may use that one.
  if (from !== undefined) await findThread(call, from)
  return { ...setup, ...(from !== undefined && { from }) }
}

const rewindThread = route({
  name: 'rewindThread',
  method: 'POST',
  path: '/threads/{thread}/rewinds',
  scope: 'run',
  summary: 'Forks a thread, and puts the files of its workspace back as they were then. Sent again with the same id of the fork, it goes on.',
  body: rewindBody,
  reply: { schema: object({ thread: text('The id of the fork.'), from: text('Where it was cut: `thread@seq`.'), plan, ...restored }) },
  async handle(call) {
    const { agent, moment, options, from } = await rewindOf(call, call.body)
    const rewound = await agent.rewind(moment, { ...options, ...(from !== undefined && { from }) })
    const { folder, files, conflicts, unseen, shared } = rewound
    return { thread: rewound.thread, from: rewound.from, plan: rewound.plan, folder, files, conflicts, unseen, shared }
  },
})

const planRewind = route({
  name: 'planRewind',
  method: 'POST',
  path: '/threads/{thread}/rewind-plans',
  scope: 'read',
  summary: 'What such a rewind would do to files and to the thread; nothing is made or changed.',
  body: rewindBody,
  reply: { schema: object({ fork: plan, ...restored }) },
  async handle(call): Promise<RewindPlan> {
    const { agent, moment, options, from } = await rewindOf(call, call.body)
    return agent.planRewind(moment, { ...options, ...(from !== undefined && { from }) })
  },
})

/** Forks and rewinds. */
export const forkRoutes: readonly Route[] = [forkThread, planFork, rewindThread, planRewind]
