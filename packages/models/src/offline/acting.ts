/** The next reply: a plan, followed as far as the transcript says it has come. */
import type { Value } from './filling.ts'
import type { LanguagePack } from './language/pack.ts'
import { type Argument, aboutOf, isRef, type PlannedCall, type Stage } from './plan.ts'
import { type Input, repairInput } from './repairing.ts'
import { summarise } from './summarising.ts'
import type { ToolCard } from './tool-card.ts'
import type { Done } from './transcript.ts'

/** A call to make now. */
export interface NextCall {
  readonly tool: string
  readonly input: Input
}

/** What is to be done next, or what there is to tell at the end. */
export type Act = { readonly kind: 'call'; readonly calls: readonly NextCall[] } | { readonly kind: 'tell'; readonly lines: readonly string[] }

/** What acting looks at. */
export interface ActScene {
  readonly cards: readonly ToolCard[]
  readonly pack: LanguagePack
  readonly done: readonly Done[]
  /** Characters of a result that are shown. */
  readonly shown: number
}

/** The texts that the calls of a stage have found. */
type Found = readonly string[] | undefined

/** How one planned call stands. */
type Standing =
  | { readonly kind: 'open'; readonly input: Input }
  | { readonly kind: 'ok'; readonly text: string; readonly repaired: boolean }
  | { readonly kind: 'error' | 'denied'; readonly text: string }

/** Follows the stages one after another; the first that is not done decides. A stage that failed is the last. */
export function act(stages: readonly Stage[], scene: ActScene): Act {
  const { pack } = scene
  const lines: string[] = []
  const found: Found[] = []
  const used = new Set<Done>()
  for (const [index, stage] of stages.entries()) {
    if (stage.kind === 'say') {
      found.push([stage.text])
      lines.push(stage.text)
      continue
    }
    const bad = stage.calls.map(({ input }) => unusable(input, { found, stages })).find((tool) => tool !== undefined)
    if (bad !== undefined) return tell([...lines, pack.replies.incomplete(bad)], stages.slice(index), pack)
    const standings = stage.calls.map((call) => standingOf(call, resolve(call.input, found), { ...scene, used }))
    const next = standings.flatMap((standing, at) => (standing.kind === 'open' ? [{ tool: stage.calls[at]?.tool ?? '', input: standing.input }] : []))
    if (next.length > 0) return { kind: 'call', calls: next }
    lines.push(...standings.flatMap((standing, at) => linesOf(standing, { stage, call: stage.calls[at], scene })))
    if (standings.some(({ kind }) => kind === 'error' || kind === 'denied')) return tell(lines, stages.slice(index + 1), pack)
    found.push(standings.map((standing) => (standing.kind === 'ok' ? standing.text : '')))
  }
  return { kind: 'tell', lines }
}

function tell(lines: readonly string[], rest: readonly Stage[], { replies }: LanguagePack): Act {
  const left = rest.flatMap((stage) => (stage.kind === 'calls' ? stage.calls.map(({ tool }) => tool) : []))
  return { kind: 'tell', lines: left.length > 0 ? [...lines, replies.left(left)] : lines }
}

const incomplete = /\[\.\.\. \d+ characters left out \.\.\.\]|\[lines? \d+(?:-\d+)? of [^\]]*\]\s*$/

/** The tool whose result is not whole and is to be handed on word for word. */
function unusable(input: PlannedCall['input'], { found, stages }: { found: readonly Found[]; stages: readonly Stage[] }): string | undefined {
  for (const argument of Object.values(input)) {
    if (!isRef(argument) || argument.as === 'summary' || argument.before !== undefined) continue
    const stage = stages[argument.stage]
    const isBad = (text: string): boolean => (argument.as === 'number' ? numberIn(text) === undefined : incomplete.test(text))
    if (found[argument.stage]?.some(isBad)) return stage?.kind === 'calls' ? stage.calls[0]?.tool : ''
  }
  return undefined
}

const resolve = (input: PlannedCall['input'], found: readonly Found[]): Input =>
  Object.fromEntries(Object.entries(input).map(([name, argument]) => [name, textOf(argument, found)]))

/** The number that a result ends with: `20`, or `14 + 6 = 20`. */
function numberIn(text: string): number | undefined {
  const last = text.match(/-?\d+(?:,\d{3})*(?:\.\d+)?/g)?.at(-1)
  return last === undefined ? undefined : Number(last.replaceAll(',', ''))
}

function textOf(argument: Argument, found: readonly Found[]): Value {
  if (!isRef(argument)) return argument
  const text = (found[argument.stage] ?? []).join('\n')
  if (argument.as === 'number') return argument.after === undefined ? (numberIn(text) ?? text) : `${numberIn(text)}${argument.after}`
  return `${argument.before ?? ''}${argument.as === 'summary' ? summarise(text) : text}`
}

/** Finds the call among what was done: by its tool and by what was known of its arguments from the start, for what was found may have been cut since. */
function standingOf(call: PlannedCall, input: Input, scene: ActScene & { readonly used: Set<Done> }): Standing {
  const isThis =
    (wanted: Input) =>
    (done: Done): boolean => {
      const literal = Object.keys(wanted).filter((name) => !(name in call.input && isRef(call.input[name] as Argument)))
      return (
        !scene.used.has(done) && done.tool === call.tool && literal.every((name) => JSON.stringify(done.input[name]) === JSON.stringify(wanted[name]))
      )
    }
  const first = scene.done.find(isThis(input))
  if (!first) return { kind: 'open', input }
  scene.used.add(first)
  const { outcome } = first
  if (outcome.kind === 'ok') return { kind: 'ok', text: outcome.text, repaired: false }
  const card = scene.cards.find(({ name }) => name === call.tool)
  const better = outcome.kind === 'error' && card ? repairInput(input, outcome.text, { card, looks: call.looks }) : undefined
  if (!better) return { kind: outcome.kind, text: outcome.text }
  const second = scene.done.find(isThis(better))
  if (!second) return { kind: 'open', input: better }
  scene.used.add(second)
  return second.outcome.kind === 'ok'
    ? { kind: 'ok', text: second.outcome.text, repaired: true }
    : { kind: second.outcome.kind, text: second.outcome.text }
}

interface Telling {
  readonly stage: Extract<Stage, { kind: 'calls' }>
  readonly call: PlannedCall | undefined
  readonly scene: ActScene
}

function linesOf(standing: Standing, { stage, call, scene }: Telling): readonly string[] {
  const { replies } = scene.pack
  const tool = call?.tool ?? ''
  if (standing.kind === 'open') return []
  if (standing.kind !== 'ok') return [standing.kind === 'denied' ? replies.denied(tool, standing.text) : replies.failed(tool, standing.text)]
  const mended = standing.repaired ? [replies.repaired(tool)] : []
  if (stage.show === 'nothing') return mended
  // Somebody may have approved another place: then the result says which.
  const elsewhere = standing.text.includes('"path"') && !standing.text.includes(stage.about)
  if (stage.show === 'wrote' && !elsewhere) return [...mended, replies.wrote(stage.about)]
  if (standing.text.trim() === '') return [...mended, replies.empty(tool)]
  if (stage.show === 'summary') return [...mended, replies.summary(stage.about, summarise(standing.text))]
  const which = call && stage.calls.length > 1 ? `${tool} ${aboutOf(call)}` : tool
  return [...mended, replies.result(which, shorten(standing.text.trimEnd(), scene))]
}

function shorten(text: string, { shown, pack }: ActScene): string {
  return text.length <= shown ? text : `${text.slice(0, shown).toWellFormed()}\n${pack.replies.cut(text.length - shown)}`
}
