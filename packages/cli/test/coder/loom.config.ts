/** A project with the coder, and a model that does what it is told: the same in every process, for the same conversation. */
import { coder } from '@loom-agent/cli/coder'
import { scriptedModel } from '@loom-agent/testing'
import { sqlite } from 'loom-agent'

/** How often the model had answered since the last message of a person. */
const model = scriptedModel(({ prompt }) => {
  const last = prompt.findLastIndex(({ role }) => role === 'user')
  const content = prompt[last]?.content
  const text = typeof content === 'string' ? content : (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
  const since = prompt.slice(last).filter(({ role }) => role === 'assistant').length
  const [, word = '', rest = ''] = /^(\w+):? ?(.*)/s.exec(text) ?? []
  if (word === 'edit' && since === 0) {
    const [from = '', to = ''] = rest.split(' to ')
    return { text: 'I change a.txt.', calls: [{ tool: 'edit', input: { path: 'a.txt', edits: [{ old: from, new: to }] } }] }
  }
  if (word === 'run' && since === 0) return { text: 'I run that.', calls: [{ tool: 'bash', input: { command: rest } }] }
  if (word === 'say') return { text: rest, deltas: rest.match(/[\s\S]{1,7}/g) ?? [] }
  if (word === 'stall') return { text: 'one two three four', stallAfter: 3 }
  if (word === 'lines') return Array.from({ length: Number(rest) }, (_, at) => `line ${at + 1}`).join('\n')
  return since > 0 ? 'Done.' : `You said: ${text}`
})

export default {
  agents: () => [coder({ root: process.cwd(), journal: sqlite('loom.db'), model })],
}
