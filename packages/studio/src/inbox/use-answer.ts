/** Sending an answer, and what came of it. */
import { useState } from 'react'
import { useServer } from '../data/use-server.tsx'
import type { AnswerKind, Asked } from './asked.ts'
import { type Conflict, conflictOf } from './conflict.ts'
import type { AnswerBody } from './draft.ts'

/** How the last answer went. */
export type Answered =
  | { readonly status: 'sent'; readonly asked: Asked; readonly kind: AnswerKind }
  | { readonly status: 'late'; readonly asked: Asked; readonly conflict: Conflict }
  | { readonly status: 'refused'; readonly asked: Asked; readonly error: unknown }

/** The answers of this page. */
export interface Answering {
  readonly isBusy: boolean
  readonly last: Answered | undefined
  /** Sends an answer; `true` when it was taken. */
  send(asked: Asked, body: AnswerBody): Promise<boolean>
}

/** Sends answers one at a time. */
export function useAnswer(): Answering {
  const { client } = useServer()
  const [isBusy, setIsBusy] = useState(false)
  const [last, setLast] = useState<Answered>()
  const send = async (asked: Asked, body: AnswerBody): Promise<boolean> => {
    if (isBusy) return false
    setIsBusy(true)
    try {
      await client.answerQuestion({ question: asked.id }, body)
      setLast({ status: 'sent', asked, kind: body.kind })
      return true
    } catch (error) {
      const conflict = conflictOf(error)
      setLast(conflict ? { status: 'late', asked, conflict } : { status: 'refused', asked, error })
      return false
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, last, send }
}
