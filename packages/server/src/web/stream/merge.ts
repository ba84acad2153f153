/**
 * Several sources of messages as one.
 *
 * MERGE-1. Of each source one message is held at most, so that a client that does not read keeps no more in memory than its sources are allowed to.
 * MERGE-2. The sources take turns: one that always has something does not keep the others waiting.
 */
import type { Messages, StreamMessage } from './message.ts'

/** A message, and the name of its source. */
export interface Merged {
  readonly source: string
  readonly message: StreamMessage
}

/** What a source has given, and the source itself: another one may have its name by now. */
type Arrived = { readonly name: string; readonly from: Messages } & (
  | { readonly result: IteratorResult<StreamMessage, void> }
  | { readonly error: unknown }
)

/** Sources that can be added and removed while they are read. */
export interface Merge {
  add(source: string, messages: Messages): void
  remove(source: string): void
  /** The next message of any source. Waits while there is none; done when it was closed, or has no source left and `isOpen` is false. */
  next(): Promise<Merged | undefined>
  close(): void
}

interface MergeState {
  readonly sources: Map<string, Messages>
  readonly arrived: Arrived[]
  readonly failed: (error: unknown) => StreamMessage
  isClosed: boolean
  wake: (() => void) | undefined
}

function notify(state: MergeState): void {
  state.wake?.()
  state.wake = undefined
}

/** Asks a source for its next message. */
function ask(state: MergeState, name: string, from: Messages): void {
  const take = (one: Arrived): void => {
    state.arrived.push(one)
    notify(state)
  }
  from.next().then(
    (result) => take({ name, from, result }),
    (error: unknown) => take({ name, from, error }),
  )
}

function end({ sources }: MergeState, name: string): void {
  const messages = sources.get(name)
  sources.delete(name)
  void messages?.return?.()
}

/** The message that has arrived; undefined when there is none in it, or its source was removed. The source is asked for the next one. */
function taken(state: MergeState, one: Arrived): Merged | undefined {
  const { name, from } = one
  if (state.sources.get(name) !== from) return undefined
  const isOver = 'error' in one || one.result.done === true
  if (isOver) state.sources.delete(name)
  else ask(state, name, from)
  if ('error' in one) return { source: name, message: state.failed(one.error) }
  return one.result.done ? undefined : { source: name, message: one.result.value }
}

/** Merges sources. With `isOpen` it goes on when it has no source: others may be added. What a source throws becomes a message of `failed`. */
export function createMerge({ isOpen, failed }: { readonly isOpen: boolean; readonly failed: (error: unknown) => StreamMessage }): Merge {
  const state: MergeState = { sources: new Map(), arrived: [], failed, isClosed: false, wake: undefined }
  return {
    add(source, messages) {
      end(state, source)
      state.sources.set(source, messages)
      ask(state, source, messages)
    },
    remove: (source) => end(state, source),
    async next() {
      while (!state.isClosed) {
        const one = state.arrived.shift()
        const merged = one && taken(state, one)
        if (merged) return merged
        if (one) continue
        if (state.sources.size === 0 && !isOpen) return undefined
        await new Promise<void>((resolve) => {
          state.wake = resolve
        })
      }
      return undefined
    },
    close() {
      state.isClosed = true
      for (const source of [...state.sources.keys()]) end(state, source)
      notify(state)
    },
  }
}
