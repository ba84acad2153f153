/** A leash on work of others: it is told to end, and let go of when it does not listen. */
import { type Clock, LoomError } from '@loom-agent/kernel'

/** Holds one piece of work. */
export interface Leash {
  /** Tells the work to end. Made when somebody asks for it: most work never does. */
  readonly signal: AbortSignal
  readonly aborted: boolean
  /** Tells the work to end, and starts its grace. */
  abort(reason?: string): void
  /** Starts the grace without telling the work: it has this long, and no longer. */
  hurry(): void
  /** The work's own end, or LOOM_ABORTED when its grace is over. What it still does then is nobody's business. */
  hold<T>(work: PromiseLike<T>): Promise<T>
}

/** How long work is waited for. */
export interface Patience {
  readonly clock: Clock
  /** Milliseconds after the abort. */
  readonly grace: number
}

/** A leash for one piece of work. No listener and no timer is set before somebody pulls it. */
export function createLeash(patience: Patience): Leash {
  return new WorkLeash(patience)
}

/** A class, because one is made for every model call: its methods are shared, not made anew. */
class WorkLeash implements Leash {
  readonly #patience: Patience
  #controller: AbortController | undefined
  #aborted: { readonly reason: string | undefined } | undefined
  #hurried = false
  #letGo: (() => void) | undefined
  #cancel: (() => void) | undefined

  constructor(patience: Patience) {
    this.#patience = patience
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#aborted && !this.#controller.signal.aborted) this.#controller.abort(this.#aborted.reason)
    return this.#controller.signal
  }

  get aborted(): boolean {
    return this.#aborted !== undefined
  }

  abort(reason?: string): void {
    if (this.#aborted) return
    this.#aborted = { reason }
    this.#controller?.abort(reason)
    this.hurry()
  }

  hurry(): void {
    this.#hurried = true
    this.#startGrace()
  }

  hold<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise((resolve, refuse) => {
      this.#letGo = () => {
        this.#end()
        refuse(new LoomError('LOOM_ABORTED', 'It was told to end, did not listen, and was let go of.'))
      }
      if (this.#hurried) this.#startGrace()
      work.then(
        (value) => {
          this.#end()
          resolve(value)
        },
        (error: unknown) => {
          this.#end()
          // What others throw is passed on as it is: it is judged where it is known what was asked for.
          refuse(error)
        },
      )
    })
  }

  #startGrace(): void {
    const { clock, grace } = this.#patience
    if (this.#letGo) this.#cancel ??= clock.at(clock.now() + grace, this.#letGo)
  }

  #end(): void {
    this.#cancel?.()
    this.#letGo = undefined
  }
}
