/**
 * Deliveries that come in: what others send starts or steers runs.
 *
 * HOOK-IN-1. A delivery is looked into only after its signature was found to be that of a known secret, and its time one of now.
 * HOOK-IN-2. The id of the start follows from the hook and the id of the delivery: sent twice, to whichever server, it is one run (START-1).
 * HOOK-IN-3. What a delivery says was written by others: its run has read it as untrusted, unless the hook says otherwise.
 */
import type { Input } from '@loom-agent/agent'
import { LoomError } from '@loom-agent/kernel'
import { type Hook, type HookStart, hookInvalid } from '../../webhook/hook.ts'
import { verifyDelivery } from '../../webhook/signature.ts'
import type { Service } from './service.ts'
import { type StartedRun, startOf } from './started-run.ts'

/** What came in at a hook. */
export interface Incoming {
  readonly hook: Hook
  readonly headers: Headers
  readonly text: string
}

/** The id of a delivery that is believed. Throws `LOOM_ACCESS_DENIED`. */
async function believed({ hook, headers, text }: Incoming): Promise<string> {
  const { secrets, verify, window } = hook
  if (secrets) return verifyDelivery({ headers, body: text }, { secrets, window })
  const id = await verify?.({ headers, body: text })
  if (typeof id === 'string' && /^\S{1,150}$/.test(id)) return id
  throw new LoomError('LOOM_ACCESS_DENIED', `The hook ${hook.name} does not believe this delivery.`, { context: { status: 401, hook: hook.name } })
}

/** Starts what a delivery asks for. Returns undefined when it asks for nothing. */
export async function takeDelivery(service: Service, incoming: Incoming): Promise<StartedRun | undefined> {
  const { hook, headers, text } = incoming
  const id = await believed(incoming)
  const asked = await hook.start(bodyOf(text), { id, headers })
  if (asked === undefined) return undefined
  const { input, ...given } = isStart(asked) ? asked : { input: asked }
  const agent = service.agents.get(hook.agent)
  if (!agent) throw hookInvalid(hook.name, `there is no agent ${hook.agent} here.`)
  const startId = `hook:${hook.name}:${id}`
  const leave = service.admission.enterRun(`hook:${hook.name}`)
  try {
    const metadata = { ...given.metadata, hook: hook.name, delivery: id }
    const taint = hook.trusted ? undefined : { untrusted: `a delivery to the hook ${hook.name}` }
    const handle = agent.start(input, { ...given, id: startId, metadata, taint })
    handle.result().then(leave, leave)
    return await startOf(handle, startId)
  } catch (error) {
    leave()
    throw error
  }
}

const isStart = (asked: Input | HookStart): asked is HookStart => typeof asked === 'object' && !Array.isArray(asked) && 'input' in asked

/** The JSON of a body, or its text where it is none. */
function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
