/** An exact counter: the tokenizer of OpenAI's models, loaded on use, where its package is installed. */
import { LoomError } from '@loom-agent/kernel'
import type { CountText } from './message-tokens.ts'

const name = 'gpt-tokenizer'
/** The package takes quadratic time for a long run of letters or of marks: such runs are counted in pieces. */
const longestRun = 256
/** Texts are untrusted: a special token in one is text like any other. */
const asText = { disallowedSpecial: new Set<string>() }

let loading: Promise<CountText> | undefined

/**
 * Loads an exact counter of tokens, o200k, which is exact for OpenAI's models and close for others. It needs the package `gpt-tokenizer`.
 *
 * @example
 * const writer = agent({ model, context, ports: { countTokens: await loadTokenizer() } })
 */
export function loadTokenizer(): Promise<CountText> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<CountText> {
  let loaded: { countTokens?: (text: string, options: typeof asText) => number }
  // Written out and in a `try`, so that bundlers include the package where it is installed, and accept it where it is not.
  try {
    loaded = await import('gpt-tokenizer/encoding/o200k_base')
  } catch (cause) {
    throw missing('cannot be loaded', cause)
  }
  const { countTokens } = loaded
  if (typeof countTokens !== 'function') throw missing('was not installed when this program was bundled', undefined)
  return (text) => {
    let tokens = 0
    for (let from = 0; from < text.length; ) {
      const to = endOfPiece(text, from)
      tokens += countTokens(from === 0 && to === text.length ? text : text.slice(from, to), asText)
      from = to
    }
    return tokens
  }
}

function missing(problem: string, cause: unknown): LoomError {
  const install = `npm install ${name}`
  const message = `Exact counts of tokens need the package ${name}, which ${problem}. Run: ${install}`
  return new LoomError('LOOM_OPTION_INVALID', message, { cause, context: { package: name, install } })
}

/** Where a piece ends that has no run longer than the longest: at the end of the text, or inside the first run that is longer. */
function endOfPiece(text: string, from: number): number {
  let run = 0
  let last = -1
  for (let at = from; at < text.length; at += 1) {
    const kind = roughKind(text.charCodeAt(at))
    run = kind === last ? run + 1 : 1
    last = kind
    // A pair of surrogates is one character.
    if (run > longestRun && (text.charCodeAt(at) & 0xfc00) !== 0xdc00) return at
  }
  return text.length
}

/** Letters, digits, blanks or marks: a tokenizer never joins two of them into one long piece. */
function roughKind(code: number): number {
  if (code >= 128) return 0
  if (code <= 32) return 1
  if (code >= 48 && code <= 57) return 2
  return (code | 32) >= 97 && (code | 32) <= 122 ? 0 : 3
}
