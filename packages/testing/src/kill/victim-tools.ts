/** The tools of a process that will be killed: their effects happen outside, where they are counted. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type DurableContext, jsonSchema, type Tool, type ToolContext, tool } from '@loom-agent/agent'
import type { Announcer } from './announcer.ts'
import type { Job } from './job.ts'
import type { Outside } from './outside.ts'
import { outcomeOf, stepValue, type ToolName, type TripStep } from './plan.ts'

/** What tools and humans work with. */
export interface VictimScene {
  readonly job: Job
  readonly outside: Outside
  readonly announcer: Announcer
}

interface Input {
  readonly what: string
  readonly size: number
}

const input = jsonSchema<Input>({
  type: 'object',
  properties: { what: { type: 'string' }, size: { type: 'number' } },
  required: ['what', 'size'],
})

/** An effect: what it is called outside, and the key that makes a repetition harmless. */
interface Act {
  readonly label: string
  readonly key?: string
}

/** Does something outside, and announces it. */
async function act({ job, outside, announcer }: VictimScene, { label, key }: Act): Promise<void> {
  const { life, process: number, linger } = job
  announcer.enter('asked')
  if (linger.before) await pause(linger.before)
  await outside.act({ life, process: number, label, ...(key !== undefined && { key }) })
  announcer.done(label)
  announcer.leave('asked')
  if (linger.after) await pause(linger.after)
}

const labelOf = ({ thread, call }: ToolContext): string => `${thread}/${call}`

/** The tools by name. */
export function victimTools(scene: VictimScene): { readonly [name in Exclude<ToolName, 'aide'>]: Tool } {
  return { ...quietTools(), ...keyedTools(scene), ...unsafeTools(scene), trip: tripTool(scene) }
}

/** Tools without effects. */
function quietTools(): { readonly add: Tool; readonly look: Tool } {
  return {
    add: tool({ name: 'add', input, effect: 'pure', run: (given) => outcomeOf({ tool: 'add', input: given }) }),
    look: tool({
      name: 'look',
      input,
      effect: 'read',
      async run(given) {
        await pause(1)
        return outcomeOf({ tool: 'look', input: given })
      },
    }),
  }
}

/** Tools whose effects can be recognised. */
function keyedTools(scene: VictimScene): { readonly put: Tool; readonly book: Tool } {
  const { outside, job } = scene
  const { faults, life } = job
  return {
    put: tool({
      name: 'put',
      input,
      effect: 'idempotent',
      schedule: { parallel: true },
      async run(given, context) {
        await act(scene, { label: labelOf(context), key: faults.includes('fresh-key') ? randomUUID() : context.key })
        return outcomeOf({ tool: 'put', input: given })
      },
    }),
    book: tool({
      name: 'book',
      input,
      effect: 'reconcilable',
      async check(_key, context) {
        const happened = !faults.includes('lying-check') && (await outside.count(life, labelOf(context))) > 0
        return happened ? { status: 'done', result: outcomeOf({ tool: 'book', input: { what: context.call, size: 0 } }) } : { status: 'not-done' }
      },
      async run(given, context) {
        await act(scene, { label: labelOf(context) })
        return outcomeOf({ tool: 'book', input: given })
      },
    }),
  }
}

/** Tools that must not run twice: one runs, one asks first. */
function unsafeTools(scene: VictimScene): { readonly send: Tool; readonly pay: Tool } {
  const { faults } = scene.job
  const isEarly = faults.includes('acts-early')
  return {
    send: tool({
      name: 'send',
      input,
      effect: faults.includes('wrong-class') ? 'idempotent' : 'unsafe',
      async permission({ what }, { thread }): Promise<'allow'> {
        if (isEarly) await act(scene, { label: `${thread}/${what}` })
        return 'allow'
      },
      async run(given, context) {
        if (!isEarly) await act(scene, { label: labelOf(context) })
        return outcomeOf({ tool: 'send', input: given })
      },
    }),
    pay: tool({
      name: 'pay',
      input,
      permission: 'ask',
      async run(given, context) {
        await act(scene, { label: labelOf(context) })
        return outcomeOf({ tool: 'pay', input: given })
      },
    }),
  }
}

/** A durable body with steps of two classes, a question and a sleep. */
function tripTool(scene: VictimScene): Tool {
  const perform = (context: DurableContext, name: TripStep, what: string): Promise<string> => {
    const effect = name === 'note' ? 'idempotent' : 'unsafe'
    const run = async ({ key }: { readonly key: string }): Promise<string> => {
      const label = `${labelOf(context)}/step:${name}:1`
      await act(scene, effect === 'idempotent' ? { label, key } : { label })
      return stepValue(name, what)
    }
    return context.step(name, run, { effect })
  }
  return tool({
    name: 'trip',
    input,
    durable: true,
    async run(given, context) {
      await perform(context, 'reserve', given.what)
      await perform(context, 'note', given.what)
      const answer = await context.ask(`Is ${given.what} fine?`)
      await context.sleep(2)
      await perform(context, 'confirm', given.what)
      if (answer.kind !== 'respond') throw new Error(`${given.what} was answered by ${answer.kind}`)
      return outcomeOf({ tool: 'trip', input: given })
    },
  })
}
