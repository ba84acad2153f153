/** Which questions are passed to which resolvers of this process. */
import type { Frame } from '@loom-agent/kernel'
import { questionsOf } from '../question/questions.ts'
import { type AskedResolver, runKey } from '../thread/runtime.ts'
import type { Question } from '../types/question.ts'
import { resolverAt, resolversOfCallers } from './child-instance.ts'
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
  if (ofCallers.length === 0 && !follower.resolver) return
  for (const question of questionsOf(frame)) {
    const toAsk = (ofCallers.length > 0 ? ofCallers : ofAgents(follower, question)).filter(({ asked }) => !asked.has(question.id))
    for (const { asked } of toAsk) asked.add(question.id)
    if (toAsk.length > 0) pass(follower, toAsk, question)
  }
}

/** The resolver of the agent that asks (RESOLVE-5). That of a caller is asked about everything. */
function ofAgents({ instance, request, resolver }: RunFollower, { above = 0 }: Question): readonly AskedResolver[] {
  if (!resolver) return []
  if (above === 0 || request.options.onQuestion) return [resolver]
  const asking = resolverAt(instance, above)
  if (!asking) return []
  const own = resolver
  return [
    {
      resolver: asking,
      asked: own.asked,
      get unanswered() {
        return own.unanswered
      },
      set unanswered(why) {
        own.unanswered = why
      },
    },
  ]
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
