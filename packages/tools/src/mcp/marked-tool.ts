/** Tools of servers whose arguments the program has marked by kind: what the server says of them is a claim, what the program says is not. */
import type { LeastVerdict, TaintLabel, ToolTaint, Verdict } from '@loom-agent/agent'
import type { EffectClass } from '@loom-agent/kernel'
import { type MarkedArguments, markedArguments } from '../arguments/marked-arguments.ts'
import { isProgram, type McpServer } from './options.ts'

/** What the program says of the arguments of a tool; undefined where it says nothing. */
export function markedBy(server: McpServer, tool: string, effect: EffectClass): MarkedArguments | undefined {
  const { kinds: byTool = {}, root = isProgram(server) ? server.cwd : undefined } = server
  const kinds = Object.hasOwn(byTool, tool) ? byTool[tool] : undefined
  if (!kinds) return undefined
  const isHarmless = effect === 'pure' || effect === 'read'
  return markedArguments({ kinds, ...(root !== undefined && { root }), ...(isHarmless && { reads: Object.keys(kinds) }) })
}

/** How a tool is judged without its arguments. */
interface Unmarked {
  readonly brings: TaintLabel
  readonly sends: boolean
  readonly verdict: (input: object) => Promise<Verdict | LeastVerdict>
}

/** What a definition says of how its calls are judged. */
interface Judged {
  readonly matcher?: MarkedArguments['matcher']
  readonly permission: (input: object) => Promise<Verdict | LeastVerdict>
  readonly taint: ToolTaint<object>
}

/** How a tool is judged: as every tool of its server, and by its marked arguments. */
export function judgedBy(marked: MarkedArguments | undefined, { brings, sends, verdict }: Unmarked): Judged {
  if (!marked) return { taint: { brings, sends }, permission: verdict }
  const { matcher, permission, taint } = marked
  return {
    matcher,
    permission: async (input) => stricter(await verdict(input), permission(input)),
    taint: { brings: (input) => [brings, ...labelsOf(taint.brings, input)], sends: (input) => sends || isTrue(taint.sends, input) },
  }
}

const labelsOf = (brings: ToolTaint<object>['brings'], input: object): readonly TaintLabel[] =>
  [typeof brings === 'function' ? brings(input) : brings].flat().flatMap((label) => label ?? [])

const isTrue = (sends: ToolTaint<object>['sends'], input: object): boolean => (typeof sends === 'function' ? sends(input) : sends === true)

/** What the server's tools meet, and no less than what their marked arguments demand. */
function stricter(first: Verdict | LeastVerdict, second: Verdict | LeastVerdict): Verdict | LeastVerdict {
  if (typeof second === 'string' || second.atLeast === 'allow') return first
  if (typeof first === 'string') return first === 'deny' ? first : second
  const reasons = [first.reason, second.reason].filter((reason) => reason !== undefined)
  const atLeast = first.atLeast === 'deny' || second.atLeast === 'deny' ? 'deny' : 'ask'
  return { atLeast, reason: reasons.join('; ') }
}
