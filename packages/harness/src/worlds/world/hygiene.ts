/**
 * What the program of a world takes out of texts:
 *
 * - secrets of well-known formats, out of results, before the model reads them;
 * - addresses of sites that the program does not know, out of answers: a window that shows an answer loads the pictures in it.
 */
import type { Hook } from '@loom-agent/agent'
import { redactText } from '@loom-agent/agent/kit'
import type { Json, Output, Part } from '@loom-agent/kernel'
import type { Guards } from './guards.ts'

/** The hooks of a world. */
export function worldHooks({ redaction, answers }: Guards): readonly Hook[] {
  return [...(redaction ? [cleanResults] : []), ...(answers ? [cleanAnswers] : [])]
}

const cleanResults: Hook = { name: 'secrets', afterToolExecution: (_, { output }) => ({ output: cleanOutput(output) }) }

function cleanOutput(output: Output): Output {
  if (output.type === 'parts')
    return { ...output, value: output.value.map((part) => (part.type === 'text' ? { ...part, text: redactText(part.text) } : part)) }
  return output.type === 'json' ? { ...output, value: cleanJson(output.value) } : { ...output, value: redactText(output.value) }
}

const cleanJson = (value: Json): Json =>
  JSON.parse(JSON.stringify(value), (_, one: Json) => (typeof one === 'string' ? redactText(one) : one)) as Json

const cleanAnswers: Hook = { name: 'addresses', afterModelReply: (_, { parts }) => ({ parts: parts.map(cleanPart) }) }

const cleanPart = (part: Part): Part => (part.type === 'text' ? { ...part, text: part.text.replaceAll(address, knownOnly) } : part)

/** What a window may take for an address, with its protocol or without. */
const address = /(?:https?:)?\/\/(?<host>[^\s/?#()[\]"'<>]*)[^\s()[\]"'<>]*/giu

const knownOnly = (whole: string, host: string): string => (/^docs\.test(?::\d+)?$/i.test(host) ? whole : '[address left out]')
