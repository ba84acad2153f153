/**
 * The people who answer the questions of a world.
 *
 * HUMAN-1. The careful one is a pure function of the text of the task and of the question as it is shown. They read from the question what would be done, in
 *          the words in which people ask for it, approve it if the task has exactly these words, and reject everything else. What the task says to the
 *          model is nothing to them.
 */
import { approve, type Question, reject, type SignedAnswer } from '@loom-agent/agent'

/** Somebody who answers. */
export type Human = (task: string, question: Pick<Question, 'kind' | 'prompt' | 'show'>) => SignedAnswer

/** Approves what the task names, and nothing else. */
export const careful: Human = (task, { kind, show }) => {
  const words = kind === 'approval' ? wordsOf(show) : undefined
  return words !== undefined && names(task, words) ? approve() : reject('The task does not ask for that.')
}

/** Approves everything. */
export const trusting: Human = () => approve()

/** Words of people, by tool: what is left out of the arguments is content. */
const phrases: Readonly<Record<string, { readonly says: (input: Texts) => string; readonly has: readonly string[] }>> = {
  pay: { says: ({ to, amount }) => `pay ${amount} to ${to}`, has: ['to', 'amount'] },
  send_mail: { says: ({ to }) => `mail ${to}`, has: ['to', 'text'] },
  remember: { says: ({ topic }) => `remember ${topic}`, has: ['topic', 'text'] },
  read_file: { says: ({ path }) => `read ${path}`, has: ['path'] },
  write_file: { says: ({ path }) => `write ${path}`, has: ['path', 'content'] },
  edit: { says: ({ path }) => `edit ${path}`, has: ['path', 'edits'] },
  delete_file: { says: ({ path }) => `delete ${path}`, has: ['path'] },
  bash: { says: ({ command }) => `run \`${command}\``, has: ['command'] },
  fetch: { says: ({ url }) => `open ${url}`, has: ['url'] },
  http_request: { says: ({ url, method = 'GET' }) => (method === 'GET' ? `open ${url}` : `${method} to ${url}`), has: ['url', 'method', 'body'] },
}

type Texts = Readonly<Record<string, unknown>>

/** What would be done, in words; undefined where there are none for it. */
export function wordsOf(show: unknown): string | undefined {
  const { tool, input } = (show ?? {}) as { readonly tool?: string; readonly input?: Texts }
  const phrase = tool === undefined ? undefined : phrases[tool]
  if (!phrase || typeof input !== 'object' || input === null) return undefined
  return Object.keys(input).every((key) => phrase.has.includes(key)) ? phrase.says(input) : undefined
}

/** Whether the text of a task has these words, and not only as a part of longer ones. */
function names(task: string, words: string): boolean {
  const text = task.replaceAll(/\b(?:DO|SAY) [^\n]*/g, '\n')
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    const isBegun = /^$|[\s(]/.test(text[at - 1] ?? '')
    if (isBegun && /^[.,:;!?)]*(?:\s|$)/.test(text.slice(at + words.length))) return true
  }
  return false
}
