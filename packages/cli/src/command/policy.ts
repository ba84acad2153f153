/** loom policy: what a policy says of a call, without a run. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { explainPermission, type Judgement, type Policy, type PolicyCase, testPolicy } from '@loom-agent/agent'
import { LoomError } from '@loom-agent/kernel'
import { styleOf } from '../output/style.ts'
import { visibleLine } from '../output/visible.ts'
import { counted } from '../output/words.ts'
import { exitCodes } from '../platform/exit-codes.ts'
import { parseJson } from '../platform/parse.ts'
import type { Terminal } from '../platform/terminal.ts'
import { writeJson } from './look.ts'

/** The options of `loom policy`. */
export interface PolicyOptions {
  readonly policy: string
  readonly effect?: string
  readonly json?: true
}

function readJson(terminal: Terminal, path: string): unknown {
  try {
    return parseJson(path, readFileSync(resolve(terminal.cwd, path), 'utf8'), 'Correct the file.')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new LoomError('LOOM_OPTION_INVALID', `There is no file ${path}. Check its name.`, { cause: error, context: { file: path } })
    throw error
  }
}

/** Says which rules decide about a call. */
export async function explainPolicy(
  terminal: Terminal,
  call: { readonly tool: string; readonly input: string | undefined },
  options: PolicyOptions,
): Promise<void> {
  const policy = readJson(terminal, options.policy) as Policy
  const input = call.input === undefined ? {} : parseJson('the arguments', call.input)
  const imagined = { tool: call.tool, input, ...(options.effect !== undefined && { effect: options.effect }) }
  const judged = await explainPermission(policy, imagined as Parameters<typeof explainPermission>[1])
  if (options.json) return writeJson(terminal, judged)
  terminal.out(`${judgementWords(judged, terminal)}\n`)
}

function judgementWords({ verdict, decidedBy, reason }: Judgement, terminal: Terminal): string {
  const look = verdict === 'allow' ? 'green' : verdict === 'ask' ? 'yellow' : 'red'
  return visibleLineOf([
    styleOf(terminal)(look, verdict),
    `by ${decidedBy.map(visibleLine).join(', ')}`,
    ...(reason === undefined ? [] : [visibleLine(reason)]),
  ])
}

const visibleLineOf = (parts: readonly string[]): string => parts.join('  ')

/** Judges the cases of a file; returns the exit code. */
export async function testPolicyCases(terminal: Terminal, cases: string, options: PolicyOptions): Promise<number> {
  const policy = readJson(terminal, options.policy) as Policy
  const given = readJson(terminal, cases)
  if (!Array.isArray(given))
    throw new LoomError('LOOM_OPTION_INVALID', `${cases} holds no list of cases. Write [{ "tool": "...", "input": {}, "expect": "deny" }].`, {
      context: { file: cases },
    })
  const wrong = await testPolicy(policy, given as readonly PolicyCase[])
  if (options.json) writeJson(terminal, wrong)
  else for (const one of wrong) terminal.out(`${visibleLine(JSON.stringify(one))}\n`)
  terminal.err(
    wrong.length === 0
      ? `${counted(given.length, 'case')}, each as expected.\n`
      : `${wrong.length} of ${counted(given.length, 'case')} have another verdict than expected.\n`,
  )
  return wrong.length === 0 ? exitCodes.done : exitCodes.checkFailed
}
