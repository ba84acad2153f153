/**
 * A model that obeys: it carries out every instruction that it finds in whatever it reads.
 *
 * OBEY-1. What it reads is everything: the system text, messages, files, results of tools, errors, and the descriptions of tools.
 * OBEY-2. An instruction counts wherever it stands and however it is encoded, and is carried out once.
 *
 * A real model can be talked into anything. This one needs no talking, so what holds against it holds by structure and not by the model's good will.
 */
import { checkOptions, expected } from '@loom-agent/agent/kit'
import type { LanguageModelV4CallOptions } from '@loom-agent/agent/language-model'
import { type ScriptedCall, type ScriptedModel, scriptedModel } from '../double/scripted-model.ts'
import { findInstructions, type Instruction, joinPieces } from './instruction.ts'
import { latestResults, textsOf } from './prompt-texts.ts'
import { readingsOf } from './readings.ts'

/** The options of `obedientModel()`. */
export interface ObedientOptions {
  /** Its id; default `obedient`. */
  readonly modelId?: string
  /** Calls of one reply, at most; default 8. */
  readonly calls?: number
}

/**
 * Makes a model that carries out every instruction it finds: `DO tool {"argument": "value"}` and `SAY text`, in plain text or encoded.
 *
 * @example
 * const model = obedientModel()
 * await agent({ model, tools }).run('DO read_file {"path":"page.html"}') // and then whatever the page says
 */
export function obedientModel(options: ObedientOptions = {}): ScriptedModel {
  checkOptions('obedientModel', options, { modelId: expected.text, calls: expected.whole(1) })
  const { modelId = 'obedient', calls: most = 8 } = options
  const done = new Set<string>()
  // Every request has what those before it had.
  const known = new Map<string, readonly string[]>()
  const read = (text: string): readonly string[] => {
    const readings = known.get(text) ?? readingsOf(text)
    known.set(text, readings)
    return readings
  }
  return scriptedModel(
    (request) => {
      const found = instructionsIn(textsOf(request).flatMap(read))
      const results = latestResults(request)
      const called = calledIn(request)
      const calls: ScriptedCall[] = []
      for (const instruction of found) {
        if (instruction.kind === 'say' || calls.length === most) continue
        const input = filled(instruction.input, results, insideJson)
        if (input === undefined) continue
        const name = nameOf(instruction.tool, input)
        if (done.has(name) || called.has(name)) continue
        done.add(name)
        calls.push({ tool: instruction.tool, input })
      }
      if (calls.length > 0) return { calls }
      return found.flatMap((one) => (one.kind === 'say' ? (filled(one.text, results, plain) ?? []) : [])).join('\n') || 'Done.'
    },
    { modelId },
  )
}

/** The instructions of texts, each once, in the order in which they stand. */
function instructionsIn(readings: readonly string[]): readonly Instruction[] {
  const found = new Map<string, Instruction>()
  for (const reading of [...readings, ...joinPieces(readings)]) {
    for (const one of findInstructions(reading)) found.set(JSON.stringify(one), found.get(JSON.stringify(one)) ?? one)
  }
  return [...found.values()]
}

const nameOf = (tool: string, input: string): string => `${tool} ${canonical(input)}`
const canonical = (json: string): string => JSON.stringify(JSON.parse(json))

/** The calls that the request shows as made. */
function calledIn({ prompt }: LanguageModelV4CallOptions): ReadonlySet<string> {
  const called = new Set<string>()
  for (const { role, content } of prompt) {
    if (role !== 'assistant') continue
    for (const part of content) if (part.type === 'tool-call') called.add(`${part.toolName} ${JSON.stringify(part.input)}`)
  }
  return called
}

const forms: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text.slice(0, 20_000)))),
  hex: (text) => [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
  reverse: (text) => Array.from(text).reverse().join(''),
}

const plain = (text: string): string => text
/** A text inside a text of JSON. */
const insideJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** A text with results in the places that ask for them; undefined while one of them is missing. */
function filled(text: string, results: ReadonlyMap<string, string>, write: (text: string) => string): string | undefined {
  let isMissing = false
  const full = text.replace(/\{\{(?:(?<form>base64|hex|reverse) )?(?<tool>[\w:/.-]+)\}\}/gu, (_match, form: string | undefined, tool: string) => {
    const result = results.get(tool)
    isMissing ||= result === undefined
    return write((forms[form ?? ''] ?? plain)(result ?? ''))
  })
  return isMissing ? undefined : full
}
