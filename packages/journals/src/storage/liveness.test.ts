import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { heartbeatTimeout, isAlive, isGone, thisInstance } from './liveness.ts'

const here = thisInstance()

test('an instance names its process, and no two are the same', () => {
  expect(here.pid).toBe(process.pid)
  expect(here.host).not.toBe('')
  expect(thisInstance()).toEqual({ ...here, id: expect.not.stringContaining(here.id) as string })
})

test('a holder is alive as long as it sends heartbeats', () => {
  const holder = { ...thisInstance(), heartbeat: 1000 }
  expect(isAlive(holder, here, 1000)).toBe(true)
  expect(isAlive(holder, here, 1000 + heartbeatTimeout - 1)).toBe(true)
  expect(isAlive(holder, here, 1000 + heartbeatTimeout)).toBe(false)
})

test('a holder on another machine is known by its heartbeats alone', () => {
  const holder = { ...here, host: 'elsewhere', pid: 1, started: 'never', heartbeat: 1000 }
  expect(isGone(holder, here)).toBe(false)
  expect(isAlive(holder, here, 1001)).toBe(true)
})

test('a process number that is used again is another process', () => {
  expect(isGone(here, here)).toBe(false)
  expect(isGone({ ...here, started: '1' }, here)).toBe(true)
  expect(isAlive({ ...here, started: '1', heartbeat: 1000 }, here, 1000)).toBe(false)
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

test('the first process of the system is there, whatever user it belongs to', () => {
  const stat = readFileSync('/proc/1/stat', 'utf8')
  expect(isGone({ ...here, pid: 1, started: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '' }, here)).toBe(false)
})
