/** One question: what it is about, whole, and the answers. */
import { type ReactNode, useRef, useState } from 'react'
import { useNow } from '../data/use-server.tsx'
import { Glyph } from '../design/glyph.tsx'
import { useWords } from '../design/words.tsx'
import { duration, whole } from '../figure/figure.ts'
import { WholeText } from '../inert/whole-text.tsx'
import { Link } from '../route/navigation.tsx'
import { threadPath } from '../route/place.ts'
import { useKeys } from '../shell/use-keys.ts'
import { AnswerForm } from './answer-form.tsx'
import { type AnswerKind, type Asked, answersTo, mayRemember, shownQuestion } from './asked.ts'
import { type AnswerBody, readDraft } from './draft.ts'
import { useSeen } from './use-seen.ts'
import { inboxWords } from './words.ts'

interface DetailProps {
  readonly asked: Asked
  readonly isBusy: boolean
  readonly onAnswer: (body: AnswerBody) => void
}

/** The question. Nothing is answered before its end was in view. */
export function QuestionDetail({ asked, isBusy, onAnswer }: DetailProps): ReactNode {
  const text = useWords(inboxWords)
  const shown = shownQuestion(asked)
  const end = useRef<HTMLParagraphElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const isSeen = useSeen(shown.key, end)
  return (
    <article className="asked" aria-label={asked.prompt}>
      <div className="asked-scroll" ref={scroller}>
        <Link className="link asked-back" to="/inbox">
          {text.back}
        </Link>
        <AskedHead asked={asked} />
        <h1 className="asked-prompt">
          <WholeText text={asked.prompt} />
        </h1>
        {shown.hidden > 0 && <p className="fault strong">{text.hidden(shown.hidden)}</p>}
        {shown.body !== undefined && (
          <section aria-label={shown.tool === undefined ? text.shows : text.arguments}>
            <h2>
              {shown.tool === undefined ? text.shows : text.arguments} <span className="faint small">{text.wholeHint}</span>
            </h2>
            <pre className="asked-body">
              {shown.tool !== undefined && (
                <span className="strong">
                  <WholeText text={shown.tool} />{' '}
                </span>
              )}
              <WholeText text={shown.body} />
            </pre>
          </section>
        )}
        <p ref={end} className="asked-end" aria-hidden="true" />
      </div>
      <Answers key={shown.key} asked={asked} isBusy={isBusy} isSeen={isSeen} onAnswer={onAnswer} scroller={scroller} />
    </article>
  )
}

function AskedHead({ asked }: { readonly asked: Asked }): ReactNode {
  const text = useWords(inboxWords)
  const now = useNow(1_000)
  const { kind, thread, expires, approvers, approvals } = asked
  const left = expires === undefined ? undefined : expires - now
  return (
    <p className="asked-head soft">
      <Glyph of="people" />
      <span>{text.kinds[kind]}</span>
      <Link className="link code cut" to={threadPath({ thread, seq: undefined })}>
        {thread}
      </Link>
      {approvers > 1 && <span>{text.approvals(whole(approvals), whole(approvers))}</span>}
      <span className={left !== undefined && left <= 0 ? 'fault' : 'faint'}>
        {left === undefined ? text.never : left > 0 ? text.expires(duration(left)) : text.expired}
      </span>
    </p>
  )
}

interface AnswersProps extends DetailProps {
  readonly isSeen: boolean
  readonly scroller: { readonly current: HTMLElement | null }
}

const keyOf: { readonly [K in AnswerKind]: string } = { approve: 'A', edit: 'E', reject: 'R', respond: 'I' }

function Answers({ asked, isBusy, isSeen, onAnswer, scroller }: AnswersProps): ReactNode {
  const text = useWords(inboxWords)
  const [form, setForm] = useState<Exclude<AnswerKind, 'approve'>>()
  const [isForThread, setIsForThread] = useState(false)
  const kinds = answersTo(asked)
  const canAnswer = isSeen && !isBusy
  const choose = (kind: AnswerKind): void => {
    if (!canAnswer || !kinds.includes(kind)) return
    if (kind !== 'approve') return setForm(kind)
    const read = readDraft(asked, { kind, text: '', isForThread, isJson: false })
    if ('body' in read) onAnswer(read.body)
  }
  const readOn = (): void => scroller.current?.scrollBy({ top: 0.8 * scroller.current.clientHeight })
  useKeys({
    heading: text.heading,
    bindings: [
      ...(['approve', 'edit', 'reject', 'respond'] as const).map((kind) => ({ keys: keyOf[kind], label: text[kind], run: () => choose(kind) })),
      { keys: 'd', label: text.readOn, run: readOn },
    ],
  })
  if (form) {
    return (
      <footer className="asked-answers">
        <AnswerForm asked={asked} kind={form} isBusy={isBusy} onSend={onAnswer} onCancel={() => setForm(undefined)} />
      </footer>
    )
  }
  return (
    <footer className="asked-answers">
      {mayRemember(asked) && (
        <label className="check">
          <input type="checkbox" checked={isForThread} disabled={!isSeen} onChange={({ target }) => setIsForThread(target.checked)} />
          {text.remember(asked.call?.tool ?? '')}
        </label>
      )}
      <div className="answer-actions">
        {kinds.map((kind, index) => (
          <button key={kind} type="button" className={index === 0 ? 'button primary' : 'button'} disabled={!canAnswer} onClick={() => choose(kind)}>
            {kind === 'respond' && index === 0 ? text.answer : text[kind]} <kbd>{keyOf[kind]}</kbd>
          </button>
        ))}
        {!isSeen && (
          <button type="button" className="button plain" onClick={readOn}>
            {text.readOn} <kbd>d</kbd>
          </button>
        )}
      </div>
      <p className="faint small" role="status">
        {isBusy ? text.sending : isSeen ? '' : text.readFirst}
      </p>
    </footer>
  )
}
