/** What was said on a thread, as a chat shows it. Pure. */
import type { ChatItem, ShownText } from '@loom-agent/telemetry'
import type { Look } from '../output/style.ts'
import { counted } from '../output/words.ts'
import { type Line, line, textLines } from '../screen/line.ts'
import { callLines } from './call-lines.ts'

const whole = ({ text, more }: ShownText): string => (more === undefined ? text : `${text}\n[${counted(more, 'more character')}: loom show has them]`)

/** A text under a mark: the lines after the first are indented. */
export function markedLines(text: string, mark: string, ...[markLook, look]: readonly [Look?, Look?]): readonly Line[] {
  return textLines(text).map((one, at): Line => {
    const first = at === 0 ? mark : ' '.repeat(mark.length)
    return [markLook === undefined ? [first] : [first, markLook], look === undefined ? [one] : [one, look]]
  })
}

/** The lines of what a model said. */
export const replyLines = (text: string, isFirst = true): readonly Line[] => markedLines(text, isFirst ? '● ' : '  ', 'green')

/** One thing that was said, or happened. */
export function itemLines(item: ChatItem): readonly Line[] {
  switch (item.kind) {
    case 'user':
    case 'steered':
      return [[], ...shortened(markedLines(withFiles(item), '› ', 'blue', 'bold'))]
    case 'assistant':
      return [
        ...(item.text.text.trim() === '' ? [] : [[], ...replyLines(whole(item.text))]),
        ...item.calls.flatMap((call) => (call.endedAt === undefined ? [] : callLines(call))),
      ]
    case 'question':
      return item.answers.map(({ answer, by }) => line(`  ${answerWords[answer]}${by === undefined ? '' : ` by ${by}`}`, 'faint'))
    case 'compressed':
      return [line(`  earlier messages were summarised (@${item.from} to @${item.to})`, 'faint')]
    case 'failed':
      return [[], ...markedLines(withCode(item), '✖ ', 'red')]
    case 'stopped':
      return [line(`  stopped: ${textLines(item.text.text).join(' ')}`, 'yellow')]
    case 'retried':
      return markedLines(`the attempt failed, and is made again: ${withCode(item)}`, '  ', 'faint', 'faint')
    case 'forked':
      return [line(`  ── from ${item.from} ──`, 'faint')]
    default:
      return markedLines(item.text.text.split('\n', 1)[0] ?? '', '  ', 'faint', 'faint')
  }
}

/** Lines of a message that are shown: it may hold whole files. */
const mostShown = 20

function shortened(lines: readonly Line[]): readonly Line[] {
  if (lines.length <= mostShown + 1) return lines
  return [...lines.slice(0, mostShown), line(`  … ${counted(lines.length - mostShown, 'more line')}`, 'faint')]
}

const answerWords = { approve: 'approved', reject: 'rejected', edit: 'approved with other arguments', respond: 'answered' } as const

const withCode = ({ code, text }: { readonly code?: string; readonly text: ShownText }): string =>
  code === undefined ? text.text : `${code} ${text.text}`

function withFiles({ text, files = [] }: Extract<ChatItem, { kind: 'user' | 'steered' | 'note' | 'item' }>): string {
  return [whole(text), ...files.map(({ mediaType, name }) => `[${name ?? 'file'}, ${mediaType}]`)].join('\n')
}
