/** Sending a signal to a thread: a value for the durable body that waits for it, now or later. */
import { type Draft, type Frame, type Incarnation, LoomError } from '@loom-agent/kernel'
import { ignoreWithin } from '../platform/call-user.ts'
import { expected } from '../platform/expected.ts'
import { jsonProblem } from '../platform/json-depth.ts'
import { toJson } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import { waitsOf } from '../question/questions.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { appendInput } from '../thread/append-input.ts'
import type { Runtime } from '../thread/runtime.ts'
import { inputTaintShape, taintAs } from '../types/input-taint.ts'
import { checkSignalName } from '../types/signal-name.ts'
import { checkThread, threadNotFound } from '../types/thread-id.ts'
import type { SignalArguments } from '../types/wait.ts'
import { appendAndDrive, noOpening, type Opening } from './append-and-drive.ts'

/** How many signals a thread keeps that nothing has waited for; one more is refused. */
const mostKept = 1000

/** How many characters the value of a signal may have as JSON. */
const longestValue = 1_000_000

/** Sends a signal, then lets the thread go on in this process. */
export async function sendSignal(instance: AgentInstance, thread: string, sent: SignalArguments): Promise<void> {
  ignoreWithin(sent)
  checkThread(thread)
  await appendAndDrive(instance, { thread }, (opening) => appendSignal(instance.runtime, { thread, opening }, sent))
}

type Writer = Pick<Runtime, 'journal' | 'ports' | 'threads'>

/** The thread that gets a signal. */
interface SignalTarget {
  readonly thread: string
  /** Which thread of this id; undefined: the one that has it now. */
  readonly incarnation?: Incarnation | undefined
  readonly opening?: Opening
}

/** Appends a signal; returns the frame after it. */
export async function appendSignal(runtime: Writer, target: SignalTarget, [name, value, options = {}]: SignalArguments): Promise<Frame> {
  const { thread, incarnation, opening = noOpening } = target
  checkThread(thread)
  checkSignalName(name)
  checkOptions('signal', options, { by: expected.text, taint: inputTaintShape })
  const { by } = options
  const taint = taintAs(options.taint, `the signal ${name}`)
  const sender = by === undefined ? {} : { by: by.toWellFormed() }
  const sent = toJson(value)
  const problem = jsonProblem(JSON.stringify(sent), longestValue)
  if (problem !== undefined) throw invalid(name, `its value ${problem}. Store what is large elsewhere, and send where it is.`)
  const received: Draft = { type: 'signal.received', data: { name, value: sent, ...sender, keep: true, ...(taint && { taint }) } }
  return appendInput(runtime, await runtime.threads.load(thread, incarnation), (frame) => {
    if (frame.seq === 0) throw threadNotFound(thread)
    const opened = opening(frame)
    if (frame.signals.length < mostKept || isAwaited(frame, name, runtime.ports.clock.now())) return [...opened, received]
    throw invalid(
      name,
      `the thread ${thread} keeps ${mostKept} signals that nothing has waited for. Send signals only to threads that wait for them.`,
    )
  })
}

/** Whether a wait of this name takes the signal: its time has not passed. */
const isAwaited = (frame: Frame, name: string, now: number): boolean =>
  waitsOf(frame).some(({ signal, until = Number.POSITIVE_INFINITY }) => signal === name && now < until)

const invalid = (name: string, problem: string): LoomError =>
  new LoomError('LOOM_SIGNAL_INVALID', `The signal ${name} was not sent: ${problem}`, { context: { name, problem } })
