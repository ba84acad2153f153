/** Routes about the server itself. */
import { eventVersions, LoomError } from '@loom-agent/kernel'
import { anything, flag, list, object, text, whole } from '../route/described.ts'
import { type Route, route } from '../route/route.ts'

const health = route({
  name: 'getHealth',
  method: 'GET',
  path: '/health',
  scope: 'none',
  summary: 'Whether the server can be reached, and can reach its journal.',
  reply: { schema: object({ ok: flag('It can.') }) },
  async handle({ service }) {
    await service.journal.threads({ limit: 1 })
    return { ok: true }
  },
})

const info = route({
  name: 'getInfo',
  method: 'GET',
  path: '/info',
  scope: 'read',
  summary: 'What is served, to whom, and how much of it is under way.',
  reply: {
    schema: object({
      agents: list('The names of the agents.', text('A name.')),
      journal: anything('What the journal promises.'),
      identity: object({ name: text('Who asks.'), scopes: list('What they may do.', text('A scope.')) }),
      runs: whole('Runs under way that clients of this server have started.'),
      streams: whole('Streams that are open.'),
      events: anything('The newest version of each type of event that this server reads.'),
    }),
  },
  handle: ({ service, identity }) => ({
    agents: [...service.agents.keys()],
    journal: service.journal.traits,
    identity: { name: identity.name, scopes: identity.scopes },
    ...service.admission.counts(),
    events: eventVersions,
  }),
})

const openSession = route({
  name: 'openSession',
  method: 'POST',
  path: '/session',
  scope: 'none',
  summary: 'Exchanges the token that a browser was opened with for a cookie.',
  body: object({ token: text('The token, from the fragment of the address.', { least: 1 }) }),
  reply: { status: 204 },
  async handle({ service, body, request }) {
    const cookie = await service.sessions?.open(body.token, new URL(request.url).protocol === 'https:')
    if (cookie !== undefined) return new Response(null, { status: 204, headers: { 'set-cookie': cookie } })
    const message = 'This token opens no session here. Open the address that the server has printed when it started.'
    throw new LoomError('LOOM_ACCESS_DENIED', message, { context: { status: 401 } })
  },
})

const endSession = route({
  name: 'endSession',
  method: 'DELETE',
  path: '/session',
  scope: 'none',
  summary: 'Ends the session of this browser.',
  reply: { status: 204 },
  async handle({ service, request }) {
    const cookie = await service.sessions?.end(request)
    return new Response(null, { status: 204, headers: cookie === undefined ? {} : { 'set-cookie': cookie } })
  },
})

/** Health, information, sessions. */
export const serverRoutes: readonly Route[] = [health, info, openSession, endSession]
