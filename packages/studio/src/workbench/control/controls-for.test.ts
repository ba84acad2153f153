import { describe, expect, test } from 'vitest'
import { controlsFor } from './controls-for.ts'

const of = (status: Parameters<typeof controlsFor>[0]['head']['status'], more: { agent?: string; parent?: string } = {}) =>
  controlsFor({ head: { status, agent: 'clerk', ...more }, agents: ['clerk'] })

describe('the controls of a thread', () => {
  test('are those of a run while one is under way', () => {
    expect(of('running')).toEqual(['steer', 'pause', 'stop'])
    expect(of('waiting')).toEqual(['steer', 'resume', 'stop'])
  })

  test('start the next run where none is', () => {
    expect(of('idle')).toEqual(['say'])
    expect(of('done')).toEqual(['say'])
    expect(of('failed')).toEqual(['say', 'resume'])
  })

  test('start nothing without the agent, and no run of a child', () => {
    expect(of('done', { agent: 'other' })).toEqual([])
    expect(of('waiting', { agent: 'other' })).toEqual(['steer', 'stop'])
    expect(of('done', { parent: 'order-7' })).toEqual([])
    expect(of('running', { parent: 'order-7' })).toEqual(['steer', 'pause', 'stop'])
  })
})
