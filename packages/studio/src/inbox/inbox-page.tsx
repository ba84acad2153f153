/** The inbox: what waits for a person, and the answers. */
import { isLoomError } from '@loom-agent/kernel'
import { type ReactNode, useEffect } from 'react'
import { useChanges, useLoaded } from '../data/use-server.tsx'
import { Glyph } from '../design/glyph.tsx'
import { useWords } from '../design/words.tsx'
import { whole } from '../figure/figure.ts'
import { go, Link } from '../route/navigation.tsx'
import { type Place, searchOf, threadPath } from '../route/place.ts'
import { Empty, Failure, Skeleton } from '../shell/failure.tsx'
import { useKeys } from '../shell/use-keys.ts'
import { type Asked, afterAnswer, beside, inOrder, shownQuestion } from './asked.ts'
import type { AnswerBody } from './draft.ts'
import { QuestionDetail } from './question-detail.tsx'
import { type Answered, type Answering, useAnswer } from './use-answer.ts'
import { inboxWords } from './words.ts'

const inboxPath = (question: string | undefined): string => `/inbox${searchOf({ question })}`

/** The page of questions. */
export function InboxPage({ place }: { readonly place: Place }): ReactNode {
  const text = useWords(inboxWords)
  const changes = useChanges()
  const answering = useAnswer()
  const { last } = answering
  const loaded = useLoaded({
    of: 'inbox',
    version: `${changes} ${last?.status ?? ''} ${last?.asked.id ?? ''}`,
    load: (client) => client.listQuestions(),
  })
  document.title = text.title(loaded.data?.items.length ?? 0)
  if (loaded.error !== undefined && !loaded.data) return <Failure error={loaded.error} onRetry={() => location.reload()} />
  if (!loaded.data) return <Skeleton rows={8} />
  const settled = last?.status === 'sent' && last.asked.approvers <= 1 ? last.asked.id : undefined
  const items = inOrder(loaded.data.items.filter(({ id }) => id !== settled))
  return <OpenedInbox items={items} wanted={place.query.get('question') ?? undefined} answering={answering} />
}

interface OpenedProps {
  readonly items: readonly Asked[]
  readonly wanted: string | undefined
  readonly answering: Answering
}

function OpenedInbox({ items, wanted, answering }: OpenedProps): ReactNode {
  const text = useWords(inboxWords)
  const asked = items.find(({ id }) => id === wanted)
  const first = items[0]?.id
  const show = (question: string | undefined): void => go(inboxPath(question), { replace: true })
  // Where there is room for both, the first question is open; it stays the one that is open when others arrive.
  useEffect(() => {
    if (wanted === undefined && first !== undefined && matchMedia('(min-width: 641px)').matches) go(inboxPath(first), { replace: true })
  }, [wanted, first])
  useKeys({
    heading: text.heading,
    bindings: [
      { keys: 'j', label: text.next, run: () => show(beside(items, wanted, 1)) },
      { keys: 'k', label: text.previous, run: () => show(beside(items, wanted, -1)) },
    ],
  })
  const answer = async (of: Asked, body: AnswerBody): Promise<void> => {
    const next = afterAnswer(items, of.id)
    if (await answering.send(of, body)) show(of.approvers > 1 ? of.id : next)
  }
  return (
    <div className={wanted === undefined ? 'inbox' : 'inbox selected'}>
      <section className="inbox-list" aria-label={text.heading}>
        <header className="inbox-head">
          <h1>{text.heading}</h1>
          <span className="faint">{text.waiting(whole(items.length))}</span>
        </header>
        <ol>
          {items.map((item) => (
            <li key={item.id}>
              <QuestionRow asked={item} isCurrent={item.id === wanted} />
            </li>
          ))}
        </ol>
      </section>
      <section className="inbox-detail">
        <LastAnswer last={answering.last} shown={asked} />
        {asked && <QuestionDetail key={asked.id} asked={asked} isBusy={answering.isBusy} onAnswer={(body) => void answer(asked, body)} />}
        {!asked && items.length === 0 && (
          <Empty title={text.none}>
            <p>{text.noneHint}</p>
          </Empty>
        )}
        {!asked && wanted !== undefined && <Gone />}
      </section>
    </div>
  )
}

function Gone(): ReactNode {
  const text = useWords(inboxWords)
  return (
    <Empty title={text.gone}>
      <Link className="link" to="/inbox">
        {text.back}
      </Link>
    </Empty>
  )
}

function QuestionRow({ asked, isCurrent }: { readonly asked: Asked; readonly isCurrent: boolean }): ReactNode {
  const text = useWords(inboxWords)
  const { id, thread, kind, prompt } = asked
  const { tool } = shownQuestion(asked)
  return (
    <Link to={inboxPath(id)} className="inbox-row" aria-current={isCurrent || undefined}>
      <Glyph of="people" />
      <span className="cut strong">{tool ?? prompt}</span>
      <span className="faint small">{text.kinds[kind]}</span>
      <span className="cut soft code">{thread}</span>
    </Link>
  )
}

/** What came of the last answer; of a conflict, why, and that nothing was recorded. */
function LastAnswer({ last, shown }: { readonly last: Answered | undefined; readonly shown: Asked | undefined }): ReactNode {
  const text = useWords(inboxWords)
  if (!last) return <div role="status" />
  const { asked, status } = last
  const link = (
    <Link className="link code" to={threadPath({ thread: asked.thread, seq: undefined })}>
      {asked.thread}
    </Link>
  )
  if (status === 'sent') {
    return (
      <p className="inbox-notice soft" role="status">
        {text.sent[last.kind]}: <span className="strong">{asked.call?.tool ?? text.kinds[asked.kind]}</span> {link}
      </p>
    )
  }
  if (status === 'late') {
    return (
      <div className="inbox-notice" role="alert">
        <p className="fault strong">{text.conflict[last.conflict]}</p>
        <p className="soft">
          {text.conflictHint} {link}
        </p>
      </div>
    )
  }
  if (shown?.id !== asked.id) return null
  return (
    <div className="inbox-notice" role="alert">
      <p className="fault strong">{text.notSent}</p>
      <p>{last.error instanceof Error ? last.error.message : String(last.error)}</p>
      {isLoomError(last.error) && <code className="faint">{last.error.code}</code>}
    </div>
  )
}
