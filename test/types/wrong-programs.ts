/**
 * Programs that must not compile. The wrong line ends with the error it must have, and no other line may have one: so the rest is right.
 *
 * `TS` and the number are the compiler's, what follows must be in its message.
 */

const prelude = `import { agent, type Hook, jsonSchema, tool } from 'loom-agent'
import { z } from 'zod'
export interface Shop { readonly orders: Map<number, string> }
export const look = tool<Shop>()({ name: 'look', run: (_, ctx) => ctx.deps.orders.size })
export const used: unknown[] = [agent, jsonSchema, z]
export type UsedHook = Hook
`

const programs: Readonly<Record<string, string>> = {
  'an argument that the zod schema does not have': `
export const wrong = tool({
  input: z.object({ id: z.number() }),
  run: (input) => input.name, // TS2339: 'name' does not exist on type '{ id: number; }'
})`,
  'an argument used as another type than the schema says': `
export const wrong = tool({
  input: z.object({ id: z.number() }),
  run: ({ id }) => id.toUpperCase(), // TS2339: 'toUpperCase' does not exist on type 'number'
})`,
  'an argument that the type of a jsonSchema does not have': `
export const wrong = tool({
  input: jsonSchema<{ id: number }>({ type: 'object' }),
  run: (input) => input.name, // TS2339: 'name' does not exist on type '{ id: number; }'
})`,
  'an argument of a jsonSchema without a type': `
export const wrong = tool({
  input: jsonSchema({ type: 'object' }),
  run: (input) => input.name, // TS18046: 'input' is of type 'unknown'
})`,
  'an argument of a tool without a schema': `
export const wrong = tool({
  run: (input): number => input['id'], // TS2322: Type 'undefined' is not assignable to type 'number'
})`,
  'a schema that is none': `
export const wrong = tool({
  input: { id: 'number' }, // TS2353: 'id' does not exist in type 'StandardSchemaV1<unknown, unknown>'
  run: () => 1,
})`,
  'an effect class that there is not': `
export const wrong = tool({
  effect: 'safe', // TS2322: Type '"safe"' is not assignable to type '((input: Record<string, never>) => EffectClass) | EffectClass'
  run: () => 1,
})`,
  'a tool without a body': `
export const wrong = tool({ name: 'idle' }) // TS2741: Property 'run' is missing
`,
  'a dependency that the tool was not promised': `
export const wrong = tool<Shop>()({
  run: (_, ctx) => ctx.deps.customers, // TS2339: 'customers' does not exist on type 'Shop'
})`,
  'dependencies without a type': `
export const wrong = tool({
  run: (_, ctx) => ctx.deps.orders, // TS18046: 'ctx.deps' is of type 'unknown'
})`,
  'a tool in an agent that lacks what the tool needs': `
export const wrong = agent<{ readonly orders: number }>()({
  tools: [look], // TS2322: Type 'Tool<Shop>' is not assignable
})`,
  'a tool in a record of an agent that lacks what the tool needs': `
export const wrong = agent<{ readonly other: string }>()({
  tools: { look }, // TS2322: Property 'orders' is missing in type '{ readonly other: string; }'
})`,
  'a run of an agent whose dependencies are not given': `
const clerk = agent<Shop>()({ tools: [look] })
await clerk.run('Hi') // TS2554: Expected 2 arguments, but got 1
`,
  'a run without the dependencies that the tools need': `
const clerk = agent({ tools: [look] })
await clerk.run('Hi', { thread: 't' }) // TS2345: Property 'deps' is missing
`,
  'a run with a part of its dependencies': `
const clerk = agent<Shop>()({ tools: [look] })
await clerk.run('Hi', { deps: {} }) // TS2741: Property 'orders' is missing in type '{}'
`,
  'a run of an agent whose child needs dependencies that are not given': `
const child = agent<Shop>()({ name: 'child', tools: [look] })
const parent = agent({ tools: { child } })
await parent.run('Hi') // TS2554: Expected 2 arguments, but got 1
`,
  'a child in an agent that lacks what the child needs': `
const child = agent<Shop>()({ name: 'child', tools: [look] })
export const wrong = agent<{ readonly other: string }>()({
  tools: { child }, // TS2322: Property 'orders' is missing in type '{ readonly other: string; }'
})`,
  'a child in a list of an agent that has other dependencies': `
const child = agent<Shop>()({ name: 'child', tools: [look] })
export const wrong = agent({
  deps: { orders: 7 }, // TS2322: Type 'number' is not assignable to type 'Map<number, string>'
  tools: [child],
})`,
  'a child of a child in an agent that lacks what it needs': `
const child = agent<Shop>()({ name: 'child', tools: [look] })
const parent = agent({ name: 'parent', tools: { child } })
export const wrong = agent<{ readonly other: string }>()({
  tools: { parent }, // TS2322: Property 'orders' is missing in type '{ readonly other: string; }'
})`,
  'a child that tools given as a function return, and the agent cannot give it what it needs': `
const child = agent<Shop>()({ name: 'child', tools: [look] })
export const wrong = agent<{ readonly other: string }>()({
  tools: () => ({ child }), // TS2322: Property 'orders' is missing in type '{ readonly other: string; }'
})`,
  'a child of one run that needs other dependencies': `
const child = agent<Shop>()({ name: 'child', tools: [look] })
await agent<{ readonly other: string }>()({ deps: { other: '' } }).run('Hi', {
  tools: { child }, // TS2322: Property 'orders' is missing in type '{ readonly other: string; }'
  deps: { other: '' },
})`,
  'a child that a durable tool runs without the dependencies that it needs': `
const child = agent<Shop>()({ name: 'child', tools: [look] })
export const wrong = tool({
  durable: true,
  run: (_, ctx) => ctx.run(child, 'Go.'), // TS2379: is not assignable to parameter of type 'AnyAgent<string, unknown>'
})`,
  'a child that a durable tool with other dependencies runs': `
const child = agent<Shop>()({ name: 'child', tools: [look] })
export const wrong = tool<{ readonly other: string }>()({
  durable: true,
  run: (_, ctx) => ctx.run(child, 'Go.'), // TS2379: Property 'orders' is missing in type '{ readonly other: string; }'
})`,
  'an agent that is given other dependencies than it says': `
export const wrong = agent<Shop>()({
  deps: () => ({ orders: 7 }), // TS2322: Type 'number' is not assignable to type 'Map<number, string>'
})`,
  'the output of a run that may not be done': `
const result = await agent({ output: z.object({ total: z.number() }) }).run('Hi')
console.log(result.output) // TS2339: 'output' does not exist on type
`,
  'a member that the output does not have': `
const result = await agent({ output: z.object({ total: z.number() }) }).run('Hi')
if (result.status === 'done') console.log(result.output.sum) // TS2339: 'sum' does not exist on type '{ total: number; }'
`,
  'the error of a run that is done': `
const result = await agent({}).run('Hi')
if (result.status === 'done') console.log(result.error) // TS2339: 'error' does not exist on type 'Done<string>'
`,
  'a status that there is not': `
const result = await agent({}).run('Hi')
if (result.status === 'finished') console.log(result) // TS2367: no overlap
`,
  ...Object.fromEntries(
    [
      ['step', `ctx.step('once', () => 1)`],
      ['ask', `ctx.ask('Home?')`],
      ['run', `ctx.run(agent({}), 'Go.')`],
      ['sleep', `ctx.sleep(1)`],
    ].map(([member, use]) => [
      `${member} in a tool that is not durable`,
      `
export const wrong = tool({
  run: (_, ctx) => ${use}, // TS2339: '${member}' does not exist on type 'ToolContext<unknown>'
})`,
    ]),
  ),
  'a step taken for another type': `
export const wrong = tool({
  durable: true,
  async run(_, ctx) {
    const count: string = await ctx.step('count', () => 1) // TS2322: Type 'number' is not assignable to type 'string'
    return count
  },
})`,
  'an option of an agent that there is not': `
export const wrong = agent({
  instruction: 'Be exact.', // TS2561: Did you mean to write 'instructions'?
})`,
  'an option of an agent with dependencies that there is not': `
export const wrong = agent<Shop>()({
  deps: { orders: new Map() },
  toolz: [look], // TS2561: Did you mean to write 'tools'?
})`,
  'an option of a tool that there is not': `
export const wrong = tool({
  run: () => 1,
  efect: 'pure', // TS2561: Did you mean to write 'effect'?
})`,
  'an option of a schedule that there is not': `
export const wrong = tool({
  run: () => 1,
  schedule: { timeOut: 5 }, // TS2561: Did you mean to write 'timeout'?
})`,
  'a behaviour that there is not': `
export const wrong = agent({
  behaviour: { retries: 3 }, // TS2353: 'retries' does not exist in type 'Behaviour'
})`,
  'a limit that there is not': `
export const wrong = agent({
  limits: { turn: 3 }, // TS2561: Did you mean to write 'turns'?
})`,
  'a setting that there is not': `
export const wrong = agent({
  settings: { temprature: 0 }, // TS2561: Did you mean to write 'temperature'?
})`,
  'an option of a run that there is not': `
await agent({}).run('Hi', {
  threads: 't', // TS2561: Did you mean to write 'thread'?
})`,
  'an option of resume that only a fresh run has': `
agent({}).resume('t', {
  whenBusy: 'queue', // TS2353: 'whenBusy' does not exist in type
})`,
  'a limit of one run with a text': `
await agent({}).run('Hi', {
  limits: { turns: 'three' }, // TS2322: Type 'string' is not assignable to type 'number'
})`,
  'tools of one run that need other dependencies': `
await agent<{ readonly other: string }>()({ deps: { other: '' } }).run('Hi', {
  tools: [look], // TS2322: Type 'Tool<Shop>' is not assignable
  deps: { other: '' },
})`,
  'a verdict that there is not': `
export const wrong = agent({
  permissions: { look: 'maybe' }, // TS2322: Type '"maybe"' is not assignable to type 'Verdict
})`,
  'something in tools that is no tool': `
export const wrong = agent({
  tools: { look: 7 }, // TS2322: Type 'number' is not assignable to type 'ToolLike
})`,
  'an event that there is not': `
for await (const event of agent({}).stream('Hi')) {
  if (event.type === 'tool.ended') console.log(event) // TS2367: no overlap
}`,
  'a member of another event': `
for await (const event of agent({}).stream('Hi')) {
  if (event.type === 'tool.finished') console.log(event.data.prompt) // TS2339: 'prompt' does not exist on type
}`,
  'the text of a signal that has none': `
for await (const event of agent({}).stream('Hi')) {
  if (event.type === 'text-end') console.log(event.text) // TS2339: 'text' does not exist on type
}`,
  'a hook point that there is not': `
export const wrong: Hook = {
  beforeToolCall: () => undefined, // TS2561: 'beforeToolCall' does not exist in type 'Hook<unknown>'
}`,
  'a patch that the point does not take': `
export const wrong: Hook = {
  beforeIterationStart: () => ({ says: 'Mind the gap.' }), // TS2322: Type '{ says: string; }' is not assignable
}`,
  'a hook that needs other dependencies than its agent has': `
const onlyShops: Hook<Shop> = { beforeIterationStart: ({ deps }) => void deps.orders.size }
export const wrong = agent<{ readonly other: string }>()({
  hooks: [onlyShops], // TS2375: Type 'Hook<Shop>' is not assignable to type 'Hook<{ readonly other: string; }>'
})`,
  'a hook that needs more than its agent has': `
const onlyOwners: Hook<Shop & { readonly owner: string }> = { beforeIterationStart: ({ deps }) => void deps.owner.length }
export const wrong = agent<Shop>()({
  hooks: [onlyOwners], // TS2375: Property 'owner' is missing in type 'Shop'
})`,
  'the call of a hook changed in place': `
export const wrong: Hook = {
  beforeToolExecution(_, call) {
    call.input = {} // TS2540: Cannot assign to 'input' because it is a read-only property
  },
}`,
}

/** The programs by what is wrong with them, whole. */
export const wrongPrograms: readonly (readonly [what: string, program: string])[] = Object.entries(programs).map(([what, code]) => [
  what,
  `${prelude}${code.trim()}\n`,
])
