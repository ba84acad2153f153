/**
 * Finds values that are not in the file of tokens: colours, lengths, weights, durations and fonts that a style sheet or a component writes itself.
 *
 * Zero, shares of something (`50%`, `1fr`, `70vh`) and whole multiples of a token are no values of their own. Where the layout changes is a token too,
 * but a media query cannot name one: its length must be the value of a token that begins with `--at-`.
 */

/** A file to look at. */
export interface StyledFile {
  readonly name: string
  readonly text: string
}

const colour = /#[0-9a-f]{3,8}\b|\b(?:rgb|rgba|hsl|hsla|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark)\(/gi
const named =
  /:\s*(?:[^;{}]*\s)?(black|white|red|green|blue|gray|grey|orange|yellow|purple|pink|brown|cyan|magenta|teal|navy|silver|gold|indigo|violet)\b/gi
const length = /(?<![\w.])(?<![\w-]-)(\d*\.?\d+)(px|rem|em|pt|ch|ex|cm|mm|in|s|ms)\b/g
const weight = /font-weight:(?!\s*var\()[^;]+/g
const family = /font-family:(?!\s*var\()[^;]+/g
const effect = /\b(?:linear|radial|conic)-gradient\(|\bbackdrop-filter\b|\bbox-shadow:(?!\s*inset)[^;]*|\btext-shadow\b|\bfilter:/g

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '')

/** The lengths at which the layout may change, by the tokens. */
export const breakpointsOf = (tokens: string): ReadonlySet<string> =>
  new Set([...tokens.matchAll(/--at-[\w-]+:\s*([^;]+);/g)].map(([, value = '']) => value))

/** What a style sheet has of its own. */
export function styleProblems({ name, text }: StyledFile, breakpoints: ReadonlySet<string>): readonly string[] {
  const bare = withoutComments(text)
  const queries = [...bare.matchAll(/@media[^{]*\{/g)].map(([query]) => query)
  const rules = bare.replace(/@media[^{]*\{/g, '')
  const found = [colour, length, weight, family, effect].flatMap((pattern) => [...rules.matchAll(pattern)].map(([value]) => value.trim()))
  const words = [...rules.matchAll(named)].map(([, word = '']) => word)
  const strange = queries.flatMap((query) => [...query.matchAll(length)].map(([value]) => value)).filter((value) => !breakpoints.has(value))
  return [...found, ...words, ...strange].map((value) => `${name} has ${value}: give it a name in design/tokens.css`)
}

/** Colours and styles that a component writes itself. A canvas takes its colours from the tokens as well. */
export function componentProblems({ name, text }: StyledFile): readonly string[] {
  const bare = withoutComments(text).replace(/^\s*\/\/.*$/gm, '')
  const styles = [...bare.matchAll(/style=\{\{([^}]*)\}\}/g)]
    .flatMap(([, inside = '']) => [...inside.matchAll(/(\w+):/g)].map(([, property = '']) => property))
    .filter((property) => !geometry.has(property))
  const colours = [...bare.matchAll(colour)].map(([value]) => value)
  return [...colours, ...styles].map((value) => `${name} has ${value}: name a token in a style sheet`)
}

/** What follows from data: where something stands and how large it is. */
const geometry = new Set(['height', 'width', 'transform', 'left', 'top', 'gridTemplateColumns'])

/** Names of custom properties that are used and that nothing declares, and those that are declared and not used. */
export function tokenProblems(tokens: string, files: readonly StyledFile[]): readonly string[] {
  const declared = new Set([...tokens.matchAll(/^\s*(--[\w-]+):/gm)].map(([, name = '']) => name))
  const text = files.map((file) => file.text).join('\n')
  const used = new Set([...`${text}\n${tokens}`.matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => name))
  const byScript = (name: string): boolean =>
    new RegExp(`['"\`](?:--)?${name.slice(2)}['"\`]`).test(text) || name.startsWith('--kind-') || name.startsWith('--at-')
  return [
    ...[...used].filter((name) => !declared.has(name)).map((name) => `${name} is used and is no token`),
    ...[...declared].filter((name) => !used.has(name) && !byScript(name)).map((name) => `${name} is a token that nothing uses`),
  ]
}
