/**
 * A web page as text: headings, paragraphs, lists, tables, code and links, in the manner of Markdown.
 *
 * PAGE-1. What people do not see is left out: scripts, styles, comments, hidden elements, invisible characters. Text for models alone is made of these.
 */
import { decodeReferences } from './entities.ts'
import { attributeOf, type Token, tokensOf } from './html-tokens.ts'

/** A page as text. */
export interface PageText {
  /** The title; empty where there is none. */
  readonly title: string
  /** The text, with links as `[words](address)`. */
  readonly text: string
}

/** Elements that are left out with everything in them. */
const skipped = new Set([
  ...['script', 'style', 'noscript', 'template', 'svg', 'math', 'iframe', 'object', 'canvas', 'audio', 'video', 'noembed', 'noframes'],
  ...['select', 'datalist', 'dialog', 'xmp', 'textarea', 'button'],
])
/** Elements without an end tag. */
const empty = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'])
const blocks = new Set([
  ...['p', 'div', 'section', 'article', 'main', 'header', 'footer', 'nav', 'aside', 'ul', 'ol', 'dl', 'table', 'form', 'fieldset', 'figure'],
  ...['figcaption', 'blockquote', 'pre', 'address', 'details', 'summary', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'body', 'html', 'head'],
])
const lines = new Set(['li', 'tr', 'dt', 'dd', 'br', 'hr', 'option', 'caption'])
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu
const isHidden = /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])/i
/** A table may have cells without end: beyond this the text of a page is cut. */
const longestText = 4 * 1024 * 1024

/** What is written so far. */
interface Page {
  readonly parts: string[]
  readonly base: string
  /** The end of what is written: how many lines it begins, or a space. */
  end: 'block' | 'line' | 'space' | 'word'
  size: number
  title: string
  inTitle: boolean
  pre: number
  /** The element whose end is waited for, and how many of its name are open. */
  skipping: { readonly name: string; depth: number } | undefined
  /** The address of the open link, and where its words begin. */
  link: { readonly href: string; readonly from: number } | undefined
}

/** Reads a page; `base` completes its links. */
export function pageText(html: string, base: string): PageText {
  const page: Page = {
    parts: [],
    base,
    end: 'block',
    size: 0,
    title: '',
    inTitle: false,
    pre: 0,
    skipping: undefined,
    link: undefined,
  }
  for (const token of tokensOf(html)) {
    if (page.skipping) skip(page, page.skipping, token)
    else if (token.kind === 'text') takeText(page, token.text)
    else if (token.kind === 'open') open(page, token)
    else close(page, token.name)
    if (page.size > longestText) break
  }
  closeLink(page)
  // Line by line: an expression over the whole would look at a long run of spaces again for each of them.
  const text = page.parts
    .join('')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
  return { title: tidy(page.title).slice(0, 300), text: text.trim() }
}

const tidy = (text: string): string => decodeReferences(text).replace(invisible, '').replace(/\s+/g, ' ').trim()

function skip(page: Page, skipping: NonNullable<Page['skipping']>, token: Token): void {
  if (token.kind === 'text' || token.name !== skipping.name) return
  skipping.depth += token.kind === 'open' ? 1 : -1
  if (skipping.depth === 0) page.skipping = undefined
}

function takeText(page: Page, text: string): void {
  if (page.inTitle) {
    page.title += text.slice(0, 1000)
    return
  }
  const decoded = decodeReferences(text).replace(invisible, '')
  if (page.pre > 0) return write(page, decoded)
  const words = decoded.replace(/\s+/g, ' ')
  if (words.trim() === '') return space(page)
  if (words.startsWith(' ')) space(page)
  write(page, words.trim())
  if (words.endsWith(' ')) space(page)
}

function write(page: Page, text: string): void {
  if (text === '') return
  page.parts.push(text)
  page.size += text.length
  page.end = text.endsWith('\n') ? 'line' : 'word'
}

function space(page: Page): void {
  if (page.end !== 'word') return
  page.parts.push(' ')
  page.end = 'space'
}

function newLine(page: Page, isBlock: boolean): void {
  if (page.end === 'block' || (page.end === 'line' && !isBlock)) return
  page.parts.push(isBlock && page.end !== 'line' ? '\n\n' : '\n')
  page.end = isBlock ? 'block' : 'line'
}

function open(page: Page, { name, attributes }: Extract<Token, { kind: 'open' }>): void {
  if (skipped.has(name) || (!empty.has(name) && hides(attributes))) {
    page.skipping = { name, depth: 1 }
    return
  }
  if (name === 'title') page.inTitle = true
  if (blocks.has(name)) newLine(page, true)
  else if (lines.has(name)) newLine(page, false)
  if (name === 'a') openLink(page, attributes)
  if (name === 'pre') {
    page.pre += 1
    write(page, '```\n')
  }
  const before = prefixOf(name, attributes)
  if (before !== '') {
    write(page, before)
    page.end = 'space'
  }
}

function hides(attributes: string): boolean {
  if (!/hidden|style/i.test(attributes)) return false
  const style = attributeOf(attributes, 'style')
  return (
    attributeOf(attributes, 'hidden') !== undefined ||
    attributeOf(attributes, 'aria-hidden') === 'true' ||
    (style !== undefined && isHidden.test(style))
  )
}

/** What stands before the content of an element. */
function prefixOf(name: string, attributes: string): string {
  if (/^h[1-6]$/.test(name)) return `${'#'.repeat(Number(name[1]))} `
  if (name === 'li') return '- '
  if (name === 'blockquote') return '> '
  if (name === 'td' || name === 'th') return '| '
  if (name === 'hr') return '---\n'
  return name === 'img' ? imageText(attributes) : ''
}

function imageText(attributes: string): string {
  const words = tidy(attributeOf(attributes, 'alt') ?? '').slice(0, 200)
  return words === '' ? '' : `[image: ${words}] `
}

function close(page: Page, name: string): void {
  if (name === 'title') page.inTitle = false
  if (name === 'a') closeLink(page)
  if (name === 'pre' && page.pre > 0) {
    page.pre -= 1
    write(page, page.end === 'line' ? '```' : '\n```')
  }
  if (name === 'td' || name === 'th') space(page)
  if (blocks.has(name)) newLine(page, true)
  else if (lines.has(name)) newLine(page, false)
}

function openLink(page: Page, attributes: string): void {
  closeLink(page)
  const href = attributeOf(attributes, 'href')
  const url = href === undefined || href.startsWith('#') ? null : URL.parse(decodeReferences(href), page.base)
  if (url && ['http:', 'https:', 'mailto:'].includes(url.protocol) && url.href.length <= 2000) page.link = { href: url.href, from: page.parts.length }
}

function closeLink(page: Page): void {
  const { link } = page
  page.link = undefined
  if (!link) return
  const words = page.parts.slice(link.from).join('').replace(/\s+/g, ' ').trim()
  if (words === '') return
  page.parts.length = link.from
  // A bracket in the words or the address must not end the link early: what follows would look like another one.
  write(page, `[${words.replace(/[[\]]/g, '')}](${link.href.replace(/[()]/g, (mark) => (mark === '(' ? '%28' : '%29'))})`)
}
