/** Rulings: made of a rule or a default, and joined to the strictest. */
import type { CompiledRule } from './compile-policy.ts'
import type { Judgement, Ruling, Verdict } from './policy.ts'

const strictness: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 }

/** The ruling of a default: nothing is recorded of a call that it allows. */
export function rulingOfDefault(verdict: Verdict, id: string): Ruling {
  return { judgement: { verdict, decidedBy: [id] }, basis: [`${id} ${verdict}`], allowedBy: '' }
}

/** The ruling of a rule that matches. */
export function rulingOfRule({ verdict, id, reason, approvers = 1, expires, content }: CompiledRule): Ruling {
  const judgement: Judgement = {
    verdict,
    decidedBy: [id],
    ...(reason !== undefined && { reason }),
    ...(approvers > 1 && { approvers }),
    ...(expires !== undefined && { expires }),
  }
  return rulingOf(judgement, [content])
}

/** A ruling of the verdict and its grounds. */
export function rulingOf(judgement: Judgement, basis: readonly string[]): Ruling {
  return { judgement, basis, allowedBy: judgement.decidedBy.join(', ') }
}

/** The strictest of several rulings. Those that agree with it decide together: most approvers, shortest time, all reasons. */
export function strictestOf(rulings: readonly Ruling[]): Ruling {
  const verdict = rulings.map(({ judgement }) => judgement.verdict).reduce((a, b) => (strictness[b] > strictness[a] ? b : a))
  const deciding = rulings.filter(({ judgement }) => judgement.verdict === verdict)
  const [only] = deciding
  if (only && deciding.length === 1) return only
  const judgements = deciding.map(({ judgement }) => judgement)
  const reasons = new Set(judgements.flatMap(({ reason }) => reason ?? []))
  const approvers = Math.max(...judgements.map((judgement) => judgement.approvers ?? 1))
  const expires = Math.min(...judgements.map((judgement) => judgement.expires ?? Number.POSITIVE_INFINITY))
  const judgement: Judgement = {
    verdict,
    decidedBy: [...new Set(judgements.flatMap(({ decidedBy }) => decidedBy))],
    ...(reasons.size > 0 && { reason: [...reasons].join('; ') }),
    ...(approvers > 1 && { approvers }),
    ...(Number.isFinite(expires) && { expires }),
  }
  return {
    judgement,
    basis: [...new Set(deciding.flatMap(({ basis }) => basis))],
    allowedBy: [...new Set(deciding.flatMap(({ allowedBy }) => (allowedBy === '' ? [] : [allowedBy])))].join(', '),
  }
}

/** The strictest of the rulings of an agent and of its ancestors, and whose it is. */
export function withLevel(rulings: readonly Ruling[]): Ruling {
  const ruling = strictestOf(rulings)
  return { ...ruling, level: rulings.findLastIndex(({ judgement }) => judgement.verdict === ruling.judgement.verdict) }
}

/** Notes the verdict of policies in shadow mode on a call that runs. */
export function withShadows(ruling: Ruling, shadows: readonly Ruling[]): Ruling {
  const other = shadows.find(({ judgement }) => judgement.verdict !== 'allow')?.judgement
  return other ? { ...ruling, allowedBy: `shadow ${other.verdict} by ${other.decidedBy.join(', ')}` } : ruling
}
