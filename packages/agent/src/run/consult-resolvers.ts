/** Which questions are passed to which resolvers of this process. */
import type { Frame } from '@loom-agent/kernel'
import { questionsOf } from '../question/questions.ts'
import { type AskedResolver, runKey } from '../thread/runtime.ts'
import type { Question } from '../types/question.ts'
import { resolversOfCallers } from './child-instance.ts'
import type { RunFollower } from './follower-state.ts'

/** Passes a question to resolvers that have not seen it, then goes on with the run. */
type Pass = (follower: RunFollower, resolvers: readonly AskedResolver[], question: Question) => void

/** The resolver that a caller gave is asked about the questions of the run's children too, as long as the caller waits (RESOLVE-2). */
export function offerResolver({ instance, request, resolver, run }: RunFollower, { incarnation }: Frame): () => void {
  if (!resolver || !request.options.onQuestion || run === undefined) return () => {}
  const { resolvers } = instance.runtime
  const key = runKey(incarnation, run)
  const offered = resolvers.get(key) ?? new Set()
  resolvers.set(key, offered.add(resolver))
  return () => {
    offered.delete(resolver)
    if (offered.size === 0 && resolvers.get(key) === offered) resolvers.delete(key)
  }
}

/** Passes the new questions of a frame to the resolvers of this process. */
export function consultResolvers(follower: RunFollower, frame: Frame, pass: Pass): void {
  const ofCallers = resolversOfCallers(follower.instance)
  const resolvers = ofCallers.length > 0 ? ofCallers : follower.resolver ? [follower.resolver] : []
  for (const question of resolvers.length > 0 ? questionsOf(frame) : []) {
    const toAsk = resolvers.filter(({ asked }) => !asked.has(question.id))
    for (const { asked } of toAsk) asked.add(question.id)
    if (toAsk.length > 0) pass(follower, toAsk, question)
  }
}

/**
 * Passes questions of children that the caller's resolver has not seen to it: the children had asked before it was there, or are driven elsewhere. Returns
 * whether there are any.
 */
export function consultAboutChildren(follower: RunFollower, questions: readonly Question[], pass: Pass): boolean {
  const { resolver, request, settlement } = follower
  const unseen = resolver && request.options.onQuestion ? questions.filter(({ id }) => !resolver.asked.has(id)) : []
  if (!resolver || unseen.length === 0 || !settlement.reopen()) return false
  for (const question of unseen) {
    resolver.asked.add(question.id)
    pass(follower, [resolver], question)
  }
  return true
}
