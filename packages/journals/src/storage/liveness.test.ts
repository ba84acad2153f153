import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { heartbeatTimeout, isAlive, isGone, isStopped, thisInstance } from './liveness.ts'

const here = thisInstance()

test('an instance names its process, and no two are the same', () => {
  expect(here.pid).toBe(process.pid)
  expect(here.host).not.toBe('')
  expect(thisInstance()).toEqual({ ...here, id: expect.not.stringContaining(here.id) as string })
})

test('a holder is alive as long as it sends heartbeats', () => {
  const holder = thisInstance()
  const timeout = heartbeatTimeout
  expect(isAlive(holder, here, { ms: 0, timeout })).toBe(true)
  expect(isAlive(holder, here, { ms: timeout - 1, timeout })).toBe(true)
  expect(isAlive(holder, here, { ms: timeout, timeout })).toBe(false)
})

test('a holder on another machine is known by its heartbeats alone', () => {
  const holder = { ...here, host: 'elsewhere', pid: 1, started: 'never' }
  expect(isGone(holder, here)).toBe(false)
  expect(isAlive(holder, here, { ms: 1, timeout: heartbeatTimeout })).toBe(true)
})

test('a process number that is used again is another process', () => {
  expect(isGone(here, here)).toBe(false)
  expect(isGone({ ...here, started: '1' }, here)).toBe(true)
  expect(isAlive({ ...here, started: '1' }, here, { ms: 0, timeout: heartbeatTimeout })).toBe(false)
})

test('a process is there while it runs and gone when it has ended', async () => {
  const child = spawn(process.execPath, [
    '-e',
    'process.stdout.write(require("node:fs").readFileSync("/proc/self/stat", "utf8")); setInterval(() => {}, 1000)',
  ])
  const [stat] = (await once(child.stdout, 'data')) as [Buffer]
  const started = stat.toString().split(') ')[1]?.split(' ')[19] ?? ''
  const instance = { ...here, pid: child.pid ?? 0, started }
  expect(isGone(instance, here)).toBe(false)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isGone(instance, here)).toBe(true)
})

test('a process that was stopped is told from one that runs', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdout.write("ready"); setInterval(() => {}, 1000)'])
  await once(child.stdout, 'data')
  const pid = child.pid ?? 0
  expect(isStopped(pid)).toBe(false)
  child.kill('SIGSTOP')
  await vi.waitFor(() => expect(isStopped(pid)).toBe(true))
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isStopped(pid)).toBe(false)
})

test('the first process of the system is there, whatever user it belongs to', () => {
  const stat = readFileSync('/proc/1/stat', 'utf8')
  expect(isGone({ ...here, pid: 1, started: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '' }, here)).toBe(false)
})
