/** loom fork, loom replay: another way from an earlier moment, and the same way under the code of today. */
import { type Edit, type ForkPlan, renderReplay } from '@loom-agent/agent'
import { agentsFor } from '../coder/built-in.ts'
import { visible, visibleLine } from '../output/visible.ts'
import { costWords, counted, tokenWords } from '../output/words.ts'
import { exitCodes } from '../platform/exit-codes.ts'
import { wrongOption } from '../platform/parse.ts'
import type { Terminal } from '../platform/terminal.ts'
import { ownerOf } from '../project/owner.ts'
import { threadAt } from '../thread/moment.ts'
import { type DriveOptions, driving, follow } from './drive.ts'
import { momentOf, writeJson } from './look.ts'

/** The options of `loom fork`. */
export interface ForkOptions extends DriveOptions {
  readonly input?: string
  readonly instructions?: string
  readonly model?: string
  readonly effects: string
  readonly plan?: true
}

const effects = ['live', 'recorded', 'stub', 'ask'] as const

/** Forks a thread at a moment: says what that comes to, makes the fork, and drives it; returns the exit code. */
export async function fork(terminal: Terminal, at: string, options: ForkOptions): Promise<number> {
  const chosen = effects.find((one) => one === options.effects)
  if (!chosen) throw wrongOption('--effects', options.effects, `It is one of ${effects.join(', ')}.`)
  const owner = await ownerOf((await agentsFor(terminal, { ...options, absent: 'refused' })).agents, threadAt(at).thread)
  return driving(owner, async () => {
    const moment = await momentOf(owner.journal, at)
    const given = { edit: editsOf(options), effects: chosen }
    const plan = await owner.planFork(moment, given)
    if (options.plan && options.json) writeJson(terminal, plan)
    else (options.plan ? terminal.out : terminal.err)(`${planLines(plan).map(visibleLine).join('\n')}\n`)
    if (options.plan) return exitCodes.done
    return follow(terminal, (await owner.fork(moment, given)).resume(), options)
  })
}

function editsOf({ input, instructions, model }: ForkOptions): readonly Edit[] {
  return [
    ...(input === undefined ? [] : [{ kind: 'input' as const, input }]),
    ...(instructions === undefined ? [] : [{ kind: 'instructions' as const, text: instructions }]),
    ...(model === undefined ? [] : [{ kind: 'model' as const, model }]),
  ]
}

function planLines({ from, reused, estimate, calls, unsafe }: ForkPlan): readonly string[] {
  const cost = (amount: number | undefined): string => (amount === undefined ? 'at an unknown price' : `for ${costWords(amount)}`)
  const risky = new Set(unsafe.map(({ call }) => call))
  return [
    `fork of ${from}`,
    `reused: ${counted(reused.events, 'event')}, ${counted(reused.turns, 'turn')}, ${tokenWords(reused.tokens)} tokens ${cost(reused.cost)} are not spent again`,
    `to come, if it goes as before: ${counted(estimate.turns, 'turn')}, ${tokenWords(estimate.tokens)} tokens ${cost(estimate.cost)}`,
    ...calls.map(
      ({ call, tool, effect, fate }) =>
        `call ${call} ${tool}, ${effect}: ${fate}${risky.has(call) ? ', and changes the world without a question' : ''}`,
    ),
  ]
}

/** The options of `loom replay`. */
export interface ReplayOptions extends DriveOptions {
  readonly markdown?: true
}

/** Says what a thread would have sent to the model under the code of today, without asking a model; returns the exit code. */
export async function replay(terminal: Terminal, thread: string, options: ReplayOptions): Promise<number> {
  const owner = await ownerOf((await agentsFor(terminal, { ...options, absent: 'refused' })).agents, thread)
  return driving(owner, async () => {
    const { fork: _fork, driveFork: _driveFork, ...report } = await owner.replay(thread)
    if (options.json) writeJson(terminal, report)
    else terminal.out(`${visible(renderReplay(report, options.markdown ? { format: 'markdown' } : {}))}\n`)
    return report.divergence ? exitCodes.checkFailed : exitCodes.done
  })
}
