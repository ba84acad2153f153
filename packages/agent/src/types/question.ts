/** Questions, as people see them. */
import type { Json, QuestionData } from '@loom-agent/kernel'

/** An open question. */
export interface Question {
  /** Thread, place and ordinal: valid in any process. */
  readonly id: string
  readonly thread: string
  readonly kind: QuestionData['kind']
  readonly prompt: string
  /** The call it is about, with the tool's name and the arguments as they would be used. */
  readonly call?: { readonly id: string; readonly tool: string; readonly input: Json }
  readonly show?: Json
  readonly expires?: number
  /** How many must approve, and how many have. */
  readonly approvers: number
  readonly approvals: number
}
