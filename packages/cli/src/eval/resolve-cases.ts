/** The cases of an eval as they are asked: every one with its name and its input. */
import { readEvents } from '@loom-agent/agent'
import type { Journal, Json, Part } from '@loom-agent/kernel'
import { LoomError } from '@loom-agent/kernel'
import type { EvalCase } from './evaluation.ts'

/** A case with all that is known of it. */
export type ResolvedCase = {
  readonly name: string
  readonly input: string
  readonly expected?: Json
  readonly thread?: string
}

/** Reads what cases leave to their threads, and checks that no two have the same name. */
export async function resolveCases(cases: readonly EvalCase[], journal: Journal): Promise<readonly ResolvedCase[]> {
  if (cases.length === 0) throw invalid('There are no cases.', 'Write one JSON object a line: {"input": "...", "expected": "..."}.', {})
  const resolved: ResolvedCase[] = []
  const names = new Set<string>()
  for (const [index, one] of cases.entries()) {
    const name = one.name ?? one.thread ?? String(index + 1)
    if (names.has(name)) throw invalid(`Two cases are named ${JSON.stringify(name)}.`, 'Give each a name of its own.', { name })
    names.add(name)
    resolved.push({ ...(await whole(one, { name, journal })), name })
  }
  return resolved
}

async function whole(one: EvalCase, { name, journal }: { readonly name: string; readonly journal: Journal }): Promise<Omit<ResolvedCase, 'name'>> {
  const { input, expected, thread } = one
  const given = expected === undefined ? {} : { expected }
  if (thread === undefined) {
    if (typeof input === 'string' && input.trim() !== '') return { input, ...given }
    throw invalid(`The case ${JSON.stringify(name)} asks nothing.`, 'Give it an input, or a thread.', { name })
  }
  const first = await firstRun(journal, thread)
  return { input: input ?? first.input, ...(first.text !== undefined && { expected: first.text }), ...given, thread }
}

/** What a thread was asked first, and what it answered. */
async function firstRun(journal: Journal, thread: string): Promise<{ readonly input: string; readonly text: string | undefined }> {
  let input: string | undefined
  let text: string | undefined
  for await (const event of readEvents(journal, thread)) {
    if (event.type === 'run.started' && 'request' in event.data && input === undefined) {
      input = textOf(event.data.request.input.flatMap((message) => (message.role === 'user' ? message.parts : [])))
    } else if (event.type === 'model.replied') text = textOf(event.data.parts)
    else if (event.type === 'run.finished') return { input: input ?? '', text: text ?? '' }
  }
  if (input !== undefined) return { input, text: undefined }
  throw new LoomError(
    'LOOM_THREAD_NOT_FOUND',
    `The case ${JSON.stringify(thread)} is a thread that this journal does not have, or that was asked nothing.`,
    {
      context: { thread },
    },
  )
}

const textOf = (parts: readonly Part[]): string => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')

/** Reads a file with one case a line. */
export function casesOf(text: string, file: string): readonly EvalCase[] {
  return text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [caseOf(line, `${file}:${index + 1}`)]))
}

function caseOf(line: string, where: string): EvalCase {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw invalid(`${where} is not JSON: ${error instanceof Error ? error.message : String(error)}.`, 'Write one JSON object a line.', { where })
  }
  const known = new Set(['name', 'input', 'thread', 'expected'])
  const isCase =
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(([key, part]) => known.has(key) && (key === 'expected' || typeof part === 'string'))
  if (isCase) return value as EvalCase
  throw invalid(`${where} is no case.`, 'A case has an input or a thread, and may have a name and what is expected.', { where })
}

function invalid(what: string, advice: string, context: { readonly [key: string]: string }): LoomError {
  return new LoomError('LOOM_INPUT_INVALID', `${what} ${advice}`, { context })
}
