/** What becomes of one call under a policy, found out by running it. */
import { type AgentOptions, agent, type Schema, type Tool, type ToolDefinition, tool, type Verdict } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { factsOf } from './journals.ts'

type Definition = ToolDefinition<never, unknown, false>

/** A call to be judged. */
export interface Trial extends Pick<AgentOptions, 'permissions' | 'deps' | 'hooks'> {
  readonly name?: string
  readonly effect?: Extract<Definition['effect'], string>
  readonly permission?: Definition['permission']
  readonly schema?: Schema
  readonly input?: object
}

/** What became of it. */
export interface Trialled {
  readonly verdict: Verdict
  readonly allowedBy: string | undefined
  /** What the model was shown, and what the tool was given. */
  readonly shown: string
  readonly given: readonly unknown[]
  readonly prompt: string | undefined
}

/** A tool that remembers what it was given. */
export function remembering({ name = 'act', effect, permission, schema }: Trial, given: unknown[]): Tool {
  return tool({
    name,
    ...(schema && { input: schema }),
    ...(effect && { effect }),
    ...(permission !== undefined && { permission: permission as 'ask' }),
    ...(effect === 'reconcilable' && { check: () => ({ status: 'unknown' as const }) }),
    run: (value) => {
      given.push(value)
      return 'acted'
    },
  })
}

/** Runs an agent whose model makes the call, and says what came of it. */
export async function trial(options: Trial): Promise<Trialled> {
  const { name = 'act', input = {}, schema: _, ...rest } = options
  const given: unknown[] = []
  const model = scriptedModel([{ calls: [{ tool: name, input }] }, 'ok'])
  const { permissions, deps, hooks } = rest
  const optional = { ...(permissions && { permissions }), ...(deps !== undefined && { deps }), ...(hooks && { hooks }) }
  const tried = agent({ model, tools: [remembering(options, given)], ...optional })
  const result = await tried.run('go', { thread: 't' })
  const [denied] = await factsOf(tried, 't', 'tool.denied')
  const [started] = await factsOf(tried, 't', 'tool.started')
  const [asked] = await factsOf(tried, 't', 'question.asked')
  const ran = given.length > 0
  const verdict = denied ? 'deny' : asked ? 'ask' : 'allow'
  if (ran !== (verdict === 'allow') || ran !== (started !== undefined)) throw new Error(`The call ran: ${ran}, and its verdict was ${verdict}.`)
  if ((result.status === 'waiting') !== (verdict === 'ask')) throw new Error(`The run is ${result.status}, and the verdict was ${verdict}.`)
  return { verdict, allowedBy: started?.data.allowedBy, shown: JSON.stringify(model.requests[1]?.prompt.at(-1)), given, prompt: asked?.data.prompt }
}

/** The strictest of some verdicts. */
export function strictest(verdicts: readonly Verdict[]): Verdict | undefined {
  return (['deny', 'ask', 'allow'] as const).find((verdict) => verdicts.includes(verdict))
}
