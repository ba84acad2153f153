/** What each bundler is given: an agent with a tool, a journal where there is one, and a model by the id of a provider. */
import { createModels } from '@loom-agent/models'
import { agent, isLoomError, memoryJournal, sqlite, tool } from 'loom-agent'

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
let calls = 0
const model = {
  specificationVersion: 'v4',
  provider: 'mine',
  modelId: 'scripted',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('It only streams.')),
  doStream: async () => ({
    stream: new ReadableStream({
      start(controller) {
        const isFirst = calls++ === 0
        controller.enqueue(
          isFirst ? { type: 'tool-call', toolCallId: 'c', toolName: 'add', input: '{"a":2}' } : { type: 'text-delta', id: '1', delta: 'It is 4.' },
        )
        controller.enqueue({ type: 'finish', finishReason: { unified: isFirst ? 'tool-calls' : 'stop' }, usage })
        controller.close()
      },
    }),
  }),
}

function openJournal() {
  try {
    return { kind: 'sqlite', journal: sqlite(':memory:') }
  } catch (error) {
    if (isLoomError(error)) return { kind: 'memory', journal: memoryJournal() }
    throw error
  }
}

async function resolve() {
  try {
    return (await createModels({ env: { ANTHROPIC_API_KEY: 'unused' } }).resolveModel('anthropic/claude-sonnet-5-5')).provider
  } catch (error) {
    if (isLoomError(error)) return error.context.install
    throw error
  }
}

/** Runs the program and returns what came of it. */
export async function main() {
  const { kind, journal } = openJournal()
  const add = tool({ name: 'add', effect: 'pure', run: () => 4 })
  const { text } = await agent({ name: 'math', model, tools: [add], journal }).run('2+2?')
  return { text, journal: kind, provider: await resolve() }
}
