/** loom doctor: what is here, and what is missing. A report to copy; no key is printed. */
import { threads } from '@loom-agent/agent'
import { isLoomError, type Journal } from '@loom-agent/kernel'
import { createModels } from '@loom-agent/models'
import { openJournal } from '../journal/open-journal.ts'
import { type Look, styleOf } from '../output/style.ts'
import { visibleLine } from '../output/visible.ts'
import { exitCodes } from '../platform/exit-codes.ts'
import type { Terminal } from '../platform/terminal.ts'
import { type LookOptions, writeJson } from './look.ts'

/** One thing that was looked at. */
interface Check {
  readonly name: string
  readonly state: 'ok' | 'note' | 'problem'
  readonly text: string
}

const looks: { readonly [K in Check['state']]: Look } = { ok: 'green', note: 'yellow', problem: 'red' }

/** Looks at the runtime, the model and the journal; returns the exit code. */
export async function doctor(terminal: Terminal, options: LookOptions): Promise<number> {
  const checks = [runtimeCheck(), modelCheck(terminal), ...(await journalChecks(terminal, options))]
  if (options.json) writeJson(terminal, checks)
  else
    for (const { name, state, text } of checks)
      terminal.out(`${styleOf(terminal)(looks[state], state.padEnd(7))}  ${name.padEnd(8)}  ${visibleLine(text)}\n`)
  return checks.some(({ state }) => state === 'problem') ? exitCodes.checkFailed : exitCodes.done
}

/** The oldest Node that the packages run on. */
const oldest = [22, 16] as const

function runtimeCheck(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const fits = major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
  const text = `Node ${process.versions.node}, ${process.platform} ${process.arch}`
  return { name: 'runtime', state: fits ? 'ok' : 'problem', text: fits ? text : `${text}; Loom needs ${oldest.join('.')} or newer` }
}

function modelCheck({ env }: Terminal): Check {
  const choice = createModels({ env }).choose()
  if (choice.kind === 'error') return { name: 'model', state: 'note', text: choice.message }
  return { name: 'model', state: 'ok', text: choice.kind === 'model' ? `${choice.id}: ${choice.because}` : choice.because }
}

async function journalChecks(terminal: Terminal, options: LookOptions): Promise<readonly Check[]> {
  let journal: Journal | undefined
  try {
    journal = await openJournal(options.journal, terminal)
    return [{ name: 'journal', state: 'ok', text: `${journal.traits.name}, ${journal.traits.mode}` }, await threadCheck(journal)]
  } catch (error) {
    if (!isLoomError(error)) throw error
    const isMissing = error.code === 'LOOM_OPTION_INVALID' && options.journal === undefined
    return [{ name: 'journal', state: isMissing ? 'note' : 'problem', text: error.message }]
  } finally {
    await journal?.close()
  }
}

/** Threads that are counted at most: a report is read at once. */
const mostCounted = 1_000

async function threadCheck(journal: Journal): Promise<Check> {
  const counts = new Map<string, number>()
  let all = 0
  for await (const { summary } of threads(journal, { sort: 'latest', limit: mostCounted })) {
    counts.set(summary.status, (counts.get(summary.status) ?? 0) + 1)
    all += 1
  }
  const parts = [...counts].map(([status, count]) => `${count} ${status}`)
  return {
    name: 'threads',
    state: 'ok',
    text: `${all === mostCounted ? `the latest ${all}` : all}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`,
  }
}
