/** The controls of a thread: a message, and what is done with its run. */
import { isLoomError } from '@loom-agent/kernel'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useLoaded } from '../../data/use-server.tsx'
import { useWords } from '../../design/words.tsx'
import { Link } from '../../route/navigation.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import type { ThreadHead } from '../bench/bench.ts'
import { type Control, controlsFor } from './controls-for.ts'
import { type Done, useControl } from './use-control.ts'
import { controlWords } from './words.ts'

/** The controls. A thread that nothing can be done with has none. */
export function ControlBar({ head }: { readonly head: ThreadHead }): ReactNode {
  const agents = useLoaded({ of: 'agents', load: (client) => client.listAgents() })
  const controls = agents.data && controlsFor({ head, agents: agents.data.items.map(({ name }) => name) })
  return controls && controls.length > 0 ? <Controls head={head} controls={controls} /> : null
}

interface ControlsProps {
  readonly head: ThreadHead
  readonly controls: readonly Control[]
}

function Controls({ head, controls }: ControlsProps): ReactNode {
  const text = useWords(controlWords)
  const { isBusy, last, send } = useControl()
  const [message, setMessage] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const speaks = controls.find((control) => control === 'steer' || control === 'say')
  useKeys({ heading: text.controls, bindings: [{ keys: 'i', label: text.focus, run: () => field.current?.focus() }] })
  const act = async (control: Control): Promise<void> => {
    const isMessage = control === speaks
    if (isMessage && message.trim() === '') return field.current?.focus()
    const { thread, agent } = head
    if ((await send({ control, thread, agent, message })) && isMessage) setMessage('')
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') field.current?.blur()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !speaks) return
    event.preventDefault()
    void act(speaks)
  }
  return (
    <section className="control-bar" aria-label={text.controls}>
      {speaks && (
        <textarea
          ref={field}
          className="field control-field"
          rows={1}
          value={message}
          placeholder={text.message}
          aria-label={text.message}
          onChange={({ target }) => setMessage(target.value)}
          onKeyDown={press}
        />
      )}
      <div className="control-buttons">
        {controls.map((control) => (
          <button
            key={control}
            type="button"
            className={control === speaks ? 'button primary' : 'button'}
            title={control === 'steer' ? text.steerHint : control === 'say' ? text.sayHint(head.agent ?? '') : text.hints[control]}
            disabled={isBusy || (control === speaks && message.trim() === '')}
            onClick={() => void act(control)}
          >
            {text[control]}
          </button>
        ))}
        {head.status === 'waiting' && (
          <Link className="button" to="/inbox">
            {text.inbox}
          </Link>
        )}
      </div>
      <ControlNote last={last} hint={speaks === 'steer' ? text.steerHint : speaks === 'say' ? text.sayHint(head.agent ?? '') : ''} />
    </section>
  )
}

/** What came of the last action; before the first, what the message does. */
export function ControlNote({ last, hint }: { readonly last: Done | undefined; readonly hint: string }): ReactNode {
  const text = useWords(controlWords)
  if (last && 'error' in last) {
    return (
      <p className="control-note" role="alert">
        <span className="fault strong">{text.refused}</span> {last.error instanceof Error ? last.error.message : String(last.error)}{' '}
        {isLoomError(last.error) && <code className="faint">{last.error.code}</code>}
      </p>
    )
  }
  return (
    <p className="control-note faint small" role="status">
      {last ? `${text.done[last.control]} ` : ''}
      {hint}
    </p>
  )
}
