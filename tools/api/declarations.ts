/**
 * Reads declaration files as the compiler writes them: what they export, with comments and members.
 *
 * It goes by lines. The compiler prints every member of an exported type on a line of its own, indented by four spaces, its comment above it.
 */

/** A field, option or method of a type. */
export interface Member {
  readonly name: string
  /** The first sentence of its comment; empty when it has none. */
  readonly sentence: string
}

/** Something that is declared. */
export interface Declaration {
  readonly name: string
  readonly kind: 'interface' | 'type' | 'function' | 'const' | 'class'
  /** The first sentence of its comment; empty when it has none. */
  readonly sentence: string
  readonly members: readonly Member[]
}

/** A name that a file exports from another one. */
export interface Forwarded {
  readonly name: string
  /** Its name there. */
  readonly original: string
  readonly from: string
}

const head = /^(?:export )?(?:declare )?(?:abstract )?(interface|type|function|const|class) ([\w$]+)/
const memberLine = /^ {4}(?:readonly )?(?:static )?(?:get )?(?:'([^']+)'|([\w$]+))(?:\?)?(?:<.*)?[:(]/
/** What is no member for users, and tags of unions, which say everything themselves: `readonly kind: 'approve';`. */
const notCounted = /^ {4}(?:private|protected|constructor|#|(?:readonly )?(?:kind|type|status|v|name): (?:'[^']*'(?: \| '[^']*')*|\d+);)/

/** Everything that a declaration file declares, by name. Overloads are one declaration, with the comment of the last that has one. */
export function declarationsOf(text: string): ReadonlyMap<string, Declaration> {
  const declarations = new Map<string, Declaration>()
  const lines = text.split('\n')
  lines.forEach((line, index) => {
    const [, kind, name] = head.exec(line) ?? []
    if (kind === undefined || name === undefined) return
    const end = lines.findIndex((other, at) => at > index && /^\S/.test(other) && !/^[})\]]/.test(other))
    const body = lines.slice(index + 1, end < 0 ? undefined : end)
    const before = declarations.get(name)
    declarations.set(name, {
      name,
      kind: kind as Declaration['kind'],
      sentence: sentenceAbove(lines, index) || (before?.sentence ?? ''),
      members: hasMembers(kind, line) ? membersOf(body) : (before?.members ?? []),
    })
  })
  return declarations
}

/** The first sentence of the comment that ends on the line above. */
function sentenceAbove(lines: readonly string[], index: number): string {
  if (!lines[index - 1]?.trimEnd().endsWith('*/')) return ''
  const start = lines.slice(0, index).findLastIndex((line) => line.includes('/**'))
  const text = lines
    .slice(start, index)
    .map((line) => line.trim().replace(/^\/\*\*|^\*(?!\/)|\*\/$/g, ''))
    .join(' ')
  const [sentence = ''] = text.replaceAll(/\s*\*\/|\s+/g, (space) => (space.includes('/') ? '' : ' ')).split(/(?<=[.:]) (?=[A-Z`@-])|@example/)
  return sentence.trim()
}

/** A type has members of its own when it is an interface, a class, or written as an object. */
const hasMembers = (kind: string, line: string): boolean => kind === 'interface' || kind === 'class' || (kind === 'type' && /[=&|] \{$/.test(line))

function membersOf(body: readonly string[]): readonly Member[] {
  const members = new Map<string, Member>()
  body.forEach((line, index) => {
    if (notCounted.test(line)) return
    const [, quoted, plain] = memberLine.exec(line) ?? []
    const name = quoted ?? plain
    if (name === undefined) return
    members.set(name, { name, sentence: sentenceAbove(body, index) || (members.get(name)?.sentence ?? '') })
  })
  return [...members.values()]
}

/** The names that a file exports from other files. */
export function forwardedBy(text: string): readonly Forwarded[] {
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)';$/gm)].flatMap(([, names = '', from = '']) =>
    names
      .split(',')
      .map((name) => name.trim().replace(/^type /, ''))
      .filter((name) => name !== '')
      .map((name) => {
        const [original = name, renamed = original] = name.split(' as ')
        return { name: renamed, original, from }
      }),
  )
}
