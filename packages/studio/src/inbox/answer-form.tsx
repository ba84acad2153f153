/** What is typed for an answer: other arguments, a reason, or what stands for the result. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useWords } from '../design/words.tsx'
import { editableJson } from '../inert/hidden-characters.ts'
import type { Asked } from './asked.ts'
import { type AnswerBody, readDraft } from './draft.ts'
import { inboxWords } from './words.ts'

interface AnswerFormProps {
  readonly asked: Asked
  readonly kind: 'edit' | 'reject' | 'respond'
  readonly isBusy: boolean
  readonly onSend: (body: AnswerBody) => void
  readonly onCancel: () => void
}

/** What is typed, and sending it. */
function useForm({ asked, kind, onSend }: AnswerFormProps) {
  const [typed, setTyped] = useState(() => (kind === 'edit' ? editableJson(asked.call?.input) : ''))
  const [isJson, setIsJson] = useState(false)
  const [problem, setProblem] = useState<'not-json' | 'empty'>()
  const send = (): void => {
    const read = readDraft(asked, { kind, text: typed, isForThread: false, isJson })
    if ('problem' in read) return setProblem(read.problem)
    onSend(read.body)
  }
  const type = (next: string): void => {
    setTyped(next)
    setProblem(undefined)
  }
  return { typed, type, isJson, setIsJson, problem, send }
}

/** The form. Control and Enter sends it, Escape closes it. */
export function AnswerForm(props: AnswerFormProps): ReactNode {
  const { kind, isBusy, onCancel } = props
  const text = useWords(inboxWords)
  const { typed, type, isJson, setIsJson, problem, send } = useForm(props)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onCancel()
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className="answer-form"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <label className="answer-label">
        <span className="soft">{{ edit: text.input, reject: text.reason, respond: text.value }[kind]}</span>
        <textarea
          ref={field}
          className="field answer-field code"
          rows={kind === 'edit' ? 8 : 2}
          value={typed}
          aria-invalid={problem !== undefined}
          spellCheck={kind !== 'edit'}
          onChange={({ target }) => type(target.value)}
          onKeyDown={press}
        />
      </label>
      {problem && (
        <p className="fault" role="alert">
          {text.problems[problem]}
        </p>
      )}
      <div className="answer-actions">
        <button type="submit" className="button primary" disabled={isBusy}>
          {{ edit: text.approveEdited, reject: text.sendReject, respond: text.sendRespond }[kind]} <kbd>⌃⏎</kbd>
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {text.cancel}
        </button>
        {kind === 'respond' && (
          <label className="check">
            <input type="checkbox" checked={isJson} onChange={({ target }) => setIsJson(target.checked)} />
            {text.isJson}
          </label>
        )}
      </div>
    </form>
  )
}
