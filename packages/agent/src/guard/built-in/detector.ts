/**
 * Detectors: what finds personal data of one kind in a text, and what stands in its place.
 *
 * DETECT-1. Detectors are asked from left to right: the item that begins first counts, of several the longest, and the next one is looked for behind it. So
 *     what is found in a text does not depend on where the text was cut into pieces.
 * DETECT-2. A text that comes in pieces is held back from where an item may have begun, and no further than the longest item.
 */

/** Where something is in a text. */
export interface FoundItem {
  /** The index of its first character. */
  readonly start: number
  /** The index behind its last character. */
  readonly end: number
}

/** Finds personal data of one kind. */
export interface Detector {
  /** What it finds, in one word: it stands in the mark. */
  readonly name: string
  /** The first item that begins at an index or behind it. It may depend on the item, and on one character before and one behind it. */
  readonly find: (text: string, from: number) => FoundItem | undefined
  /** Whether an item may have this character. */
  readonly mayHave: (character: string) => boolean
  /** Characters that an item has at most. */
  readonly longest: number
}

/** What stands in place of an item. */
export type MarkOf = (item: string, detector: Detector) => string

/** A text with marks in place of what detectors find. */
export function maskText(detectors: readonly Detector[], text: string, markOf: MarkOf): string {
  let clean = ''
  let at = 0
  for (const { start, end, detector } of itemsIn(detectors, text, 0)) {
    clean += text.slice(at, start) + markOf(text.slice(start, end), detector)
    at = end
  }
  return at === 0 ? text : clean + text.slice(at)
}

/** The items of a text that begin at an index or behind it, from left to right. */
function* itemsIn(detectors: readonly Detector[], text: string, from: number): Generator<FoundItem & { readonly detector: Detector }, void> {
  const next = new Map<Detector, FoundItem | undefined>()
  for (let at = from; ; ) {
    let first: (FoundItem & { readonly detector: Detector }) | undefined
    for (const detector of detectors) {
      const known = next.get(detector)
      // What was found behind the last item is still the next one.
      const found = next.has(detector) && (known === undefined || known.start >= at) ? known : detector.find(text, at)
      next.set(detector, found)
      if (found && (!first || found.start < first.start || (found.start === first.start && found.end > first.end))) first = { ...found, detector }
    }
    if (!first) return
    yield first
    at = first.end
  }
}

/** A mask for a text that comes in pieces. */
export interface MaskStream {
  /** Takes a piece; returns what can be shown now. */
  push(piece: string): string
  /** The text has ended; returns the rest. */
  end(): string
}

/** A mask for a text that comes in pieces: what comes out is what masking the whole text gives. */
export function createMaskStream(detectors: readonly Detector[], markOf: MarkOf): MaskStream {
  /** The character before what is held, which an item may depend on, and what is held. */
  let held = ''
  let before = 0
  const show = (to: number): string => {
    let clean = ''
    let at = before
    for (const { start, end, detector } of itemsIn(detectors, held, before)) {
      if (start >= to) break
      clean += held.slice(at, start) + markOf(held.slice(start, end), detector)
      at = end
    }
    const cut = Math.max(at, to)
    clean += held.slice(at, cut)
    const kept = cut > 0 ? cut - 1 : 0
    held = held.slice(kept)
    before = cut - kept
    return clean
  }
  return {
    push(piece) {
      held += piece
      const safe = Math.min(...detectors.map((detector) => safeTo(detector, held)))
      return safe > before ? show(safe) : ''
    },
    end: () => show(held.length),
  }
}

/** Up to where it is known what a detector finds in a text that goes on: an item that begins before has ended. */
function safeTo({ mayHave, longest }: Detector, text: string): number {
  const least = Math.max(0, text.length - longest - 1)
  let at = text.length
  while (at > least && mayHave(text[at - 1] ?? '')) at -= 1
  return at
}
