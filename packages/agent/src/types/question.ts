/** Questions, as users see them. */
import type { Json, QuestionData } from '@loom-agent/kernel'

/** An open question. */
export interface Question {
  /** Names the question of this thread in any process, and none of another thread that takes the thread's name later. */
  readonly id: string
  /** The id of the thread that asks. */
  readonly thread: string
  /** What the question is about: a call, a limit, a hook, and so on. */
  readonly kind: QuestionData['kind']
  /** The question in words. */
  readonly prompt: string
  /** The call it is about, with the tool's name and the arguments as they would be used. */
  readonly call?: { readonly id: string; readonly tool: string; readonly input: Json }
  /** How many agents above that of the thread the one is whose policy asks, and who answers; absent where it is the thread's own. */
  readonly above?: number
  /** For a call: what an approval is bound to, the tool and the deciding rules, then, behind a point, the arguments. */
  readonly digest?: string
  /** What is shown with the question. */
  readonly show?: Json
  /** When it counts as rejected, in milliseconds since 1970; absent: never. */
  readonly expires?: number
  /** How many people must approve. */
  readonly approvers: number
  /** How many people have approved. */
  readonly approvals: number
}
