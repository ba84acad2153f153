/** What a chat does with its agent: sends, queues, steers, stops, answers. */
import { steer } from '@loom-agent/agent'
import { line } from '../screen/line.ts'
import { begun } from './begin-run.ts'
import type { ChatSession, Perform } from './chat-session.ts'
import { pathsLike, withMentions } from './mentions.ts'
import { completed } from './on-key.ts'
import { performCommand } from './perform-command.ts'
import { performPick } from './perform-pick.ts'

/** Performs what a key has asked for. */
export const perform: Perform = async (session, action) => {
  const { agent, by } = session
  const signed = by === undefined ? {} : { by }
  const { thread } = session.state()
  switch (action.kind) {
    case 'send':
      return send(session, action.text)
    case 'queue':
      return send(session, action.text)
    case 'steer':
      return thread === undefined ? send(session, action.text) : steerOrSend(session, thread, action.text)
    case 'stop':
      if (thread !== undefined) await agent.stop(thread, 'interrupted in the chat', signed)
      return
    case 'quit':
      return session.quit(action.code)
    case 'answer':
      return agent.answer(action.question.id, { ...action.answer, ...signed })
    case 'command':
      return performCommand(session, action.name, action.argument)
    case 'pick':
      return performPick(session, action.purpose, action.value)
    case 'complete':
      return session.take(completed(session.state(), action.word, pathsLike(action.word, session.folder)))
  }
}

/** Starts a run with a message, or queues it behind the one that is under way. */
async function send(session: ChatSession, text: string): Promise<void> {
  const { agent, folder } = session
  const { thread, mode, chosenModel } = session.state()
  const { input, notes } = withMentions(text, folder)
  if (notes.length > 0) {
    session.take(
      session.state(),
      notes.map((note) => line(`  ${note}`, 'yellow')),
    )
  }
  const handle = agent.start(input, {
    ...(thread !== undefined && { thread }),
    ...(chosenModel !== undefined && { model: chosenModel }),
    permissions: { rules: [], mostMode: mode },
    whenBusy: 'queue',
  })
  await begun(session, handle)
}

/** A run that has just ended takes no message: it is sent as a new one. */
async function steerOrSend(session: ChatSession, thread: string, text: string): Promise<void> {
  const { agent, by } = session
  if (session.state().status === 'idle') return send(session, text)
  await steer(agent.journal, thread, text, by === undefined ? {} : { by })
}
