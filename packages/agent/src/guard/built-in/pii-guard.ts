/** The guard that takes personal data out of inputs, results and replies. */
import { type Expected, expected } from '../../platform/expected.ts'
import { checkOptions } from '../../platform/options.ts'
import type { Guard, LookAt } from '../guard.ts'
import { createMaskStream, type Detector, maskText } from './detector.ts'
import { allDetectors } from './detectors.ts'
import { createPlaceholders } from './placeholders.ts'

/** What is taken out, and how. */
export interface PiiOptions {
  /** What finds personal data; default `allDetectors`: cards, bank accounts, Chinese ids, mail, addresses of the internet, phones. */
  readonly detectors?: readonly Detector[]
  /** Numbers the marks, so that `restore` can put the items back, in this process; default false. */
  readonly reversible?: boolean
}

/** The guard, and what puts items back. */
export interface PiiGuard extends Guard {
  /** A text with the items in place of their marks, where the guard is reversible: for tools and programs that need them. */
  readonly restore: (thread: string, text: string) => string
}

const detector: Expected = {
  words: 'a detector: { name, find(text, from), mayHave(character), longest }',
  fits: (value) => {
    const { name, find, mayHave, longest } = (expected.object.fits(value) ? value : {}) as Partial<Detector>
    return expected.name.fits(name) && typeof find === 'function' && typeof mayHave === 'function' && expected.whole(1).fits(longest)
  },
}

/**
 * Takes personal data out of inputs, results and replies before they are stored: `[email]` stands in place of an address.
 *
 * @example
 * agent({ model, tools, guards: [piiGuard()] })
 */
export function piiGuard(options: PiiOptions = {}): PiiGuard {
  checkOptions('piiGuard', options, {
    detectors: expected.list(detector, 'a list of detectors: objects with a name, find(text, from), mayHave(character) and longest'),
    reversible: expected.flag,
  })
  const { detectors = allDetectors, reversible = false } = options
  const placeholders = reversible ? createPlaceholders() : undefined
  const markFor = (thread: string) => (item: string, found: Detector) => placeholders?.markOf(thread, item, found) ?? `[${found.name}]`
  const look: LookAt = (text, { thread }) => {
    const masked = maskText(detectors, text, markFor(thread))
    return masked === text ? undefined : { rewrite: masked }
  }
  return {
    name: 'pii',
    input: look,
    result: look,
    output: look,
    stream: ({ thread }) => createMaskStream(detectors, markFor(thread)),
    restore: (thread, text) => placeholders?.restore(thread, text) ?? text,
  }
}
