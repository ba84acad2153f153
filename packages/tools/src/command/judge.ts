/**
 * Judging a command by patterns and by a rule for paths.
 *
 * COMMAND-7. `allow` needs everything allowed: every command, every wrapper that gives other rights, every redirection. One denied part denies all of it,
 *     and what is unknown is at best asked about.
 */

import type { PathRequest } from './parse.ts'
import { allowsCommand, type CommandPattern, commandPattern, mayBeCommand, mayBeInWords } from './pattern.ts'
import { type CommandRequest, type CommandRequests, requestsOf } from './requests.ts'
import { hasUnsafeOption } from './unsafe-options.ts'

/** Which commands are allowed and denied. */
export interface CommandRules {
  /** Patterns of commands that may run. */
  readonly allow?: readonly string[]
  /** Patterns of commands that may not. */
  readonly deny?: readonly string[]
  /** The verdict on a file of a redirection; default: `ask`. */
  readonly path?: (request: PathRequest) => 'allow' | 'ask' | 'deny'
}

/** The verdict on a command, and why. */
export interface CommandJudgement {
  /** Whether the command may run. */
  readonly verdict: 'allow' | 'ask' | 'deny'
  /** The part of the command that decided, and why. */
  readonly reason: string
}

/**
 * Judges a command: the strictest verdict on any part of it.
 *
 * @example
 * judgeCommand('git log && git push', { allow: ['git log *'], deny: ['git push *'] })
 */
export function judgeCommand(command: string, { allow = [], deny = [], path = () => 'ask' }: CommandRules): CommandJudgement {
  const requests = requestsOf(command)
  const denied = denial(requests, deny.map(commandPattern))
  if (denied !== undefined) return { verdict: 'deny', reason: denied }
  const judged = requests.paths.map((request) => ({ request, verdict: path(request) }))
  for (const verdict of ['deny', 'ask'] as const) {
    const found = judged.find((one) => one.verdict === verdict)
    if (found) return { verdict, reason: `It would ${found.request.access} ${found.request.path}.` }
  }
  if (requests.unknown !== undefined) return { verdict: 'ask', reason: `It is not known what it does: it has ${requests.unknown}.` }
  const open = notAllowed(requests.commands, allow.map(commandPattern))
  if (open) return { verdict: 'ask', reason: `No rule allows ${open.argv.join(' ')}.` }
  return { verdict: 'allow', reason: 'Every part of it is allowed.' }
}

function denial({ commands, words }: CommandRequests, patterns: readonly CommandPattern[]): string | undefined {
  for (const pattern of patterns) {
    const text = `${pattern.words.join(' ')}${pattern.isOpen ? ' *' : ''}`.trim()
    const found = commands.find((command) => mayBeCommand(pattern, command))
    if (found) return `${found.argv.join(' ')} meets the rule ${text}.`
    if (mayBeInWords(pattern, words) && words.length > 0) return `It is not understood, and has the words of the rule ${text}.`
  }
  return undefined
}

/** The first command that no pattern allows. */
export function notAllowed(commands: readonly CommandRequest[], patterns: readonly CommandPattern[]): CommandRequest | undefined {
  return commands.find((command) => command.wraps !== 'plain' && !patterns.some((pattern) => covers(pattern, command, commands)))
}

/** Whether a pattern allows a command: it names the command itself, or names it as a part of one that runs it. */
export function covers(pattern: CommandPattern, command: CommandRequest, commands: readonly CommandRequest[]): boolean {
  let offset = 0
  for (let current: CommandRequest | undefined = command; current; ) {
    const named = pattern.words.length - offset
    const isNamed = offset === 0 || !pattern.isOpen || (named > 0 && !hasUnsafeOption(command.argv, named))
    if (isNamed && allowsCommand(pattern, current)) return true
    offset += current.at ?? Number.POSITIVE_INFINITY
    current = current.within === undefined ? undefined : commands[current.within]
  }
  return false
}
