/** Which tool a clause asks for. The verb comes first, as in an order: what merely speaks of a tool asks for nothing. */
import type { Token } from './tokens.ts'
import type { ToolView } from './tool-view.ts'
import { fillers, impliedNouns, isSameVerb, lookVerbs, questionWords } from './words.ts'

/** A part of a sentence that asks for one thing. */
export interface Clause {
  readonly source: string
  readonly tokens: readonly Token[]
}

/** A tool that a clause may mean, and the tokens that say so. */
export interface Match {
  readonly tool: ToolView
  readonly said: ReadonlySet<number>
  readonly score: number
}

const lead =
  /^(?:(?:please|kindly|now|just|also|first|next|hi|hello|hey|ok|okay|(?:can|could|would|will) you|i(?:[’']d| would)? (?:want|like|need)(?: you)? to|let[’']?s|help me(?: to)?|请)(?![\w])[\s,，]*)+/i

/** The clauses of a sentence. It is cut at "then", at the end of a sentence, and where "and" or a comma is followed by the verb of a tool. */
export function clausesOf(source: string, tokens: readonly Token[], tools: readonly ToolView[]): readonly Clause[] {
  const clauses: Token[][] = [[]]
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1]
    const isEnd = token.stem === 'then' || (token.kind === 'mark' && /^[.;!?。；！？\n]$/.test(token.text))
    const isJoint =
      (token.stem === 'and' || /^[,，]$/.test(token.text)) &&
      tools.some(({ verb, lead: [told] }) => next?.stem === verb || (next && next.stem === told))
    if (/^[?？]$/.test(token.text) || !(isEnd || isJoint)) clauses.at(-1)?.push(token)
    if (isEnd || isJoint) clauses.push([])
  }
  const isSaid = ({ kind, stem }: Token): boolean => kind !== 'mark' && stem !== 'and'
  return clauses.filter((clause) => clause.some(isSaid)).map((clause) => ({ source, tokens: clause }))
}

/** The tools that fit a clause best: none, one, or several that fit equally. */
export function chooseTool(clause: Clause, tools: readonly ToolView[]): readonly Match[] {
  const matches = tools.flatMap((tool) => matchOf(clause, tool, tools) ?? [])
  const best = Math.max(...matches.map(({ score }) => score))
  return matches.filter(({ score }) => score === best)
}

function matchOf({ source, tokens }: Clause, tool: ToolView, tools: readonly ToolView[]): Match | undefined {
  const begin = tokens[0]?.start ?? 0
  const polite = lead.exec(source.slice(begin))?.[0] ?? ''
  const isQuestion = /^[?？]$/.test(tokens.at(-1)?.text ?? '') && !/you/i.test(polite)
  if (isQuestion && !tool.looks) return undefined
  const skipped = tokens.findIndex(({ start }) => start >= begin + polite.length)
  const first = /^(?:call|use|run)$/i.test(tokens[skipped]?.text ?? '') && tokens[skipped + 1]?.text === tool.name ? skipped + 1 : skipped
  const match = (score: number, ...places: readonly number[]): Match => ({
    tool,
    said: new Set([...tokens.keys()].filter((index) => index < first || places.includes(index))),
    score,
  })
  if (tokens[first]?.text === tool.name && tool.name !== tool.verb) return match(1000, first)
  // A Chinese order may begin with its object.
  const order = (verb: string): number =>
    tokens.findIndex(({ stem, text }, index) => (index === first || /^\p{Script=Han}/u.test(text)) && stem !== '' && isSameVerb(stem, verb))
  const find = (noun: string): number => tokens.findIndex(({ stem }, index) => index !== order(tool.verb) && stem === noun)
  const isImplied = (noun: string): boolean => exact > 0 && tokens.some(({ kind }) => impliedNouns[kind]?.has(noun))
  const verbAt = order(tool.verb)
  const exact = tokens[verbAt]?.stem === tool.verb ? 50 : 0
  const beginning = tokens[first]?.stem ?? ''
  const isAsked = tool.looks && [questionWords, fillers, new Set(tool.nouns)].some((words) => words.has(beginning))
  const isNamed = tool.nouns.length > 0 ? verbAt >= 0 || isAsked : exact > 0
  if (isNamed && tool.nouns.every((noun) => find(noun) >= 0 || isImplied(noun)))
    return match(300 + tool.nouns.length * 10 + exact, verbAt, ...tool.nouns.map(find))
  const [told = '', object = ''] = tool.lead
  const isTold = order(told) >= 0 || (isAsked && lookVerbs.has(told))
  if (isTold && find(object) >= 0) return match(200, order(told), find(object))
  const isOnly = tools.every((other) => other === tool || !isSameVerb(tool.verb, other.verb))
  return exact > 0 && isOnly ? match(100, verbAt) : undefined
}
