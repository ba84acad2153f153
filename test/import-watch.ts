/**
 * Imports a module and prints what that did, as JSON: `node test/import-watch.ts loom-agent`.
 *
 * Everything that does work is wrapped before the import. Node's own loader reads files and the environment too: only what code outside Node
 * calls itself is counted.
 */
import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns'
import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'

/** What importing a module did. */
export interface ImportReport {
  /** What it exports. */
  readonly exports: readonly string[]
  /** Every module that was loaded, by its address. */
  readonly modules: readonly string[]
  /** Calls that do work: timers, files, network, processes; and looks into the environment. */
  readonly calls: readonly string[]
  /** What keeps the process alive that did not before. */
  readonly handles: readonly string[]
}

const calls: string[] = []
const modules: string[] = []

/** Whether the code that called is not Node's. */
function calledFromOutside(): boolean {
  const frames = (new Error().stack ?? '').split('\n').slice(1)
  const caller = frames.find((frame) => !frame.includes(import.meta.filename))
  return caller !== undefined && !/\bnode:/.test(caller.replace(/^.*\(/, ''))
}

function note(call: string): void {
  if (calledFromOutside()) calls.push(call)
}

/** Wraps functions of an object. Names in capitals are classes and constants. */
function watch(what: string, object: object, names: readonly string[] = Object.keys(object)): void {
  const functions = object as Record<string, unknown>
  for (const name of names) {
    const original = functions[name]
    if (typeof original !== 'function' || /^[A-Z_]/.test(name)) continue
    functions[name] = function (this: unknown, ...given: readonly unknown[]): unknown {
      note(`${what}.${name}`)
      return Reflect.apply(original, this, given)
    }
  }
}

function watchEverything(): void {
  watch('globalThis', globalThis, ['setTimeout', 'setInterval', 'setImmediate', 'fetch'])
  watch('timers', timers, ['setTimeout', 'setInterval', 'setImmediate'])
  watch('timers/promises', timersPromises)
  watch('fs', fs)
  watch('fs/promises', fs.promises)
  watch('net', net)
  watch('net.Socket', net.Socket.prototype, ['connect'])
  watch('net.Server', net.Server.prototype, ['listen'])
  watch('dgram', dgram)
  watch('dns', dns)
  watch('http', http)
  watch('https', https)
  watch('child_process', childProcess)
  syncBuiltinESMExports()
  process.env = new Proxy(process.env, {
    get(env, name) {
      note(`env.${String(name)}`)
      return Reflect.get(env, name)
    },
    has(env, name) {
      note(`env.${String(name)}`)
      return Reflect.has(env, name)
    },
    ownKeys(env) {
      note('env.*')
      return Reflect.ownKeys(env)
    },
  })
  registerHooks({
    load(url, context, next) {
      modules.push(url)
      return next(url, context)
    },
  })
}

if (import.meta.main) {
  const [, , name = ''] = process.argv
  watchEverything()
  const before = process.getActiveResourcesInfo()
  const loaded = (await import(name)) as object
  const handles = process.getActiveResourcesInfo()
  for (const handle of before) if (handles.includes(handle)) handles.splice(handles.indexOf(handle), 1)
  const report: ImportReport = { exports: Object.keys(loaded).sort(), modules, calls: [...calls], handles }
  process.stdout.write(JSON.stringify(report), () => process.exit())
}
