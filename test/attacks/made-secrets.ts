/** Values of secrets, made from shapes by a seed. */
import type { Shape } from './secret-shapes.ts'

/** A secret, and what of it must not be shown. */
export interface MadeSecret {
  readonly whose: string
  /** The name that it stands under; '' for none. */
  readonly under: string
  readonly value: string
  /** The longest of its parts that were chosen at random. */
  readonly core: string
}

/** Numbers from 0 to below 1 that follow from a seed. */
export function numbersOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The characters of an alphabet such as `a-z0-9_`. */
function charactersOf(alphabet: string): string {
  return alphabet.replaceAll(/([a-zA-Z0-9])-([a-zA-Z0-9])/g, (_, from: string, to: string) => {
    const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)]
    return Array.from({ length: last - first + 1 }, (_unused, index) => String.fromCharCode(first + index)).join('')
  })
}

/** A value of a shape. */
export function secretOf([whose, under, shape]: Shape, random: () => number): MadeSecret {
  let core = ''
  const value = shape.replaceAll(/\{([^ }]+) (\d+)\}/g, (_, alphabet: string, count: string) => {
    const characters = charactersOf(alphabet)
    const part = Array.from({ length: Number(count) }, () => characters[Math.floor(random() * characters.length)]).join('')
    if (part.length > core.length) core = part
    return part
  })
  return { whose, under, value, core }
}

/** Texts that a secret stands in. */
export function textsWith({ under, value }: MadeSecret): readonly string[] {
  const name = under === '' ? 'value' : under
  const free = [
    `Use ${value} from now on.`,
    JSON.stringify({ error: { message: `It was ${value}`, code: 401 } }),
    `request failed: "${value}"`,
    JSON.stringify(JSON.stringify({ sent: [`${value}`] })),
  ]
  const named = [
    `${name.toUpperCase()}=${value}`,
    `${name}: ${value}`,
    JSON.stringify({ [name]: value, other: 1 }),
    JSON.stringify(JSON.stringify({ [`${name}_value`]: value })),
    `const ${name} = '${value}'`,
    `https://host.example/path?${name}=${value}&page=2`,
    `'${name}' => '${value}'`,
  ]
  return under === '' ? free : named
}
