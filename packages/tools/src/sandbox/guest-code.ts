/**
 * The code of the process in which model-written code runs. It is a text, so that it is there wherever this file is: in a bundle, and when the sources are
 * run.
 *
 * GUEST-1. The process has an engine of its own, compiled to WebAssembly: QuickJS. Guest code sees what the language has, `console` and its input; no
 *     object of the host is within its reach, and what comes back is text.
 * GUEST-2. The memory of the engine has a maximum that WebAssembly itself holds. (`setMemoryLimit` of the engine alone does not hold: its allocator does
 *     not count.) Its stack has one that is far below the host's, so that endless recursion is an error of the guest. The engine is never disposed of.
 * GUEST-3. What is printed is cut while it is printed; how much was left out is counted.
 */
/** Runs inside of the engine, before the guest's code, and returns the function that runs it. It keeps what it uses: the guest may replace all of it. */
const inside = `(print, room) => {
  'use strict'
  const { apply } = Reflect
  const { stringify, parse } = JSON
  const { slice } = String.prototype
  const { map, join } = Array.prototype
  const Code = (async () => {}).constructor
  const text = String
  const wordsOf = (value) => {
    try {
      if (typeof value === 'string') return value
      if (typeof value === 'object' && value !== null && !(value instanceof Error)) return stringify(value)
      return text(value)
    } catch {
      return '[a value that has no text]'
    }
  }
  const write = (...values) => {
    const words = apply(join, apply(map, values, [wordsOf]), [' '])
    print(apply(slice, words, [0, room]), words.length)
  }
  globalThis.console = { log: write, info: write, warn: write, error: write, debug: write }
  return {
    check: async (code) => void new Code('input', code),
    run: async (code, input) => stringify(await new Code('input', code)(parse(input))),
  }
}`

/** The process: reads one request from its input, runs the code to its end, writes one reply to its output, and ends. */
export const guestProcess: string = `
const parts = []
for await (const part of process.stdin) parts.push(part)
const { engine, memory, stack, time, room, task, code, input } = JSON.parse(Buffer.concat(parts).toString('utf8'))
let printed = ''
let dropped = 0
let isLate = false
async function main() {
  const { newQuickJSWASMModule, newVariant, RELEASE_SYNC } = await import(engine)
  const wasmMemory = new WebAssembly.Memory({ initial: 256, maximum: 256 + Math.ceil(memory / 65536) })
  const quickjs = await newQuickJSWASMModule(newVariant(RELEASE_SYNC, { wasmMemory }))
  const runtime = quickjs.newRuntime()
  runtime.setMaxStackSize(stack)
  const until = performance.now() + time
  runtime.setInterruptHandler(() => (isLate = performance.now() > until))
  const context = runtime.newContext()
  const lengthOf = (text) => context.getNumber(context.getProp(text, 'length'))
  const print = context.newFunction('print', (text, length) => {
    const line = context.getString(text) + '\\n'
    const kept = line.slice(0, Math.max(0, room - printed.length))
    printed += kept
    dropped += context.getNumber(length) + 1 - kept.length
  })
  const problemOf = (error) => {
    const textOf = (value) => (context.typeof(value) === 'string' && lengthOf(value) <= 4000 ? context.getString(value) : '')
    if (isLate) return { status: 'late' }
    if (context.typeof(error) !== 'object') return { status: 'threw', name: '', message: textOf(error) }
    const part = (name) => textOf(context.getProp(error, name))
    return { status: 'threw', name: part('name'), message: part('message'), stack: part('stack') }
  }
  const resultOf = (value) => {
    if (context.typeof(value) !== 'string') return { status: 'done' }
    return lengthOf(value) > room ? { status: 'long', length: lengthOf(value) } : { status: 'done', result: context.getString(value) }
  }
  const made = context.unwrapResult(context.evalCode(${JSON.stringify(inside)}, 'loom.js'))
  const tasks = context.unwrapResult(context.callFunction(made, context.undefined, print, context.newNumber(room)))
  const started = context.callFunction(context.getProp(tasks, task), context.undefined, context.newString(code), context.newString(input))
  if (started.error) return problemOf(started.error)
  while (runtime.hasPendingJob()) {
    const ran = runtime.executePendingJobs(100)
    if (ran.error) return problemOf(ran.error)
  }
  if (isLate) return { status: 'late' }
  const state = context.getPromiseState(started.value)
  if (state.type === 'pending') return { status: 'waits' }
  return state.type === 'fulfilled' ? resultOf(state.value) : problemOf(state.error)
}
const end = await main().catch((error) => ({ status: 'broke', problem: String(error).slice(0, 500) }))
process.stdout.write(JSON.stringify({ ...end, printed, dropped }), () => process.exit())
`
