/** Starting a run on a new thread: which agent, and what it is told. */
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useLoaded, useServer } from '../../data/use-server.tsx'
import { useWords } from '../../design/words.tsx'
import { go } from '../../route/navigation.tsx'
import { threadPath } from '../../route/place.ts'
import { Dialog } from '../../shell/dialog.tsx'
import { ControlNote } from './control-bar.tsx'
import type { Done } from './use-control.ts'
import { controlWords } from './words.ts'

/** What is chosen and typed, and starting it. A start that is sent again starts no second run. */
function useStart(onClose: () => void) {
  const { client } = useServer()
  const agents = useLoaded({ of: 'agents', load: (of) => of.listAgents() })
  const [chosen, setChosen] = useState<string>()
  const [message, setMessage] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [last, setLast] = useState<Done>()
  const id = useRef(crypto.randomUUID())
  const names = agents.data?.items.map(({ name }) => name)
  const agent = chosen ?? names?.[0]
  const isReady = agent !== undefined && message.trim() !== '' && !isBusy
  const start = async (): Promise<void> => {
    if (!isReady) return
    setIsBusy(true)
    try {
      const { thread } = await client.startRun({ agent }, { input: message, id: id.current })
      onClose()
      go(threadPath({ thread, seq: undefined }, { view: 'chat' }))
    } catch (error) {
      setLast({ error })
      setIsBusy(false)
    }
  }
  const write = (next: string): void => {
    setMessage(next)
    id.current = crypto.randomUUID()
  }
  return { names, agent, setChosen, message, write, isReady, last, start }
}

/** The dialog. The run that was started is opened as a conversation. */
export function NewRun({ onClose }: { readonly onClose: () => void }): ReactNode {
  const text = useWords(controlWords)
  const { names, agent, setChosen, message, write, isReady, last, start } = useStart(onClose)
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void start()
  }
  return (
    <Dialog label={text.newRun} onClose={onClose}>
      <h2>{text.newRun}</h2>
      {names?.length === 0 && <p className="fault">{text.noAgents}</p>}
      <label className="new-run-field">
        <span className="soft">{text.agent}</span>
        <select className="field" value={agent ?? ''} onChange={({ target }) => setChosen(target.value)}>
          {names?.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label className="new-run-field">
        <span className="soft">{text.message}</span>
        <textarea className="field control-field" rows={4} value={message} onChange={({ target }) => write(target.value)} onKeyDown={press} />
      </label>
      <div className="control-buttons">
        <button type="button" className="button primary" disabled={!isReady} onClick={() => void start()}>
          {text.start} <kbd>⌃⏎</kbd>
        </button>
        <button type="button" className="button" onClick={onClose}>
          {text.cancel}
        </button>
      </div>
      <ControlNote last={last} hint={text.startHint} />
    </Dialog>
  )
}
