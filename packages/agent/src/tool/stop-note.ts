import type { ChildResult } from '../types/result.ts'

type StoppedChild = Extract<ChildResult<unknown>, { status: 'stopped' }>

/** The text of a child that stopped, and why it did. */
export function withStopNote(name: string, result: StoppedChild): string {
  return `${result.text}\n(The agent ${name} stopped before it was done: ${stopNote(result)})`.trim()
}

/** Why a child stopped, for the model that called it: it can neither raise limits nor go on with the child's thread. */
function stopNote({ kind, reason }: StoppedChild): string {
  switch (kind) {
    case 'length':
      return 'its reply was cut because it was too long. Ask for less at a time: a new call begins from the start.'
    case 'filtered':
      return 'its reply, or a part of it, was withheld by a filter. Ask in another way, or go on without it.'
    case 'limit':
    case 'budget':
      return 'it has used up what it may use. Ask for less, or go on with what it has found.'
    case 'loop':
      return 'it made the same call again and again. Ask in another way, or go on without it.'
    case 'cancelled':
      return reason
  }
}
