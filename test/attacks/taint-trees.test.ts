/**
 * Taint over random trees of calls and children, against an oracle that was written from the contract alone: a call that sends something out is asked about
 * exactly when its thread has read both kinds by then, with what the call itself reads that is private; and what it names is the first item of each kind.
 */
import { agent, approve, type Question, readEvents, type Tool, tool } from '@loom-agent/agent'
import type { Journal, Taint, TaintedBy } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'

type Label = keyof Taint
/** A call that reads or sends, or one that runs a child; a turn has one child, or calls that run one after another. */
type Act = { readonly kind: 'call'; readonly brings: readonly Label[]; readonly sends: boolean }
type Turn =
  | { readonly kind: 'calls'; readonly acts: readonly Act[] }
  | { readonly kind: 'child'; readonly brings: readonly Label[]; readonly plan: Plan }
type Plan = readonly Turn[]

const labels = fc.subarray<Label>(['untrusted', 'private'])
const act = fc.record({ kind: fc.constant('call' as const), brings: fc.oneof(fc.constant([]), labels), sends: fc.boolean() })
const calls = fc.record({ kind: fc.constant('calls' as const), acts: fc.array(act, { minLength: 1, maxLength: 3 }) })
const { plan } = fc.letrec<{ plan: Plan; turn: Turn }>((tie) => ({
  plan: fc.array(tie('turn'), { minLength: 1, maxLength: 4 }),
  turn: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    calls,
    calls,
    fc.record({ kind: fc.constant('child' as const), brings: fc.oneof(fc.constant([]), labels), plan: tie('plan') }),
  ),
}))

/** What the oracle says of one call that sends: where it is, by what it is tainted, and whether it is asked about. */
interface Sent {
  readonly at: string
  readonly taint: { readonly [L in Label]?: string }
  readonly isAsked: boolean
}

type Read = { -readonly [L in Label]?: string }

/** What happens in a plan, on the thread with this path: what it reads beyond what was read before, and what it sends. */
function foretell(turns: Plan, path: string, before: Read): { readonly read: Read; readonly sent: readonly Sent[] } {
  const read: Read = { ...before }
  const sent: Sent[] = []
  const add = (brought: readonly Label[], at: string): void => {
    for (const label of brought) read[label] ??= at
  }
  for (const [index, turn] of turns.entries()) {
    if (turn.kind === 'child') {
      const at = `${path}:${index + 1}.0`
      const given: Read = { ...read }
      for (const label of turn.brings) given[label] ??= at
      const child = foretell(turn.plan, `${path}/${index + 1}.0`, given)
      sent.push(...child.sent)
      for (const label of ['untrusted', 'private'] as const)
        if (given[label] === undefined && child.read[label] !== undefined) read[label] ??= child.read[label]
      add(turn.brings, at)
      continue
    }
    for (const [place, one] of turn.acts.entries()) {
      const at = `${path}:${index + 1}.${place}`
      const secret = read.private ?? (one.brings.includes('private') ? at : undefined)
      const taint = { ...(read.untrusted && { untrusted: read.untrusted }), ...(secret && { private: secret }) }
      if (one.sends) sent.push({ at, taint, isAsked: read.untrusted !== undefined && secret !== undefined })
      add(one.brings, at)
    }
  }
  return { read, sent }
}

/** An agent that does what a plan says. */
function agentOf(turns: Plan, path: string) {
  const tools: Record<string, Tool> = {}
  const script = turns.map((turn, index) => {
    if (turn.kind === 'child') {
      const name = `child_${index}`
      const child = agentOf(turn.plan, `${path}/${index + 1}.0`)
      tools[name] = tool({ durable: true, taint: { brings: turn.brings }, run: async (_, ctx) => (await ctx.run(child, 'Go on.')).text })
      return { calls: [{ tool: name }] }
    }
    return {
      calls: turn.acts.map(({ brings, sends }, place) => {
        const name = `act_${index}_${place}`
        tools[name] = tool({ taint: { brings, sends }, run: () => 'Done.' })
        return { tool: name }
      }),
    }
  })
  return agent({ name: `a${path.replaceAll('/', '-').replaceAll('.', '_')}`, model: scriptedModel([...script, 'Done.']), tools })
}

/** What the journals say was sent, in the words of the oracle. */
async function observe(journal: Journal, thread: string, path: string, asked: ReadonlySet<string>): Promise<readonly Sent[]> {
  const paths = new Map([[thread, path]])
  const found: Sent[] = []
  const sends = new Map<string, Taint>()
  const look = async (of: string, at: string): Promise<void> => {
    for await (const { type, data } of readEvents(journal, of)) {
      if (type === 'child.started') paths.set(data.child, `${at}/${data.call}`)
      if (type === 'child.started') await look(data.child, `${at}/${data.call}`)
      if (type === 'tool.started' && data.taint) sends.set(`${of}:${data.call}`, data.taint)
    }
  }
  await look(thread, path)
  const nameOf = (item: TaintedBy, own: string): string => `${paths.get(item.thread ?? own)}:${item.call}`
  for (const [id, taint] of sends) {
    const [own = '', call = ''] = id.split(/:(?=[\d.]+$)/)
    const named = Object.fromEntries(Object.entries(taint).map(([label, item]) => [label, nameOf(item, own)]))
    found.push({ at: `${paths.get(own)}:${call}`, taint: named, isAsked: asked.has(id) })
  }
  return found
}

const inOrder = (sent: readonly Sent[]): readonly Sent[] => [...sent].sort((a, b) => (a.at < b.at ? -1 : 1))

test('calls are tainted and asked about as the contract says, in any tree', async () => {
  let askedAbout = 0
  await fc.assert(
    fc.asyncProperty(plan, async (turns) => {
      const asked = new Set<string>()
      const onQuestion = ({ thread, call }: Question) => {
        asked.add(`${thread}:${call?.id}`)
        return approve()
      }
      const root = agentOf(turns, 'root')
      const result = await root.run('Go.', { thread: 't', onQuestion })
      expect(result.status).toBe('done')
      const { sent } = foretell(turns, 'root', {})
      // What was tainted by nothing is not in the record.
      const expected = sent.filter(({ taint }) => Object.keys(taint).length > 0)
      expect(inOrder(await observe(root.journal, 't', 'root', asked))).toEqual(inOrder(expected))
      askedAbout += expected.filter(({ isAsked }) => isAsked).length
    }),
    { numRuns: 150, seed: 7 },
  )
  expect(askedAbout).toBeGreaterThan(50)
})
