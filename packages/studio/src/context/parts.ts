/** What a request was made of: its tokens by zone, and how it differs from the request before. */
import type { ContextPart, Explanation, PartKind } from './facts.ts'

/** A zone of a request. */
export interface Zone {
  readonly kind: PartKind
  readonly tokens: number
  /** Its share of all tokens, from 0 to 1. */
  readonly share: number
}

/** The zones of a request, as they follow each other. */
export function zonesOf({ tokens }: Pick<Explanation, 'tokens'>): readonly Zone[] {
  const kinds = Object.entries(tokens.by) as readonly (readonly [PartKind, number])[]
  const sum = kinds.reduce((total, [, count]) => total + count, 0)
  return kinds.filter(([, count]) => count > 0).map(([kind, count]) => ({ kind, tokens: count, share: count / sum }))
}

/** A part that is shown otherwise than in the request before. */
export interface PartChange {
  readonly kind: 'added' | 'gone' | 'changed'
  readonly part: ContextPart
  /** Tokens before and after. */
  readonly before: number
  readonly after: number
  /** What became of it before; absent for what was not there. */
  readonly was: ContextPart['fate']['as'] | undefined
}

const nameOf = ({ kind, entry, name, text }: ContextPart): string => `${kind} ${entry ?? name ?? text}`
const isSent = ({ fate, tokens }: ContextPart): boolean => fate.as === 'verbatim' || fate.as === 'trimmed' || tokens > 0

/** What the second request has and the first has not, and the other way round. */
export function changesBetween(before: Pick<Explanation, 'parts'>, after: Pick<Explanation, 'parts'>): readonly PartChange[] {
  const first = new Map(before.parts.map((part) => [nameOf(part), part]))
  const changes: PartChange[] = []
  for (const part of after.parts) {
    const old = first.get(nameOf(part))
    first.delete(nameOf(part))
    const was = old?.fate.as
    const change = { part, before: old?.tokens ?? 0, after: part.tokens, was }
    const sent = [old !== undefined && isSent(old), isSent(part)]
    if (sent[0] !== sent[1]) changes.push({ kind: sent[1] ? 'added' : 'gone', ...change })
    else if (sent[1] && (was !== part.fate.as || old?.text !== part.text)) changes.push({ kind: 'changed', ...change })
  }
  for (const part of first.values()) if (isSent(part)) changes.push({ kind: 'gone', part, before: part.tokens, after: 0, was: part.fate.as })
  return changes
}

/** The tokens of some entries in a request, and the tokens that they would take whole. */
export function tokensOf({ parts }: Pick<Explanation, 'parts'>, row: { readonly from: number; readonly to: number }): readonly [number, number] {
  const own = parts.filter(({ entry }) => entry !== undefined && entry >= row.from && entry <= row.to)
  return [own.reduce((sum, { tokens }) => sum + tokens, 0), own.reduce((sum, { size }) => sum + size, 0)]
}
