/** What is to be done about a sentence: something to say, calls in their order, or the reason why nothing is done. */
import { type Calculation, calculationIn } from './arithmetic.ts'
import { fill } from './filling.ts'
import { tokensOf } from './tokens.ts'
import { chooseTool, clausesOf } from './tool-choice.ts'
import type { ToolView } from './tool-view.ts'

/** A call that is to be made. */
export interface Step {
  readonly tool: ToolView
  readonly input: Readonly<Record<string, unknown>>
}

/** What is to be done. */
export interface Plan {
  readonly say?: string
  readonly steps?: readonly Step[]
  /** Why nothing is done. */
  readonly problem?: string
}

const longest = 2000

/** The plan for a sentence. Nothing is begun that is not understood to its end. */
export function planFor(sentence: string, tools: readonly ToolView[]): Plan {
  const calculation = calculationIn(sentence)
  if (calculation) return planCalculation(calculation, tools)
  const tokens = tokensOf(sentence)
  const size = tokens.reduce((sum, { kind, text }) => sum + (kind === 'quote' ? 0 : text.length), 0)
  if (size > longest) return { problem: `The rules read at most ${longest} characters beside quotations, and this has ${size}.` }
  const steps: Step[] = []
  for (const clause of clausesOf(sentence, tokens, tools)) {
    const matches = chooseTool(clause, tools)
    const names = matches.map(({ tool }) => tool.name)
    const [match] = matches
    const said = sentence.slice(clause.tokens[0]?.start, clause.tokens.at(-1)?.end).slice(0, 200).toWellFormed()
    if (!match) return { problem: `I found no tool for "${said}".` }
    if (matches.length > 1) return { problem: `"${said}" fits ${names.join(' and ')} equally. Name one of them.` }
    const filled = fill(clause, match)
    if (filled.kind === 'missing') return { problem: `I still need ${filled.names.join(', ')} to call ${names[0]}.` }
    if (filled.kind === 'unclear') return { problem: `For ${names[0]} I do not understand "${filled.words}".` }
    steps.push({ tool: match.tool, input: filled.input })
  }
  return { steps }
}

/** A calculation by the one tool that takes an expression, else by the rules themselves. */
function planCalculation({ expression, result }: Calculation, tools: readonly ToolView[]): Plan {
  const steps = tools.flatMap((tool): readonly Step[] => {
    const [arg, ...others] = tool.args.filter(({ required }) => required)
    const isCalculator = arg && others.length === 0 && /^(?:expression|formula|calculation)$/.test(arg.name)
    return isCalculator ? [{ tool, input: { [arg.name]: expression } }] : []
  })
  return steps.length === 1 ? { steps } : { say: result }
}
