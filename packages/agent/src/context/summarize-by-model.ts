/** A summary that a model writes. Loaded where a strategy has a model for it. */
import { addUsage, type Entry, type Failure, type Usage } from '@loom-agent/kernel'
import { generateText } from '../model/generate-text.ts'
import { type Model, modelId } from '../model/model.ts'
import { messageOf } from '../platform/normalize.ts'
import { textOf } from '../types/text-of.ts'
import type { Summarizing } from './compress-options.ts'
import { emptySections, type Points, readSummary, sectionNames } from './sections.ts'
import type { ContextRequest } from './strategy.ts'
import { compressionPrompt } from './texts.ts'
import { outputText } from './trim.ts'

/** What a model was paid for. */
export interface Paid {
  readonly usage: Usage
  readonly cost?: number
  readonly model: string
}

/** What came of asking a model: the points that it wrote, or why there are none; and what it has used, where it replied (COMPRESS-2). */
export type ModelSummary = { readonly points: Points; readonly paid: Paid } | { readonly failure: Failure; readonly paid?: Paid }

/** Characters of one result that the model is shown. */
const resultShown = 2000

/** Asks the model for the points of each section. A model that fails, or writes nothing that can be read, is a failure, never an exception. */
export async function summarizeByModel(
  request: ContextRequest,
  { options, former, perSection }: Summarizing,
  entries: readonly Entry[],
): Promise<ModelSummary> {
  try {
    const model = await request.resolveModel(options.model as Model)
    const id = modelId(model)
    if (isRefused(request, id))
      return failed(`the price of ${id} is not known, and limits.cost holds. Set limits.unpriced to 'allow', or give ports.price.`)
    const prompt = [
      former.summary ? `The summary so far:\n\n${former.summary.summary}\n\nWhat came after it:` : 'The conversation:',
      transcriptOf(entries),
    ].join('\n\n')
    const { text, usage } = await generateText(model, {
      system: compressionPrompt(perSection),
      prompt,
      maxOutputTokens: sectionNames.length * perSection * 2,
      signal: request.signal,
    })
    const points = fitting(readSummary(text), request, perSection)
    const cost = request.model.price(usage, id)
    const paid = { usage: addUsage(usage, { input: 0, output: 0 }), ...(cost !== undefined && { cost }), model: id }
    if (sectionNames.every((name) => points[name].length === 0)) return { ...failed(`${id} wrote no section that can be read.`), paid }
    return { points, paid }
  } catch (error) {
    return failed(messageOf(error))
  }
}

/** Whether a model must not be asked: what it costs is not known, and the run has a limit of cost. */
function isRefused({ frame: { run }, model }: ContextRequest, id: string): boolean {
  const { cost, unpriced } = run?.limits ?? {}
  return cost !== undefined && unpriced !== 'allow' && model.price({ input: 0, output: 0 }, id) === undefined
}

/** What was thrown ends as it likes; what follows begins a sentence. */
const sentence = (why: string): string => (/[.!?。！？]$/u.test(why) ? why : `${why}.`)

const failed = (why: string): { readonly failure: Failure } => ({
  failure: {
    code: 'LOOM_COMPRESSION_FAILED',
    message: `No model has made the summary: ${sentence(why)} Sentences were extracted instead.`,
    recoverable: true,
  },
})

/** The first points of each section that fit. */
function fitting(points: Points, { tokens }: ContextRequest, most: number): Points {
  const kept = emptySections<string>()
  for (const name of sectionNames) {
    let used = 0
    for (const point of points[name]) {
      used += tokens.text(`- ${point}\n`)
      if (used > most) break
      kept[name].push(point)
    }
  }
  return kept
}

/** Entries as a model reads them. */
function transcriptOf(entries: readonly Entry[]): string {
  return entries.map(({ message }) => (message.role === 'tool' ? resultsOf(message) : `${message.role}: ${indented(saidIn(message))}`)).join('\n\n')
}

/** A text whose further lines are set in: a line of a result that begins with "user:" is no message of the user. */
const indented = (text: string): string => text.replace(/\r\n?|[\n\u2028\u2029]/g, '\n  ')

function saidIn({ parts }: Exclude<Entry['message'], { role: 'tool' }>): string {
  const calls = parts.flatMap((part) => (part.type === 'call' ? [`[calls ${part.name} with ${JSON.stringify(part.input)}]`] : []))
  return [textOf(parts), ...calls].filter((text) => text !== '').join('\n')
}

function resultsOf({ results }: Extract<Entry['message'], { role: 'tool' }>): string {
  return results
    .map(({ name, call, output }) => indented(`result of ${name} (call ${call}): ${outputText(output).slice(0, resultShown).toWellFormed()}`))
    .join('\n')
}
