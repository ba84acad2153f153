/** What a person types, as keys: a sequence that is not whole waits a moment for its rest. */
import { decode, flush, type Key, nothingTyped } from './keys.ts'

/** Takes what a terminal sends. */
export interface Typing {
  /** Takes what has come. */
  take(text: string): void
  /** Waits for nothing more. */
  end(): void
}

/** Milliseconds after which the beginning of a sequence is a key of its own. */
const sequenceTime = 40

/** Passes keys on as they become whole. */
export function createTyping(onKeys: (keys: readonly Key[]) => void): Typing {
  let decoding = nothingTyped
  let held: NodeJS.Timeout | undefined
  const late = (): void => {
    const [keys, rest] = flush(decoding)
    decoding = rest
    onKeys(keys)
  }
  return {
    take: (text) => {
      clearTimeout(held)
      const [keys, next] = decode(decoding, text)
      decoding = next
      onKeys(keys)
      if (next.rest !== '' && next.paste === undefined) held = setTimeout(late, sequenceTime)
    },
    end: () => clearTimeout(held),
  }
}
