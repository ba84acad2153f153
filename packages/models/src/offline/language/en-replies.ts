/** What the offline model says in English. */
import type { Replies } from './pack.ts'

const list = (items: readonly string[]): string => items.join(', ')

/** English sentences. */
export const englishReplies: Replies = {
  label: "I am Loom's offline model: fixed rules, not a language model.",
  needMark: 'I still need',
  hello: () => 'I carry out plain requests with the tools I am given.',
  greeting: () => 'Hello! I carry out plain requests with the tools I am given.',
  cannot: (raw) => `I cannot do that: "${raw}". My rules found no tool for it, so nothing was done.`,
  negated: (raw) => `You told me not to: "${raw}". Nothing was done.`,
  unsure: (tools) => `I am not sure which tool you mean: ${list(tools)}. Name it, and I will use it. Nothing was done.`,
  notAll: (raw) => `I understood only a part of the request, so nothing was done. I cannot do this part: "${raw}".`,
  leftAlone: (raw) => `I left this alone, because my rules do not understand it: "${raw}".`,
  tooLong: (characters) =>
    `That has ${characters} characters, and my rules read only short requests. Put long texts in quotation marks. Nothing was done.`,
  abilities: (tools) =>
    tools.length === 0
      ? 'I have no tools here. I can calculate, such as 2 + 2 * 10.'
      : `I can calculate, and use these tools:\n${tools.map(({ name, needs }) => `- ${name}${needs.length > 0 ? ` (needs ${list(needs)})` : ''}`).join('\n')}\nSay what to do in plain words, with names, paths and texts in quotation marks.`,
  need: (tool, fields) => `I still need ${list(fields)} to use ${tool}. Please tell me; I do not make up what you did not say.`,
  noWords: () => 'I cannot write a text of my own; put the text that you want in quotation marks.',
  result: (tool, text) => (text.includes('\n') ? `${tool}:\n${text}` : `${tool}: ${text}`),
  empty: (tool) => `${tool} returned nothing.`,
  wrote: (path) => `I wrote ${path}.`,
  summary: (path, text) => `Summary of ${path}, in sentences taken from it:\n${text}`,
  failed: (tool, reason) => `${tool} failed: ${reason}`,
  denied: (tool, reason) => `I was not permitted to use ${tool}${reason === '' ? '' : ` (${reason})`}, so I did not. I will not try again.`,
  repaired: (tool) => `The first call of ${tool} did not fit; I mended its arguments as the error said.`,
  left: (tools) => `Not done any more: ${list(tools)}.`,
  incomplete: (tool) => `What ${tool} returned is not complete, so I did not write it anywhere. Ask for a summary, or for fewer lines.`,
  cut: (characters) => `[... ${characters} more characters]`,
  sum: (expression, value) => `${expression} = ${value}`,
}
