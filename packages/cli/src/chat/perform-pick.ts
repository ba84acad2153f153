/** What was chosen out of a list, done: another thread, another way from a moment, a rewind. */

import { type Line, line } from '../screen/line.ts'
import { threadAt } from '../thread/moment.ts'
import { rewoundLines } from '../thread/rewound-lines.ts'
import { begun } from './begin-run.ts'
import type { ChatSession } from './chat-session.ts'
import type { Picker } from './chat-state.ts'
import { withText } from './editor.ts'

/** A person sits at the terminal: what calls ask is what their policy asks, as before the fork. */
const live = { effects: 'live' } as const

/** Does what the list was for. */
export async function performPick(session: ChatSession, purpose: Picker['purpose'], value: string): Promise<void> {
  if (purpose === 'resume') return goOn(session, value)
  const said = await messageAfter(session, value)
  if (purpose === 'fork') {
    const { thread } = await session.agent.fork(value, live)
    await goOn(session, thread)
  } else {
    const rewound = await session.agent.rewind(value, live)
    const lines = rewoundLines(rewound).map((text): Line => line(`  ${text}`, rewound.conflicts.length > 0 ? 'yellow' : 'green'))
    await goOn(session, rewound.thread)
    session.take(session.state(), lines)
  }
  const state = session.state()
  if (said !== undefined && state.editor.text === '') session.take({ ...state, editor: withText(state.editor, said) })
}

/** Goes on with a thread: shows the latest of it, and drives on what was under way. */
export async function goOn(session: ChatSession, thread: string): Promise<void> {
  await session.turnTo(thread)
  const head = await session.agent.journal.head(thread)
  if (head?.summary.status === 'running') await begun(session, session.agent.resume(thread))
}

/** The message that begins right after a moment, for the editor: it is what a person wants to say in another way. */
async function messageAfter({ agent }: ChatSession, at: string): Promise<string | undefined> {
  const { thread, seq } = threadAt(at)
  const [event] = seq === undefined ? [] : await agent.journal.read(thread, { from: seq + 1, limit: 1 })
  if (event?.type !== 'run.started') return undefined
  const data = event.data as {
    readonly request?: { readonly input: readonly { readonly parts?: readonly { readonly type: string; readonly text?: string }[] }[] }
  }
  const first = data.request?.input[0]?.parts?.find(({ type }) => type === 'text')
  return first?.text
}
