/**
 * Texts of models and tools as blocks: paragraphs, headings, lists, code. A small part of Markdown, and nothing that a text could do anything with.
 *
 * INERT-1. A text becomes texts: no element, attribute, address or style comes from it. What looks like markup is shown as it is.
 */

/** A part of a line. */
export type Inline = { readonly kind: 'text' | 'code' | 'strong'; readonly text: string }

/** A block of a text. */
export type Block =
  | { readonly kind: 'paragraph' | 'heading' | 'item'; readonly inlines: readonly Inline[]; readonly mark?: string }
  | { readonly kind: 'code'; readonly text: string }

const fence = /^\s*```/
const mark = /`([^`\n]+)`|\*\*([^*\n]+)\*\*/g

/** The parts of a line. */
export function inlinesOf(line: string): readonly Inline[] {
  const found: Inline[] = []
  let from = 0
  for (const match of line.matchAll(mark)) {
    if (match.index > from) found.push({ kind: 'text', text: line.slice(from, match.index) })
    found.push(match[1] === undefined ? { kind: 'strong', text: match[2] ?? '' } : { kind: 'code', text: match[1] })
    from = match.index + match[0].length
  }
  if (from < line.length) found.push({ kind: 'text', text: line.slice(from) })
  return found
}

/** The blocks of a text. */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  let code: string[] | undefined
  const close = (): void => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', inlines: inlinesOf(paragraph.join('\n')) })
    paragraph = []
  }
  for (const line of text.split('\n')) {
    if (fence.test(line)) {
      close()
      if (code) blocks.push({ kind: 'code', text: code.join('\n') })
      code = code ? undefined : []
      continue
    }
    if (code) {
      code.push(line)
      continue
    }
    const [, heading] = /^#{1,6}\s+(.*)$/.exec(line) ?? []
    const [, bullet, item] = /^\s*([-*]|\d{1,3}[.)])\s+(.*)$/.exec(line) ?? []
    if (line.trim() === '') close()
    else if (heading !== undefined) {
      close()
      blocks.push({ kind: 'heading', inlines: inlinesOf(heading) })
    } else if (item !== undefined) {
      close()
      blocks.push({ kind: 'item', inlines: inlinesOf(item), mark: /\d/.test(bullet ?? '') ? (bullet ?? '') : '–' })
    } else paragraph.push(line)
  }
  close()
  if (code) blocks.push({ kind: 'code', text: code.join('\n') })
  return blocks
}
