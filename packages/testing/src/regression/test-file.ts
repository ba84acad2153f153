/** The generated test: short enough to be read, and to be changed. */
import type { LoomEvent } from '@loom-agent/kernel'
import { count } from './left-out.ts'

/** What the test is about. */
export interface TestFile {
  readonly name: string
  readonly thread: string
  readonly agent: { readonly module: string; readonly export: string }
  readonly events: readonly LoomEvent[]
  readonly leftOut: readonly string[]
}

/** The text of the test. */
export function testText({ name, thread, agent, events, leftOut }: TestFile): string {
  const { line, used } = importOf(agent)
  const turns = events.filter(({ type }) => type === 'turn.entered').length
  const calls = events.flatMap((event) => (event.type === 'model.replied' ? event.data.parts.filter(({ type }) => type === 'call') : [])).length
  return [
    '/**',
    ` * ${comment(`The thread ${thread} as it was recorded: ${count(turns, 'turn')}, ${count(calls, 'call')}.`)}`,
    ' *',
    ' * Not captured:',
    ...leftOut.map((line) => ` * - ${comment(line)}`),
    ' */',
    "import { assertSameRun } from '@loom-agent/testing'",
    "import { test } from 'vitest'",
    line,
    '',
    `const fixture = new URL(${quoted(`./${name}.journal.json`)}, import.meta.url)`,
    '',
    `test(${quoted(`${name} runs as recorded`)}, async () => {`,
    `  await assertSameRun(${used}, fixture)`,
    '})',
    '',
  ].join('\n')
}

/** The text of the test of what the recorded runs of an agent share. */
export function sharedTestText(file: string, agent: TestFile['agent']): string {
  const { line, used } = importOf(agent)
  return [
    '/** What all recorded runs of the agent share: a change of it is reported here, and not by their tests. */',
    "import { assertSameAgent } from '@loom-agent/testing'",
    "import { test } from 'vitest'",
    line,
    '',
    `test(${quoted('instructions, tools, settings and limits are those of the recorded runs')}, async () => {`,
    `  await assertSameAgent(${used}, new URL(${quoted(`./${file}`)}, import.meta.url))`,
    '})',
    '',
  ].join('\n')
}

/** How the agent is imported, and the name that it has then. */
function importOf({ module, export: name }: TestFile['agent']): { readonly line: string; readonly used: string } {
  const used = name === 'default' ? 'agent' : name
  return { line: `import ${name === 'default' ? used : `{ ${used} }`} from ${quoted(module)}`, used }
}

/** A quoted text must not end the comment that it is in. */
const comment = (text: string): string => text.replaceAll('*/', '* /').replace(/\s+/g, ' ')

const quoted = (text: string): string => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
