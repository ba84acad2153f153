/** loom eval: judges agents by cases, on a thread that any process can go on with. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Agent } from '@loom-agent/agent'
import type { Limits } from '@loom-agent/kernel'
import { LoomError } from '@loom-agent/kernel'
import { isAbove, verdictIn } from '../eval/eval-report.ts'
import { type EvalCase, type Evaluation, evaluation, isEvaluation, type Scorer } from '../eval/evaluation.ts'
import { evalLines, junitOf } from '../eval/render-eval.ts'
import { casesOf } from '../eval/resolve-cases.ts'
import { type EvalResult, journalOf, runEvaluation } from '../eval/run-evaluation.ts'
import { contains, ended, equals, unchanged } from '../eval/scorers.ts'
import { visible, visibleLine } from '../output/visible.ts'
import { exitCodes } from '../platform/exit-codes.ts'
import { parseCount, wrongOption } from '../platform/parse.ts'
import type { Terminal } from '../platform/terminal.ts'
import { agentOf, loadConfig } from '../project/config.ts'
import { writeJson, writeLines } from './look.ts'
import { questionLines } from './questions.ts'

/** The options of `loom eval`. */
export interface EvalOptions {
  readonly config?: string
  readonly agent?: readonly string[]
  readonly model?: readonly string[]
  readonly score?: readonly string[]
  readonly threads?: readonly string[]
  readonly replay?: true
  readonly thread?: string
  readonly parallel?: string
  readonly threshold?: string
  readonly tokens?: string
  readonly cost?: string
  readonly junit?: string
  readonly json?: true
  readonly quiet?: true
}

const scorers: Readonly<Record<string, () => Scorer>> = { contains, equals, ended, unchanged }

/** Runs an eval, or goes on with the one of `--thread`; returns the exit code. */
export async function evaluate(terminal: Terminal, file: string | undefined, options: EvalOptions): Promise<number> {
  const chosen = changed(await chosenEval(terminal, file, options), options)
  const thread =
    options.thread ?? `eval-${chosen.name.replaceAll(/[^\w.-]+/g, '-')}-${new Date(terminal.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  if (!options.quiet) terminal.err(`The eval is the thread ${visibleLine(thread)}; --thread ${visibleLine(thread)} goes on with it.\n`)
  try {
    const found = await runEvaluation(chosen, { thread, limits: limitsOf(options), ...(!options.quiet && { onEvent: progress(terminal) }) })
    return say(terminal, found, { options, evaluation: chosen })
  } finally {
    await journalOf(chosen).close()
  }
}

/** Says now and then how many answers have a verdict. */
function progress(terminal: Terminal): (event: Parameters<typeof verdictIn>[0]) => void {
  let judged = 0
  let failed = 0
  return (event) => {
    const verdict = verdictIn(event)
    if (!verdict) return
    judged += 1
    if (!verdict.isPassed) failed += 1
    if (judged % 10 === 0) terminal.err(`${judged} answers judged, ${failed} did not pass\n`)
  }
}

interface Ran {
  readonly options: EvalOptions
  readonly evaluation: Evaluation
}

function say(terminal: Terminal, { result, ...report }: EvalResult, { options, evaluation: { name, threshold } }: Ran): number {
  const { status } = result
  if (options.junit !== undefined) writeFileSync(resolve(terminal.cwd, options.junit), junitOf(report, name))
  if (options.json) writeJson(terminal, { name, status, ...report })
  else writeLines(terminal, evalLines(report, terminal))
  if (result.status === 'waiting') {
    terminal.err(`${result.questions.flatMap((question) => questionLines(question, terminal)).join('\n')}\n`)
    return exitCodes.waiting
  }
  if (result.status === 'failed') terminal.err(`${visible(`${result.error.code} ${result.error.message}`)}\n`)
  if (result.status === 'stopped') terminal.err(`${visible(result.reason)}\n`)
  if (result.status === 'stopped' && (result.kind === 'limit' || result.kind === 'budget')) return exitCodes.limit
  if (result.status !== 'done') return exitCodes.failed
  if (report.missing > 0) return exitCodes.limit
  if (threshold === undefined || isAbove(report, threshold)) return exitCodes.done
  terminal.err(`A candidate passes less than ${threshold} of its cases.\n`)
  return exitCodes.checkFailed
}

/** The eval that a module exports, or one of the agents of the project with a file of cases. */
async function chosenEval(terminal: Terminal, file: string | undefined, options: EvalOptions): Promise<Evaluation> {
  const path = file === undefined ? undefined : resolve(terminal.cwd, file)
  if (file !== undefined && path !== undefined && !existsSync(path))
    throw wrongOption('The file of the eval', file, `There is none (looked for ${path}).`)
  if (path !== undefined && /\.[cm]?[jt]s$/.test(path)) return moduleEval(path, options)
  if (path === undefined && options.threads === undefined)
    throw wrongOption('The file of the eval', '', 'Name a file of cases, or threads with --threads.')
  const cases: readonly EvalCase[] = [
    ...(path === undefined ? [] : casesOf(readFileSync(path, 'utf8'), basename(path))),
    ...(options.threads ?? []).map((thread) => ({ thread })),
  ]
  const candidates = await candidatesOf(terminal, options)
  return evaluation({
    name: path === undefined ? 'threads' : basename(path).replace(/\.\w+$/, ''),
    cases,
    candidates,
    scorers: scorersOf(options),
    mode: options.replay ? 'replay' : 'live',
  })
}

async function moduleEval(path: string, { agent, model, score, threads, replay }: EvalOptions): Promise<Evaluation> {
  const other = Object.entries({ agent, model, score, threads, replay }).find(([, value]) => value !== undefined)
  if (other) throw wrongOption(`--${other[0]}`, String(other[1]), 'An eval that a module exports says that itself. Leave it out.')
  const loaded: { default?: unknown } = await import(pathToFileURL(path).href)
  if (isEvaluation(loaded.default)) return loaded.default
  throw new LoomError(
    'LOOM_OPTION_INVALID',
    `${basename(path)} exports no eval. Write: export default evaluation({ name, cases, candidates, scorers }).`,
    {
      context: { file: path },
    },
  )
}

/** The agents that are named, each with every model that is named. */
async function candidatesOf(terminal: Terminal, { config, agent = [], model = [] }: EvalOptions): Promise<Record<string, Agent>> {
  const all = await loadConfig(config, terminal)
  const chosen = agent.length === 0 ? [agentOf(all, undefined)] : agent.map((name) => agentOf(all, name))
  const entries = chosen.flatMap((one) =>
    model.length === 0
      ? [[one.name, one] as const]
      : model.map((id) => [`${one.name} with ${id.replaceAll(/[/:]/g, '-')}`, one.with({ model: id })] as const),
  )
  return Object.fromEntries(entries)
}

function scorersOf({ score, replay }: EvalOptions): Record<string, Scorer> {
  const names = score ?? [replay ? 'unchanged' : 'contains']
  return Object.fromEntries(
    names.map((name) => {
      const made = Object.hasOwn(scorers, name) ? scorers[name] : undefined
      if (!made)
        throw wrongOption('--score', name, `Say ${Object.keys(scorers).join(', ')}; a file that exports an eval may have scorers of its own.`)
      return [name, made()]
    }),
  )
}

/** The eval with what the command line says otherwise. */
function changed(given: Evaluation, { threshold, parallel }: EvalOptions): Evaluation {
  const share = threshold === undefined ? undefined : Number(threshold)
  if (share !== undefined && !(threshold?.trim() !== '' && share >= 0 && share <= 1))
    throw wrongOption('--threshold', threshold ?? '', 'Write a number from 0 to 1.')
  return {
    ...given,
    ...(share !== undefined && { threshold: share }),
    ...(parallel !== undefined && { parallel: parseCount('--parallel', parallel) }),
  }
}

function limitsOf({ tokens, cost }: EvalOptions): Limits {
  const money = cost === undefined ? undefined : Number(cost)
  if (money !== undefined && !(cost?.trim() !== '' && money >= 0 && Number.isFinite(money)))
    throw wrongOption('--cost', cost ?? '', 'Write an amount, such as 0.50.')
  return {
    ...(tokens !== undefined && { tokens: parseCount('--tokens', tokens) }),
    ...(money !== undefined && { cost: Math.round(money * 1_000_000) }),
  }
}
