/** Plans the response to a sentence: something to say, calls in their order, or the reason why nothing is done. */
import { calculationIn } from './arithmetic.ts'
import { fill } from './filling.ts'
import { tokensOf } from './tokens.ts'
import { chooseTool, clausesOf } from './tool-choice.ts'
import type { ToolView } from './tool-view.ts'

/** A call that is to be made. */
export interface Step {
  readonly tool: ToolView
  readonly input: Readonly<Record<string, unknown>>
}

/** The response to a sentence, or the problem that prevents one. */
export type Plan = { readonly say?: string; readonly steps?: readonly Step[]; readonly problem?: string }

const longest = 2000

/** The plan for a sentence. No call is made unless the whole sentence is understood. */
export function planFor(sentence: string, tools: readonly ToolView[]): Plan {
  const written = writtenCall(sentence, tools)
  if (written) return { steps: [written] }
  const calculation = calculationIn(sentence)
  const calculators = calculation ? calculationSteps(calculation.expression, tools) : []
  if (calculation) return calculators.length === 1 ? { steps: calculators } : { say: calculation.result }
  const tokens = tokensOf(sentence)
  const size = tokens.reduce((sum, { kind, text }) => sum + (kind === 'quote' ? 0 : text.length), 0)
  if (size > longest) return { problem: `The rules read at most ${longest} characters beside quotations, and this has ${size}.` }
  const steps: Step[] = []
  for (const clause of clausesOf(sentence, tokens, tools)) {
    const matches = chooseTool(clause, tools)
    const [match] = matches
    const said = sentence.slice(clause.tokens[0]?.start, clause.tokens.at(-1)?.end).slice(0, 200).toWellFormed()
    if (!match) return { problem: `I found no tool for "${said}".` }
    if (matches.length > 1) return { problem: `"${said}" fits ${matches.map(({ tool }) => tool.name).join(' and ')} equally. Name one of them.` }
    const input = fill(clause, match)
    if (typeof input === 'string') return { problem: input }
    steps.push({ tool: match.tool, input })
  }
  return { steps }
}

/** `get_weather {"city": "Paris"}`. */
function writtenCall(sentence: string, tools: readonly ToolView[]): Step | undefined {
  const [, name, json = ''] = /^(?:(?:call|use|run)\s+)?([\w-]+)[\s:]*(\{.*\})\s*$/s.exec(sentence) ?? []
  const tool = tools.find((each) => each.name === name)
  try {
    return tool && { tool, input: JSON.parse(json) as Step['input'] }
  } catch {
    return undefined
  }
}

/** The calculation by each tool that takes an expression and needs nothing else. */
const calculationSteps = (expression: string, tools: readonly ToolView[]): readonly Step[] =>
  tools.flatMap((tool) => {
    const [arg, ...others] = tool.args.filter(({ required }) => required)
    return arg && others.length === 0 && /^(?:expression|formula|calculation)$/.test(arg.name) ? [{ tool, input: { [arg.name]: expression } }] : []
  })
