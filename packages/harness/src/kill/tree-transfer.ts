/**
 * Random trees that are moved: each is driven for a while, crashes or waits, is forked, exported, removed, imported, adopted and driven to its end.
 *
 * What happened is counted by the world, outside the journals: no effect is doubled by the move, and none is forgotten.
 */
import { setTimeout } from 'node:timers/promises'
import { type Agent, adopt, type Question } from '@loom-agent/agent'
import { exportThread, importThread } from '@loom-agent/journals'
import { isLoomError, type Journal } from '@loom-agent/kernel'
import { mortalJournal } from '@loom-agent/testing'
import { eventsOf, type Finding, randomOf } from '@loom-agent/testing/crash'
import { planInput, randomTree } from '../plan/plan.ts'
import { steadyAnswer } from '../plan/plan-agent.ts'
import type { PlannedThread, ProcessJob } from './job.ts'
import { judgeFork, treePathsOf } from './judge-fork.ts'
import { judgeProcesses } from './judge-processes.ts'
import { type JournalKind, type JournalPlace, makePlace, openJournal, type Site } from './place.ts'
import { answerOf, processAgent } from './planned-process.ts'
import type { Ending } from './reporter.ts'
import { connectWorld, type WorldConnection, type WorldServer } from './world-server.ts'

/** Faults that can be planted in a move. */
export const treeFaults = {
  'leaves-children': 'a thread is exported without its children',
  'keeps-original': 'a thread stays where it was, and both are driven',
  'forgets-effects': 'the effects of the first process are not in the world',
} as const

/** A fault that can be planted in a move. */
export type TreeFault = keyof typeof treeFaults

/** How trees are moved. */
export interface TreeTransferOptions extends Site {
  readonly kind: JournalKind
  readonly trees: number
  readonly seed: number
  readonly world: WorldServer
  readonly fault?: TreeFault
  readonly onProgress?: (trees: number) => void
}

/** What was moved, and what was found. */
export interface TreeTransferReport {
  readonly journal: JournalKind
  readonly seed: number
  readonly trees: number
  /** Threads that were moved, and those of them that had not ended. */
  readonly threads: number
  readonly open: number
  readonly forks: number
  /** Trees whose process had died, and trees that an agent of another name adopted. */
  readonly crashed: number
  readonly adopted: number
  readonly blobs: number
  readonly effects: number
  readonly findings: readonly Finding[]
}

type Counts = { -readonly [Name in Exclude<keyof TreeTransferReport, 'journal' | 'seed' | 'trees' | 'findings'>]: number }

/** Levels of children. */
const depth = 2
/** How often the questions of a tree are answered. */
const mostRounds = 50
/** Findings after which no more trees are moved. */
const mostFindings = 20

interface Move {
  readonly trial: string
  readonly random: () => number
  readonly options: TreeTransferOptions
  readonly world: WorldConnection
  readonly source: JournalPlace
  readonly target: JournalPlace
  readonly counts: Counts
  readonly findings: Finding[]
}

/** Moves trees, one after another. */
export async function treeTransfer(options: TreeTransferOptions): Promise<TreeTransferReport> {
  const { kind, trees, seed, world, onProgress } = options
  const connection = await connectWorld(world.port, `trees-${kind}-${seed}`)
  const source = await makePlace(kind, `trees-${kind}-${seed}-source`, options)
  const other = await makePlace(kind, `trees-${kind}-${seed}-target`, options)
  const counts: Counts = { threads: 0, open: 0, forks: 0, crashed: 0, adopted: 0, blobs: 0, effects: 0 }
  const findings: Finding[] = []
  let moved = 0
  for (; moved < trees && findings.length < mostFindings; moved += 1) {
    const random = randomOf(seed * 1000 + moved)
    const target = random() < 0.5 && options.fault !== 'keeps-original' ? source : other
    await moveTree({ trial: `tree-${seed}-${moved}`, random, options, world: connection, source, target, counts, findings })
    onProgress?.(moved + 1)
  }
  connection.close()
  return { journal: kind, seed, trees: moved, ...counts, findings }
}

async function moveTree(move: Move): Promise<void> {
  const { trial, random, options, counts, findings, target } = move
  const planned: PlannedThread = { thread: trial, input: planInput(randomTree(random, depth)) }
  await runForAWhile(move, planned)
  const fork = await transfer(move, planned)
  const journal = await openJournal(target)
  try {
    const endings = [await finish(move, journal, planned.thread)]
    const forkEnding = fork && (await finish(move, journal, fork))
    if (options.fault === 'keeps-original') {
      const original = await openJournal(move.source)
      await finish(move, original, planned.thread)
      await original.close()
    }
    const effects = options.world.take(trial).filter(({ process }) => options.fault !== 'forgets-effects' || process > 1)
    counts.effects += effects.length
    const forkPaths = fork === undefined ? new Map<string, string>() : await treePathsOf(journal, fork)
    const own = effects.filter(({ thread }) => !forkPaths.has(thread))
    const judged = await judgeProcesses({ journal, threads: [planned], notified: [], effects: own, endings, depth })
    findings.push(...judged.findings)
    if (fork !== undefined && forkEnding) {
      const root = { thread: planned.thread, paths: await treePathsOf(journal, planned.thread), text: endings[0]?.text ?? '' }
      findings.push(...(await judgeFork({ journal, root, fork: { thread: fork, paths: forkPaths, ending: forkEnding }, effects })))
      await journal.remove(fork)
    }
    await journal.remove(planned.thread)
  } finally {
    await journal.close()
  }
}

const jobOf = ({ trial, source, options }: Move, number: number): ProcessJob => ({
  trial,
  process: number,
  place: source,
  port: options.world.port,
  depth,
})

/** Drives the tree until it waits, answers some of its questions, and dies on the way or not. */
async function runForAWhile(move: Move, { thread, input }: PlannedThread): Promise<void> {
  const { random, source, world, counts } = move
  const journal = await openJournal(source)
  const death = { append: 3 + Math.floor(random() * 25), when: random() < 0.5 ? ('before' as const) : ('after' as const) }
  const mortal = mortalJournal(journal, random() < 0.5 ? death : undefined)
  const never = new Promise<never>(() => {})
  const mortalWorld: WorldConnection = { ...world, perform: (...given) => (mortal.isDead() ? never : world.perform(...given)) }
  const agent = processAgent(jobOf(move, 1), { world: mortalWorld, journal: mortal.journal })
  const rounds = Math.floor(random() * 4)
  const drive = async (): Promise<void> => {
    let { questions } = await agent.run(input, { thread })
    for (let round = 0; round < rounds && questions.length > 0; round += 1) {
      const question = questions[Math.floor(random() * questions.length)] as Question
      await agent.answer(question.id, steadyAnswer(question))
      questions = (await agent.resume(thread).result()).questions
    }
  }
  await Promise.race([drive(), mortal.died])
  if (mortal.isDead()) counts.crashed += 1
  mortal.kill()
  await journal.close()
}

/** Forks the tree or not, exports it, removes it and imports it; returns the fork. */
async function transfer(move: Move, { thread }: PlannedThread): Promise<string | undefined> {
  const { random, source, target, options } = move
  const journal = await openJournal(source)
  const { fork, isWhole } = await forkTree(move, journal, thread)
  const names = fork === undefined ? [thread] : [thread, fork]
  const packed = new Map<string, readonly string[]>()
  // The exporter finds children in the table of threads.
  const exported = options.fault === 'leaves-children' ? { ...journal, threads: async () => [] } : journal
  const threads = await countThreads(move, journal, names)
  for (const name of names) packed.set(name, await linesOf(exported, name))
  move.counts.blobs += [...packed.values()].flat().filter((line) => line.includes('"blob":')).length
  if (options.fault !== 'keeps-original') await removeAll(move, journal, { names, threads })
  await journal.close()
  const receiving = await openJournal(target)
  // A thread that a fork has brought whole, as its past, is not imported again.
  const isForkFirst = !isWhole && random() < 0.5
  for (const name of isForkFirst ? names.toReversed() : names) await importThread(receiving, packed.get(name) ?? [])
  for (const name of names) await adopt(receiving, name)
  await receiving.close()
  return fork
}

/** Forks the tree at its head or before it, or not at all; `isWhole` says whether the fork shares all of it. */
async function forkTree(move: Move, journal: Journal, thread: string): Promise<{ readonly fork: string | undefined; readonly isWhole: boolean }> {
  const { random, counts, world } = move
  const last = (await journal.head(thread))?.seq ?? 2
  const seq = random() < 0.5 ? last : 2 + Math.floor(random() * (last - 1))
  if (random() >= 0.4) return { fork: undefined, isWhole: false }
  const agent = processAgent(jobOf(move, 2), { world, journal })
  const fork = await agent.fork(`${thread}@${seq}`, { thread: `${thread}-fork`, effects: 'live', limits: { turns: 100 } })
  if (random() < 0.4) await fork.resume().result()
  counts.forks += 1
  return { fork: fork.thread, isWhole: seq === last }
}

/** All threads of the trees, counted. */
async function countThreads({ counts }: Move, journal: Journal, names: readonly string[]): Promise<readonly string[]> {
  const threads: string[] = []
  for (const name of names) threads.push(...(await treePathsOf(journal, name)).keys())
  for (const name of threads) {
    const { status } = (await journal.head(name))?.summary ?? {}
    if (status === 'running' || status === 'waiting') counts.open += 1
  }
  counts.threads += threads.length
  return threads
}

/** Removes the trees, the fork first; nothing of them stays. */
async function removeAll(
  { findings }: Move,
  journal: Journal,
  what: { readonly names: readonly string[]; readonly threads: readonly string[] },
): Promise<void> {
  const [root = '', fork] = what.names
  if (fork !== undefined) findings.push(...(await mustStay(journal, root)))
  for (const name of what.names.toReversed()) await removeWhenFree(journal, name)
  for (const name of what.threads) {
    if ((await journal.head(name))?.seq) findings.push({ kind: 'journal', at: name, message: 'it is there after its removal' })
  }
}

/** Milliseconds after which a thread is removed that could not be, and how often that is tried: longer than any lease. */
const patience = { ms: 250, tries: 240 }

/** Removes a thread. One whose last driver was lost while it acquired the thread is free when that lease has expired. */
async function removeWhenFree(journal: Journal, thread: string): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await journal.remove(thread)
      return
    } catch (error) {
      if (!isLoomError(error) || error.code !== 'LOOM_THREAD_BUSY' || tried === patience.tries) throw error
      await setTimeout(patience.ms)
    }
  }
}

async function linesOf(journal: Journal, thread: string): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of exportThread(journal, thread)) lines.push(line)
  return lines
}

/** What a fork reads is not removed. */
async function mustStay(journal: Journal, thread: string): Promise<readonly Finding[]> {
  try {
    await journal.remove(thread)
    return [{ kind: 'journal', at: thread, message: 'it was removed although a fork reads it' }]
  } catch (error) {
    if (isLoomError(error) && error.code === 'LOOM_THREAD_BUSY') return []
    throw error
  }
}

/** Drives a thread to its end, by its own agent or by one of another name that adopts it. */
async function finish(move: Move, journal: Journal, thread: string): Promise<Ending> {
  const { random, world, counts, findings } = move
  const adopts = random() < 0.5
  const job = jobOf(move, 3)
  const agent = processAgent(job, { world, journal }, adopts ? { name: 'heir' } : {})
  if (adopts) {
    counts.adopted += 1
    findings.push(...(await mustRefuse(agent, thread)))
  }
  for (let round = 1; ; round += 1) {
    const { status, text, questions } = await agent.resume(thread, { adopt: adopts }).result()
    if (status !== 'waiting' || questions.length === 0 || round > mostRounds) return { thread, status, text }
    for (const question of questions) await agent.answer(question.id, await answerOf(job, world, question))
  }
}

/** A thread of another agent is not driven unless it is adopted. */
async function mustRefuse(agent: Agent, thread: string): Promise<readonly Finding[]> {
  const before = (await eventsOf(agent.journal, thread)).length
  const code = await agent
    .resume(thread)
    .result()
    .then(
      ({ status }) => status,
      (error: unknown) => (isLoomError(error) ? error.code : String(error)),
    )
  const after = (await eventsOf(agent.journal, thread)).length
  if (code === 'LOOM_AGENT_OTHER' && before === after) return []
  return [{ kind: 'journal', at: thread, message: `an agent of another name was not refused: ${code}, ${after - before} events` }]
}
