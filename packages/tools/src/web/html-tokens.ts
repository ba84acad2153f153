/**
 * HTML as a sequence of texts and tags, read once from the first character to the last.
 *
 * HTML-1. Reading is linear: every character is looked at a bounded number of times, whatever the page is made of. What is not closed reaches to the end.
 */

/** A piece of HTML. */
export type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: string }
  | { readonly kind: 'close'; readonly name: string }

/** Elements whose content is no HTML: it ends at their own end tag and nowhere else. */
const raw = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes'])

/** Reads HTML as tokens. Comments and declarations are left out. */
export function* tokensOf(html: string): Generator<Token, void> {
  let at = 0
  while (at < html.length) {
    const next = html.indexOf('<', at)
    if (next < 0) return yield { kind: 'text', text: html.slice(at) }
    if (next > at) yield { kind: 'text', text: html.slice(at, next) }
    if (html.startsWith('<!--', next)) at = after(html, '-->', next + 2)
    else if (/[!?]/.test(html[next + 1] ?? '')) at = after(html, '>', next)
    else if (/[a-z]/i.test(html[next + 1] ?? '') || (html[next + 1] === '/' && /[a-z]/i.test(html[next + 2] ?? ''))) {
      const end = endOfTag(html, next)
      const tag = tagOf(html.slice(next + 1, end))
      yield tag
      at = end + 1
      if (tag.kind === 'open' && raw.has(tag.name)) {
        const close = endOfRaw(html, tag.name, at)
        if (close > at) yield { kind: 'text', text: html.slice(at, close) }
        at = close
      }
    } else {
      yield { kind: 'text', text: '<' }
      at = next + 1
    }
  }
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found < 0 ? html.length : found + mark.length
}

/** Where a tag ends: the first `>` that is not inside a quoted value. */
function endOfTag(html: string, from: number): number {
  let quote = ''
  for (let at = from; at < html.length; at += 1) {
    const character = html[at] as string
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '>') return at
    else if ((character === '"' || character === "'") && html[at - 1] === '=') quote = character
  }
  return html.length
}

function tagOf(inside: string): Token {
  const isClose = inside.startsWith('/')
  const name = /^[a-z][a-z0-9-]*/i.exec(isClose ? inside.slice(1) : inside)?.[0].toLowerCase() ?? ''
  return isClose ? { kind: 'close', name } : { kind: 'open', name, attributes: inside.slice(name.length, name.length + longestTag) }
}

/** Characters of a tag that are looked at for attributes. */
const longestTag = 8192

function endOfRaw(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}(?![a-z0-9-])`, 'gi')
  closing.lastIndex = from
  return closing.exec(html)?.index ?? html.length
}

/** The value of an attribute; an empty text where it has none, undefined where it is not there. */
export function attributeOf(attributes: string, name: string): string | undefined {
  const found = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g
  for (const [, key = '', double, single, bare] of attributes.matchAll(found)) {
    if (key.toLowerCase() === name) return double ?? single ?? bare ?? ''
  }
  return undefined
}
