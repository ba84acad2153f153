/** What a run still has to do where a limit is reached. */
import { at, type Frame, items, type Run } from '@loom-agent/kernel'

/** What is pending in the run of a thread that has reached a limit, in words that begin a sentence. */
export function pendingIn(frame: Frame, run: Run): string {
  const messages = frame.steering.length
  const unread = [...resultsIn(frame, run), ...(messages > 0 ? [`${messages} ${messages === 1 ? 'message' : 'messages'}`] : [])]
  if (unread.length > 0) return `Pending: the model has not read ${unread.join(' and ')}.`
  return at(frame.history, frame.history.length - 1)?.origin === 'input' ? 'Pending: the model has not read the input.' : 'Pending: another turn.'
}

/** The results that no request has shown to the model: those of the turn, or once the turn is closed, those at the end of the history. */
function resultsIn({ history }: Frame, { calls }: Run): readonly string[] {
  const last = at(history, history.length - 1)?.message
  const closed = last?.role === 'tool' ? last.results.map(({ name }) => name) : []
  const tools = calls.length > 0 ? Array.from(items(calls), ({ part }) => part.name) : closed
  return tools.length > 0 ? [`the results of ${[...new Set(tools)].join(', ')}`] : []
}
