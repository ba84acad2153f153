/** The judges are judged: every rule is broken on purpose, alone, and must be the one that is reported. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type WireServer, wireServer } from '../../src/wire/server.ts'
import { validateWire, wireRules } from '../../src/wire/validate.ts'
import type { Wire, WireRequest } from '../../src/wire/wire.ts'
import type { Mutation } from './edits.ts'
import { anthropicMutations } from './mutations-anthropic.ts'
import { googleMutations } from './mutations-google.ts'
import { chatMutations, responsesMutations } from './mutations-openai.ts'
import { type Valid, validRequests } from './valid-requests.ts'

const mutations: readonly Mutation[] = [...chatMutations, ...responsesMutations, ...anthropicMutations, ...googleMutations]

function baseOf(name: string): Valid {
  const base = validRequests[name]
  if (!base) throw new Error(`There is no valid request called ${name}.`)
  return base
}

function spoiled([, name, , ...edits]: Mutation): { readonly wire: Wire; readonly request: WireRequest } {
  const { wire, request } = baseOf(name)
  return { wire, request: edits.reduce((before, edit) => edit(before), request) }
}

describe('the table of rules', () => {
  test('has every rule with a public page', () => {
    expect(wireRules.length).toBeGreaterThanOrEqual(86)
    for (const { source } of wireRules) expect(source).toMatch(/^https:\/\/[^ ]+$/)
  })

  test('has a mutation for every rule', () => {
    const broken = new Set(mutations.map(([rule]) => rule))
    expect(wireRules.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([])
  })

  test('does not throw on bodies that make no sense', () => {
    const bodies: unknown[] = [undefined, null, 7, 'x', [], {}, { messages: 3, input: {}, contents: 'x', tools: [null, 1, []] }]
    const messages = [null, { content: [null, 3, { type: 'tool_use' }, { type: 'thinking' }] }, { role: 'tool' }, { tool_calls: [null] }]
    bodies.push({ messages, input: messages, contents: [{ parts: [null, { functionResponse: null }] }], thinking: 3, text: 'x' })
    for (const body of bodies) {
      for (const { check } of wireRules) expect(() => check({ path: '', headers: {}, body })).not.toThrow()
    }
  })
})

describe('a request that the vendor takes', () => {
  test.for(Object.keys(validRequests))('breaks no rule: %s', (name) => {
    const { wire, request } = baseOf(name)
    expect(validateWire(wire, request)).toEqual([])
  })
})

describe('a request that breaks one rule', () => {
  test.for(mutations.map((row) => [row[0], row[2], row] as const))('%s: %s', ([rule, says, mutation]) => {
    const { wire, request } = spoiled(mutation)
    expect(validateWire(wire, request)).toMatchObject([{ rule, message: says }])
  })
})

describe('over HTTP', () => {
  let server: WireServer

  beforeAll(async () => {
    server = await wireServer({ reply: () => 'Taken.' })
  })
  afterAll(() => server.close())

  const post = ({ path, headers, body }: WireRequest): Promise<Response> =>
    fetch(server.url + path, { method: 'POST', headers: headers as Record<string, string>, body: JSON.stringify(body) })

  // What is kept is kept by the server itself: a reference can only be followed after the reply that made it.
  const isRemembered = (name: string): boolean => baseOf(name).request.kept !== undefined

  test.for(Object.keys(validRequests).filter((name) => !isRemembered(name)))('what breaks no rule is answered: %s', async (name) => {
    const response = await post(baseOf(name).request)
    expect(response.status).toBe(200)
    expect(JSON.stringify(await response.json())).toContain('Taken.')
  })

  test.for(mutations.filter(([, name]) => !isRemembered(name)).map((row) => [row[0], row] as const))(
    'what breaks a rule is refused with the status and body of the vendor: %s',
    async ([rule, mutation]) => {
      const { wire, request } = spoiled(mutation)
      const response = await post(request)
      const status = rule === 'anthropic/key' ? 401 : 400
      expect(response.status).toBe(status)
      expect(await response.json()).toEqual(refusal(wire, { status, message: mutation[2] }))
      expect(server.requests.at(-1)?.problems.map((problem) => problem.rule)).toEqual([rule])
    },
  )

  test('a reference to an item that was never given is not found', async () => {
    const { request } = baseOf('responses that refer')
    const response = await post(request)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining("Item with id 'msg_2' not found."), param: 'input' } })
  })
})

/** The shape that each vendor's refusals have. */
function refusal(wire: Wire, { status, message }: { status: number; message: string }): object {
  if (wire === 'google') return { error: { code: status, message, status: 'INVALID_ARGUMENT' } }
  const type = status === 401 ? 'authentication_error' : 'invalid_request_error'
  if (wire === 'anthropic') return { type: 'error', error: { type, message }, request_id: expect.any(String) }
  const textOrNull = expect.toSatisfy((value: unknown) => value === null || typeof value === 'string')
  return { error: { message, type, param: textOrNull, code: textOrNull } }
}
