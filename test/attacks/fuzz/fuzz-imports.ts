/** Imports mutated exports into a journal that has threads of its own, and looks for what must not happen. */
import { type Agent, agent, memoryJournal, tool } from '@loom-agent/agent'
import { exportThread, importThread, verify } from '@loom-agent/journals'
import { isLoomError, type Journal, readEvents } from '@loom-agent/kernel'
import { type ScriptedModel, scriptedModel } from '@loom-agent/testing'
import { type Section, sectionsOf } from '../forged-export.ts'
import { mutated } from './mutate-export.ts'

/** How many are imported, from which seed on. */
export interface FuzzOptions {
  readonly count: number
  readonly seed: number
  readonly onProgress?: (done: number) => void
}

/** What came of it: how many were imported, why others were refused, and what must not have happened. */
export interface FuzzReport {
  imported: number
  readonly refused: Map<string, number>
  readonly findings: string[]
}

interface Office {
  readonly boss: Agent
  readonly models: readonly ScriptedModel[]
  readonly done: string[]
}

/** An agent that pays after an approval, looks things up, sleeps, and has a clerk. */
function officeOn(journal: Journal): Office {
  const done: string[] = []
  const act = (name: string) => (): string => {
    done.push(name)
    return `${name} done`
  }
  const pay = tool({ name: 'pay', permission: 'ask', run: act('pay') })
  const look = tool({ name: 'look', effect: 'idempotent', run: act('look') })
  const nap = tool({
    name: 'nap',
    durable: true,
    run: async (_, ctx) => {
      await ctx.sleep(7 * 24 * 3600_000)
      return act('nap')()
    },
  })
  const replies = (own: string): ScriptedModel =>
    scriptedModel(({ prompt }) => {
      const said = JSON.stringify(prompt.findLast(({ role }) => role === 'user')?.content ?? '')
      const named = ['pay', 'look', 'nap', 'clerk'].find((one) => said.includes(one) && one !== own)
      if (prompt.at(-1)?.role === 'tool' || named === undefined) return `Done by ${own}.`
      return { calls: [{ tool: named, input: named === 'clerk' ? { prompt: 'Please pay.' } : {} }] }
    })
  const models = [replies('boss'), replies('clerk')]
  const clerk = agent({ name: 'clerk', model: models[1] as ScriptedModel, tools: [pay] })
  return { boss: agent({ name: 'boss', model: models[0] as ScriptedModel, tools: [pay, look, nap, clerk], journal }), models, done }
}

/** Exports of real threads: one that waits, one that is done, one that sleeps, a tree, and a fork. */
export async function realExports(): Promise<readonly (readonly Section[])[]> {
  const journal = memoryJournal()
  const { boss } = officeOn(journal)
  for (const name of ['pay', 'look', 'nap', 'clerk']) await boss.run(`Please ${name}.`, { thread: name })
  await boss.run([{ type: 'text', text: 'Hello.' }], { thread: 'look' })
  await boss.fork('look@9', { thread: 'fork', effects: 'live', limits: { tokens: 1000 } })
  const all: (readonly Section[])[] = []
  for (const name of ['pay', 'look', 'nap', 'clerk', 'fork']) all.push(await sectionsOf(journal, name))
  return all
}

const heldBy = async (journal: Journal, names: readonly string[]): Promise<string> => {
  const all: unknown[] = []
  for (const name of names) all.push((await journal.head(name))?.summary, await Array.fromAsync(readEvents(journal, name)))
  return JSON.stringify(all)
}

/** After how many imports that were refused the threads of the journal are read. */
const lookEvery = 25

const namesIn = async (journal: Journal): Promise<readonly string[]> => (await journal.threads()).map(({ thread }) => thread)

/** Removes what was imported: forks before what they read. */
async function removeOthers(journal: Journal, own: readonly string[]): Promise<boolean> {
  for (let round = 0; round < 20; round += 1) {
    const others = (await namesIn(journal)).filter((name) => !own.includes(name))
    if (others.length === 0) return true
    for (const name of others) {
      await journal.remove(name).catch((error: unknown) => {
        if (!isLoomError(error)) throw error
      })
    }
  }
  return false
}

/** Imports mutated exports, one after the other. */
export async function fuzzImports(journal: Journal, { count, seed, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const report: FuzzReport = { imported: 0, refused: new Map(), findings: [] }
  const { boss, models, done } = officeOn(journal)
  await boss.run('Please pay.', { thread: 'own-pay' })
  await boss.run('The clerk, please.', { thread: 'own-tree' })
  const own = await namesIn(journal)
  const before = await heldBy(journal, own)
  const asked = models.map(({ requests }) => requests.length).join()
  const exports = await realExports()
  for (let number = 0; number < count; number += 1) {
    const at = seed + number
    const blame = (what: string): void => void report.findings.push(`seed ${at}: ${what}`)
    const lines = mutated(exports, { seed: at, names: own })
    const error = await importThread(journal, lines).then(
      () => undefined,
      (thrown: unknown) => thrown ?? new Error('nothing'),
    )
    if (error === undefined) report.imported += 1
    else if (isLoomError(error)) report.refused.set(error.code, (report.refused.get(error.code) ?? 0) + 1)
    else blame(`the import failed with ${String(error)}`)
    await judge(journal, { own, isImported: error === undefined, blame, recover: () => boss.recover() })
    if (done.length > 0 || asked !== models.map(({ requests }) => requests.length).join()) blame(`it ran ${done.splice(0).join() || 'a model'}`)
    // Reading all of them takes longer than most imports: what has changed once stays changed.
    const isLooked = error === undefined || number % lookEvery === 0 || number === count - 1
    if (isLooked && (await heldBy(journal, own)) !== before) blame('a thread of the journal has changed')
    if (report.findings.length > 20) return report
    onProgress?.(number + 1)
  }
  return report
}

interface Judged {
  readonly own: readonly string[]
  readonly isImported: boolean
  readonly blame: (what: string) => void
  readonly recover: () => Promise<readonly unknown[]>
}

/** Looks at what an import has left, reads it in every way, and removes it. */
async function judge(journal: Journal, { own, isImported, blame, recover }: Judged): Promise<void> {
  const heads = (await journal.threads()).filter(({ thread }) => !own.includes(thread))
  if (!isImported && heads.length > 0) blame(`a failed import has left ${heads.map(({ thread }) => thread).join()}`)
  if (heads.length === 0) return
  for (const { thread, summary } of heads) if (!summary.quarantined) blame(`${thread} is not quarantined`)
  try {
    const recovered = await recover()
    if (recovered.length > 0) blame(`recovery went on with ${JSON.stringify(recovered)}`)
    for (const { thread } of heads) {
      // What looks like a reference to a blob may be data, so an import does not refuse it; verify reports it.
      for await (const { problem } of verify(journal, thread))
        if (!/^the blob .* is missing$/s.test(problem)) blame(`${thread} is damaged: ${problem}`)
      for await (const line of exportThread(journal, thread)) if (line === '') blame('an empty line')
    }
  } catch (error) {
    blame(`it cannot be looked at: ${String(error)}`)
  }
  if (!(await removeOthers(journal, own))) blame('it cannot be removed')
}
