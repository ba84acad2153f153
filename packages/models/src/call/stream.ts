/** The streams of models, and how to map and watch them. */
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@loom-agent/agent/language-model'

/** What a model streams. */
export type Part = LanguageModelV4StreamPart
/** The stream of a model. */
export type Parts = ReadableStream<Part>

/** How a call ended. `cancelled` means that the reader cancelled the stream, which says nothing about the model. */
export type Ending =
  | { readonly kind: 'finished'; readonly usage: LanguageModelV4Usage }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'cancelled' }

/** A stream of the parts that `next` returns, one at a time. Nothing is read ahead of the reader. */
export function pullStream(source: { readonly next: () => Promise<Part | undefined>; readonly cancel: () => void }): Parts {
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        const part = await source.next()
        if (part === undefined) controller.close()
        else controller.enqueue(part)
      },
      cancel: () => source.cancel(),
    },
    { highWaterMark: 0 },
  )
}

/** The next part; undefined at the end. */
export function nextOf(reader: ReadableStreamDefaultReader<Part>): Promise<Part | undefined> {
  return reader.read().then(({ done, value }) => (done ? undefined : value))
}

/** A list as a stream. */
export function streamOf(parts: readonly Part[]): Parts {
  let index = 0
  return pullStream({ next: async () => parts[index++], cancel: () => {} })
}

/** The stream with the parts that `map` returns for each part. */
export function mapped(stream: Parts, map: (part: Part) => readonly Part[]): Parts {
  const reader = stream.getReader()
  const ready: Part[] = []
  const next = async (): Promise<Part | undefined> => {
    while (ready.length === 0) {
      const part = await nextOf(reader)
      if (part === undefined) return undefined
      ready.push(...map(part))
    }
    return ready.shift()
  }
  return pullStream({ next, cancel: () => drop(reader) })
}

/** Cancels a stream that has no reader any more. */
export function drop(reader: ReadableStreamDefaultReader<Part>): void {
  void reader.cancel().catch(() => {})
}

/** The same stream; `ended` is called once with how it ended. */
export function watch(stream: Parts, ended: (ending: Ending) => void): Parts {
  const reader = stream.getReader()
  let isOver = false
  const end = (ending: Ending): void => {
    if (isOver) return
    isOver = true
    ended(ending)
  }
  return pullStream({
    async next() {
      try {
        const part = await nextOf(reader)
        const ending = part === undefined ? cutOff() : endingOf(part)
        if (ending) end(ending)
        return part
      } catch (error) {
        end({ kind: 'failed', error })
        throw error
      }
    },
    cancel() {
      end({ kind: 'cancelled' })
      drop(reader)
    },
  })
}

/** How a call ends with this part; undefined when it continues. */
export function endingOf(part: Part): Ending | undefined {
  if (part.type === 'error') return { kind: 'failed', error: part.error }
  if (part.type !== 'finish') return undefined
  const { unified } = part.finishReason
  return unified === 'error' || unified === 'interrupted' ? cutOff() : { kind: 'finished', usage: part.usage }
}

const cutOff = (): Ending => ({ kind: 'failed', error: new Error('the stream ended before the reply was complete') })

const quiet: ReadonlySet<string> = new Set([
  ...['stream-start', 'response-metadata', 'raw', 'ping', 'custom', 'error'],
  ...['text-start', 'reasoning-start', 'tool-input-start', 'text-end', 'reasoning-end', 'tool-input-end'],
])

/** Whether a part is content of the reply. The start and the end of a block are not. */
export function isContent(part: Part): boolean {
  return !quiet.has(part.type) && !('delta' in part && part.delta === '')
}
