/** Chooses the tool that a clause asks for. The verb comes first, as in an order: a clause that only mentions a tool asks for nothing. */
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
      tools.some(({ verb, lead: [leadVerb] }) => next?.stem === verb || (next && next.stem === leadVerb))
    if (/^[?？]$/.test(token.text) || !(isEnd || isJoint)) clauses.at(-1)?.push(token)
    if (isEnd || isJoint) clauses.push([])
  }
  const isSaid = ({ kind, stem }: Token): boolean => kind !== 'mark' && stem !== 'and'
  return clauses.filter((clause) => clause.some(isSaid)).map((clause) => ({ source, tokens: clause }))
}

/** The tools that fit a clause best: none, one, or several that fit equally. */
export function chooseTool(clause: Clause, tools: readonly ToolView[]): readonly Match[] {
  const { first, isQuestion } = openingOf(clause, tools)
  const matches = tools.flatMap((tool) => {
    const [score, ...places] = (isQuestion && !tool.looks ? undefined : scoreOf(clause.tokens, first, { tool, tools })) ?? [0]
    const said = [...clause.tokens.keys()].filter((index) => index < first || places.includes(index))
    return score > 0 ? [{ tool, said: new Set(said), score }] : []
  })
  const best = Math.max(...matches.map(({ score }) => score))
  return matches.filter(({ score }) => score === best)
}

/** The first token after polite words, and whether the clause is a question and not a polite order. */
function openingOf({ source, tokens }: Clause, tools: readonly ToolView[]): { readonly first: number; readonly isQuestion: boolean } {
  const begin = tokens[0]?.start ?? 0
  const polite = lead.exec(source.slice(begin))?.[0] ?? ''
  const first = tokens.findIndex(({ start }) => start >= begin + polite.length)
  const isSpelled = /^(?:call|use|run)$/i.test(tokens[first]?.text ?? '') && tools.some(({ name }) => name === tokens[first + 1]?.text)
  return { first: isSpelled ? first + 1 : first, isQuestion: /^[?？]$/.test(tokens.at(-1)?.text ?? '') && !/you/i.test(polite) }
}

type Score = readonly [score: number, ...places: number[]]

/** How well a tool fits, and the tokens that say so: by its own name, by verb and nouns, by its description, or as the only one with the verb. */
function scoreOf(tokens: readonly Token[], first: number, { tool, tools }: { tool: ToolView; tools: readonly ToolView[] }): Score | undefined {
  if (tokens[first]?.text === tool.name && tool.name !== tool.verb) return [1000, first]
  // A Chinese order may begin with its object.
  const isOrder = ({ stem, text }: Token, index: number): boolean => stem !== '' && (index === first || /^\p{Script=Han}/u.test(text))
  const order = (verb: string): number => tokens.findIndex((token, index) => isOrder(token, index) && isSameVerb(token.stem, verb))
  const verbAt = order(tool.verb)
  const isExact = tokens[verbAt]?.stem === tool.verb
  const find = (noun: string): number => tokens.findIndex(({ stem }, index) => index !== verbAt && stem === noun)
  const isImplied = (noun: string): boolean => isExact && tokens.some(({ kind }) => impliedNouns[kind]?.has(noun))
  const isAsked = tool.looks && [questionWords, fillers, new Set(tool.nouns)].some((words) => words.has(tokens[first]?.stem ?? ''))
  const isCalled = tool.nouns.length > 0 ? verbAt >= 0 || isAsked : isExact
  const isNamed = isCalled && tool.nouns.every((noun) => find(noun) >= 0 || isImplied(noun))
  if (isNamed) return [300 + tool.nouns.length * 10 + (isExact ? 50 : 0), verbAt, ...tool.nouns.map(find)]
  const [leadVerb = '', object = ''] = tool.lead
  const isDescribed = order(leadVerb) >= 0 || (isAsked && lookVerbs.has(leadVerb))
  if (isDescribed && find(object) >= 0) return [200, order(leadVerb), find(object)]
  const isOnly = tools.every((other) => other === tool || !isSameVerb(tool.verb, other.verb))
  return isExact && isOnly ? [100, verbAt] : undefined
}
