/** A chat as Markdown, for an issue or a mail. What people and models wrote is quoted, so that none of it acts as Markdown of the page. */
import type { ChatItem, ShownText } from '../chat/chat-item.ts'

const whole = ({ text, more }: ShownText): string => (more === undefined ? text : `${text}\n[${more} more characters]`)

/** Lines that stand as they are: a fence that is longer than any in the text. */
function fenced(text: string): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [ticks]) => Math.max(most, ticks.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

const titles: { readonly [K in ChatItem['kind']]: string } = {
  user: 'User',
  steered: 'User, while the run was under way',
  note: 'Note of Loom',
  item: 'Added to the context',
  assistant: 'Model',
  question: 'Question',
  compressed: 'Summary',
  failed: 'Failed',
  stopped: 'Stopped',
  retried: 'Failed attempt',
  forked: 'Fork',
}

function bodyOf(item: ChatItem): readonly string[] {
  switch (item.kind) {
    case 'forked':
      return [fenced(`from ${item.from}`)]
    case 'question': {
      const answers = item.answers.map(({ answer, by }) => `- ${answer}${by === undefined ? '' : ` by ${JSON.stringify(by)}`}`)
      return [fenced(whole(item.prompt)), ...(answers.length > 0 ? [answers.join('\n')] : [item.isOpen ? 'Open.' : 'Not answered.'])]
    }
    case 'assistant': {
      const calls = item.calls.map(({ call, tool, input, status, output }) =>
        [`**Call ${call}**: ${status}`, fenced(`${tool} ${whole(input)}`), ...(output ? [fenced(whole(output))] : [])].join('\n\n'),
      )
      return [...(item.text.text ? [fenced(whole(item.text))] : []), ...calls]
    }
    default:
      return [fenced(whole(item.text))]
  }
}

/** The chat of a thread as Markdown. */
export function markdownOf(items: readonly ChatItem[], title: string): string {
  const blocks = items.map((item) => [`## ${titles[item.kind]} (${item.seq})`, ...bodyOf(item)].join('\n\n'))
  return `${[`# ${title.replaceAll(/[\\`*_{}[\]<>#|]/g, '\\$&')}`, ...blocks].join('\n\n')}\n`
}
