/** What assembling a context does to the frame. */
import { addMessage, type Handlers, pay } from './fresh.ts'
import { append } from './list.ts'
import type { Message } from './message.ts'
import { addTaint } from './taint.ts'

type ContextEvent = `context.${'assembled' | 'compressed' | 'compression-failed'}` | 'retrieval.finished'

const none: readonly never[] = []
const said = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })

/** Events about what the model is shown. */
export const contextHandlers: Handlers<ContextEvent> = {
  'context.assembled'({ frame, run }, event) {
    const { rebase, items: added = none } = event.data
    for (const item of added) {
      addMessage(frame, event, { origin: 'item', message: said(item.text), item })
      if (item.trust) frame.taint = addTaint(frame.taint, { untrusted: { what: `${item.kind} ${item.id}` } }, { seq: event.seq })
    }
    const { system, tools, segments = none, layers } = rebase ?? frame.context
    const context = { rebases: frame.context.rebases + (rebase ? 1 : 0), system, tools, segments, covered: frame.history.length }
    frame.context = layers ? { ...context, layers } : context
    frame.compact &&= !rebase
    run.phase = 'model'
    run.rebase = undefined
  },
  'context.compressed'({ frame, run }, { data }) {
    frame.summaries = append(frame.summaries, data)
    pay(run, data.usage, data.cost)
  },
  'context.compression-failed'() {},
  'retrieval.finished'({ frame }, event) {
    const text = event.data.documents.map(({ id, title = '', text }) => `[${id}] ${title}\n${text}`).join('\n\n')
    addMessage(frame, event, { origin: 'retrieved', message: said(text) })
  },
}
