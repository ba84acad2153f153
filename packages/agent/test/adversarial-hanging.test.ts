/** Code of others that never settles and ignores every signal. A run that is stopped ends all the same, and its thread is free. */
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type AgentOptions, agent, createAgentFactory, type Hook, hookPoints, memoryJournal, tool } from '@loom-agent/agent'
import { type ScriptStep, scriptedModel } from '@loom-agent/testing'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { describe, expect, test } from 'vitest'
import { idle, until } from '../../../test/support/event-loop.ts'
import { typesOf } from './journals.ts'

const never = new Promise<never>(() => {})

/** A case in which something hangs once `reached` was called. */
type HangingCase = (hang: () => Promise<never>) => AgentOptions

const calling: readonly ScriptStep[] = [{ calls: [{ tool: 'act' }] }, 'ok']
const act = tool({ name: 'act', effect: 'read', run: () => 'acted' })

/** A model that is no help: it says nothing, and does not listen. */
function deafModel(hang: () => Promise<never>, where: 'before the stream' | 'in the stream'): LanguageModelV4 {
  const stream = (): ReadableStream<never> => new ReadableStream({ pull: hang })
  return { ...scriptedModel('never'), doStream: where === 'in the stream' ? async () => ({ stream: stream() }) : hang }
}

const slowSchema = (hang: () => Promise<never>): StandardSchemaV1 => ({
  '~standard': { version: 1, vendor: 'slow', validate: hang, jsonSchema: { input: () => ({ type: 'object' }), output: () => ({}) } } as never,
})

const cases: Record<string, HangingCase> = {
  'a model that does not answer': (hang) => ({ model: deafModel(hang, 'before the stream') }),
  'a model whose stream says nothing': (hang) => ({ model: deafModel(hang, 'in the stream') }),
  'dependencies that do not come': (hang) => ({ model: scriptedModel('ok'), deps: hang }),
  'instructions that do not come': (hang) => ({ model: scriptedModel('ok'), instructions: hang }),
  'tools that do not come': (hang) => ({ model: scriptedModel('ok'), tools: hang }),
  'a context strategy': (hang) => ({ model: scriptedModel('ok'), context: { name: 'slow', assemble: hang } }),
  'a permission function': (hang) => ({ model: scriptedModel(calling), tools: [tool({ name: 'act', permission: hang, run: () => 1 })] }),
  'the `when` of a rule': (hang) => ({
    model: scriptedModel(calling),
    tools: [act],
    permissions: { rules: [{ tool: 'act', verdict: 'allow', when: hang }] },
  }),
  'the schema of a tool': (hang) => ({ model: scriptedModel(calling), tools: [tool({ name: 'act', input: slowSchema(hang), run: () => 1 })] }),
  'the body of a tool': (hang) => ({ model: scriptedModel(calling), tools: [tool({ name: 'act', run: hang })] }),
  'a generator': (hang) => ({
    model: scriptedModel(calling),
    tools: [
      tool({
        name: 'act',
        effect: 'read',
        async *run() {
          yield 1
          await hang()
        },
      }),
    ],
  }),
  'a step of a durable tool': (hang) => ({
    model: scriptedModel(calling),
    tools: [tool({ name: 'act', durable: true, run: (_, ctx) => ctx.step('s', hang) })],
  }),
  'the model of a child': (hang) => ({
    model: scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'go' } }] }, 'ok']),
    tools: [agent({ name: 'child', model: deafModel(hang, 'before the stream'), behaviour: { grace: 20 } })],
  }),
  'the resolver of questions': (hang) => ({
    model: scriptedModel(calling),
    tools: [tool({ name: 'act', permission: 'ask', run: () => 1 })],
    onQuestion: hang,
  }),
  'the schema of the output': (hang) => ({ model: scriptedModel('{}'), output: slowSchema(hang) as never }),
  ...Object.fromEntries(
    hookPoints.map((point): [string, HangingCase] => [
      `the hook ${point}`,
      (hang) => ({ model: scriptedModel(calling), tools: [act], hooks: [{ [point]: hang } as Hook] }),
    ]),
  ),
}

async function stopWhenHanging(hangingCase: HangingCase, make = agent) {
  const journal = memoryJournal()
  let hanging: () => void = () => {}
  const reached = new Promise<void>((resolve) => (hanging = resolve))
  const hang = (): Promise<never> => {
    hanging()
    return never
  }
  const stuck = make({ ...hangingCase(hang), journal, behaviour: { grace: 20 } })
  const run = stuck.start('go', { thread: 't' })
  await reached
  await idle()
  await run.stop('enough')
  return { journal, status: (await run.result()).status }
}

describe('a run that is stopped ends, and its thread goes on, whatever hangs', () => {
  test.concurrent.each(Object.entries(cases))('%s', async (_, hangingCase) => {
    const { journal, status } = await stopWhenHanging(hangingCase)
    expect(status).toBe('stopped')
    // A driver keeps the thread while what it aborted has its grace.
    await until(async () => (await journal.head('t'))?.holder === undefined)
    const healthy = agent({ model: scriptedModel('Here I am.'), journal })
    expect(await healthy.run('again', { thread: 't' })).toMatchObject({ status: 'done', text: 'Here I am.' })
  })

  test('whatever turns an id into a model', async () => {
    const hangs: (() => Promise<never>)[] = []
    const make = createAgentFactory({ resolveModel: () => hangs[0]?.() ?? never })
    const { status } = await stopWhenHanging((hang) => {
      hangs.push(hang)
      return { model: 'some/model' }
    }, make)
    expect(status).toBe('stopped')
  })
})

describe('a model that falls silent and does not listen to its signal', () => {
  test.each(['before the stream', 'in the stream'] as const)('%s counts as failed after a while, and is tried again', async (where) => {
    let asked = 0
    const good = scriptedModel('Here I am.')
    const deaf = deafModel(() => never, where)
    const model: LanguageModelV4 = { ...good, doStream: (request) => (++asked === 1 ? deaf : good).doStream(request) }
    const patient = agent({ model, behaviour: { modelIdle: 20, grace: 20 }, ports: { random: () => 0 } })
    expect(await patient.run('go', { thread: 't' })).toMatchObject({ status: 'done', text: 'Here I am.' })
    expect(await typesOf(patient, 't')).toContain('model.failed')
  })
})

describe('a signal', () => {
  test('reaches a context strategy when the run is stopped', async () => {
    let aborted: boolean | undefined
    let reached: () => void = () => {}
    const begun = new Promise<void>((resolve) => (reached = resolve))
    const context: AgentOptions['context'] = {
      name: 'summarises',
      assemble: ({ signal }) =>
        new Promise((_, refuse) => {
          reached()
          aborted = signal.aborted
          signal.addEventListener('abort', () => {
            aborted = true
            refuse(new Error('aborted'))
          })
        }),
    }
    const run = agent({ model: scriptedModel('ok'), context, behaviour: { grace: 20 } }).start('go')
    await begun
    await run.stop()
    expect(await run.result()).toMatchObject({ status: 'stopped' })
    expect(aborted).toBe(true)
  })

  test('reaches a hook before a call when the run is stopped', async () => {
    let aborted = false
    let reached: () => void = () => {}
    const begun = new Promise<void>((resolve) => (reached = resolve))
    const hooks: readonly Hook[] = [
      {
        beforeToolExecution: ({ signal }) => {
          reached()
          return new Promise((resolve) =>
            signal.addEventListener('abort', () => {
              aborted = true
              resolve(undefined)
            }),
          )
        },
      },
    ]
    const run = agent({ model: scriptedModel(calling), tools: [act], hooks, behaviour: { grace: 20 } }).start('go')
    await begun
    await run.stop()
    expect(await run.result()).toMatchObject({ status: 'stopped' })
    expect(aborted).toBe(true)
  })
})
