/** The verdict of a tool on its own calls (PERM-4, PERM-18). */
import type { OwnVerdict } from '../permission/judge.ts'
import { isVerdict, leastVerdictIn, type Verdict } from '../permission/policy.ts'
import { callUser, readable } from '../platform/call-user.ts'
import { messageOf, shown } from '../platform/normalize.ts'
import type { ErasedDefinition, PermissionContext } from '../tool/define.ts'

const ownVerdicts: Readonly<Record<Verdict, OwnVerdict>> = { allow: { verdict: 'allow' }, ask: { verdict: 'ask' }, deny: { verdict: 'deny' } }

/** The tool's own verdict on a call with these arguments. A function that throws, or returns what is no verdict, has denied. */
export function ownVerdictOf(
  { permission }: Pick<ErasedDefinition, 'permission'>,
  input: unknown,
  facts: () => PermissionContext,
): OwnVerdict | undefined | Promise<OwnVerdict> {
  if (permission === undefined) return undefined
  if (typeof permission !== 'function') return ownVerdicts[permission]
  try {
    const returned = callUser(() => permission(input, facts()))
    return returned instanceof Promise ? returned.then(toOwnVerdict, failed) : toOwnVerdict(returned)
  } catch (error) {
    return failed(error)
  }
}

function toOwnVerdict(returned: unknown): OwnVerdict {
  try {
    if (isVerdict(returned)) return ownVerdicts[returned]
    const least = leastVerdictIn(returned)
    if (!least) return { verdict: 'deny', reason: `its permission returned ${shown(returned)}, which is no verdict` }
    const { atLeast, reason } = least
    return { verdict: atLeast, isLeast: true, ...(reason !== undefined && { reason }) }
  } catch (error) {
    return failed(readable(error))
  }
}

const failed = (error: unknown): OwnVerdict => ({ verdict: 'deny', reason: `its permission failed: ${messageOf(error)}` })
