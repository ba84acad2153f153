/** The streams of models, and how to map and watch them. */
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@loom-agent/agent/language-model'

/** What a model streams. */
export type Part = LanguageModelV4StreamPart
/** The stream of a model. */
export type Parts = ReadableStream<Part>
/** Reads the next part; undefined at the end. */
export type Read = () => Promise<Part | undefined>

/** How a call ended. `cancelled` means that the reader cancelled the stream, which says nothing about the model. */
export type Ending =
  | { readonly kind: 'finished'; readonly usage: LanguageModelV4Usage }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'cancelled' }

/** A stream of the parts that `next` returns, one at a time. Nothing is read ahead of the reader. */
export function pullStream(source: { readonly next: Read; readonly cancel: () => void }): Parts {
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

/** A stream of what `next` returns. `next` reads the parts of another stream, which is cancelled when `next` fails or the reader cancels. */
export function derived(stream: Parts, next: (read: Read) => Promise<Part | undefined>, onCancel?: () => void): Parts {
  const reader = stream.getReader()
  const nextPart = async (): Promise<Part | undefined> => {
    try {
      return await next(() => nextOf(reader))
    } catch (error) {
      drop(reader)
      throw error
    }
  }
  const cancel = (): void => {
    onCancel?.()
    drop(reader)
  }
  return pullStream({ next: nextPart, cancel })
}

/** The stream with the parts that `map` returns for each part. */
export function mapped(stream: Parts, map: (part: Part) => readonly Part[] | Promise<readonly Part[]>): Parts {
  let ready: readonly Part[] = []
  let index = 0
  return derived(stream, async (read) => {
    while (index >= ready.length) {
      const part = await read()
      if (part === undefined) return undefined
      ready = await map(part)
      index = 0
    }
    index += 1
    return ready[index - 1]
  })
}

/** Cancels a stream that has no reader any more. */
export function drop(reader: ReadableStreamDefaultReader<Part>): void {
  void reader.cancel().catch(() => {})
}

/** The same stream; `ended` is called once with how it ended. */
export function watch(stream: Parts, ended: (ending: Ending) => void): Parts {
  let isOver = false
  const end = (ending: Ending): void => {
    if (isOver) return
    isOver = true
    ended(ending)
  }
  const next = async (read: Read): Promise<Part | undefined> => {
    try {
      const part = await read()
      const ending = part === undefined ? cutOff() : endingOf(part)
      if (ending) end(ending)
      return part
    } catch (error) {
      end({ kind: 'failed', error })
      throw error
    }
  }
  return derived(stream, next, () => end({ kind: 'cancelled' }))
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
