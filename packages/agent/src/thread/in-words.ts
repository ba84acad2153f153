/** What `decide` asks about a run, and why it stops one, in words for people. */
import { at, type Draft, type Frame, type Reached, type Run, type StopCause } from '@loom-agent/kernel'
import { hookPoints } from '../hook/points.ts'
import { limitReason, ungrantedReason } from '../model/limit-words.ts'
import { toSentence } from '../platform/normalize.ts'

/** The question of an effect that asks. A fork that may spend nothing yet asks for a budget, whatever limit it has reached. */
export function questionAbout({ asked, takeovers, run }: Frame, about: Reached | 'parked'): Draft {
  if (about === 'parked') {
    const prompt = `${takeovers} drivers took this thread in a row and none got further. Go on?`
    return { type: 'question.asked', data: { id: `run:parked#${asked + 1}`, kind: 'parked', prompt } }
  }
  const isUngranted = run?.ungranted !== undefined
  const prompt = isUngranted ? ungrantedReason(about) : limitReason(about, true)
  return { type: 'question.asked', data: { id: `run:limit#${asked + 1}`, kind: 'limit', prompt, key: isUngranted ? 'budget' : about.limit } }
}

/** The end of a run that `decide` stops, and what was in flight when its time was used up. */
export function stopFor(frame: Frame, cause: StopCause, interrupted: readonly string[] = []): Draft {
  const { kind, ...figures } = cause
  return { type: 'run.stopped', data: { kind, reason: reasonOf(frame, cause, interrupted), ...figures } }
}

function reasonOf(frame: Frame, cause: StopCause, interrupted: readonly string[]): string {
  const { repeated, ungranted } = frame.run as Run
  switch (cause.kind) {
    case 'limit':
      return limitReason(cause, false, interrupted.length > 0 ? ` while ${interrupted.map(inWords).join(' and ')}` : '')
    case 'budget':
      return ungranted ? ungrantedReason(cause) : limitReason(cause, false)
    case 'loop':
      return `The tool ${repeated?.tool} was called ${cause.used} times with the same arguments and the same result. Change the instructions or the tool.`
    case 'length':
      return 'The reply was cut before it was complete. Raise settings.maxOutputTokens, or ask for less at a time.'
    case 'filtered':
      return filteredBy(frame)
  }
}

/** Whose filter it was: a guard of the agent has left its words with the reply. */
function filteredBy({ history }: Frame): string {
  const block = at(history, history.length - 1)?.reply?.warnings?.find(({ type }) => type === 'guard-block')
  const advice = 'Change the instructions or the input, and run the thread again.'
  if (!block) return `The provider's filter withheld the reply or a part of it. ${advice}`
  return `The guard ${block.feature ?? ''} blocked the reply: ${toSentence(block.message ?? '')} ${advice}`
}

const stepWords: { readonly [name: string]: string } = {
  model: 'the model was asked',
  resolve: 'deps, instructions, tools or the model were resolved',
  assemble: 'the context was assembled',
}

/** What `interruptedBy` returns, in words that follow "while". */
function inWords(name: string): string {
  const hook = hookPoints.find((point) => point === name) ?? (name.startsWith('after ') ? 'afterToolExecution' : undefined)
  return hook ? `a hook of ${hook} ran` : (stepWords[name] ?? `${name} was under way`)
}
