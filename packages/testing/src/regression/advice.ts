/** What to do about a divergence: one sentence for each place where an agent can change. */
import type { LoomEvent } from '@loom-agent/kernel'

/** The first pattern that fits the place decides. */
const advices: readonly (readonly [place: RegExp, advice: string])[] = [
  [
    /^(run\.started|run\.queued)\.request\.(limits|settings)/,
    'The agent has other limits or settings, or the run was given some: say so with { given }.',
  ],
  [/^(run\.started|run\.queued)\.request\.agent/, 'The agent has another name: look whether it is the right one.'],
  [/^(run\.started|run\.queued)/, 'The run starts differently: look at the options of the agent.'],
  [/^context\.assembled\.rebase\.tools/, 'The model is given other tools: look at names, descriptions and schemas.'],
  [/^context\.assembled\.rebase\.system/, 'The model is given other instructions: look at the instructions and at hooks that change them.'],
  [/^context\.|^retrieval\./, 'The context is assembled differently: look at the context strategy.'],
  [/^request\.messages/, 'The model would be sent other messages: look at hooks, at the context strategy and at the version of Loom.'],
  [/^request\.settings/, 'The model would be called with other settings: look at settings and hooks.'],
  [/^model\.requested\.reserved/, 'Another amount is reserved: look at the limits.'],
  [/^model\.replied\.parts.*serial/, 'Calls may run side by side that did not, or the other way round: look at effect and schedule of the tool.'],
  [/^model\.replied\.output/, 'The output schema judges the same answer differently: look at what it requires.'],
  [/^model\.failed\.triesAgain/, 'The model is asked again where it was not, or not where it was: look at behaviour.attempts.'],
  [/^model\./, 'The same reply of the model is read differently: look at tools, schemas and hooks.'],
  [/^tool\.started\.effect|^tool\.started\.durable/, 'The tool is declared differently: what may be done after a crash has changed.'],
  [/^tool\.started\.input/, 'The tool is called with other arguments: look at its schema and at hooks before it.'],
  [/^tool\.started\.allowedBy/, 'Another rule allows the call: look at the permissions.'],
  [/^tool\.(started|denied)|^question\./, 'The call is judged differently: look at permissions, schema, availability and hooks.'],
  [/^tool\.step|^child\.started/, 'The durable body takes another path: look at what it does between its waits.'],
  [/^tool\.finished/, 'The result is made differently: look at schema, availability, behaviour.outputLimit, timeout and hooks of the tool.'],
  [/^child\.finished/, 'The child comes to another end: look at the agent that it is.'],
  [/^hook\.applied/, 'A hook changes something else than it did: look at its patch.'],
  [
    /^turn\.entered|^run\.(stopped|failed|finished)/,
    'The run continues, or ends, differently: look at limits, loop limits, hooks, output schema and required tools.',
  ],
]

/** One sentence about a place. */
export function adviceFor(type: LoomEvent['type'] | 'request', path: string): string {
  const place = path === '' ? type : `${type}.${path}`
  const [, advice = 'Look at what has changed in the agent.'] = advices.find(([pattern]) => pattern.test(place)) ?? []
  return advice
}
