/** Routes of webhooks: deliveries that come in, and how far those that go out are. */
import { type DroppedDelivery, LoomError } from '@loom-agent/kernel'
import { listWebhooks, type WebhookPosition } from '../../webhook/list-webhooks.ts'
import { type Described, list, named, object, optional, text, whole } from '../route/described.ts'
import { readText } from '../route/read-request.ts'
import { type Route, route } from '../route/route.ts'
import { takeDelivery } from '../service/take-delivery.ts'
import { startedRun } from './schemas.ts'

const takeRoute = route({
  name: 'takeDelivery',
  method: 'POST',
  path: '/hooks/{hook}',
  scope: 'none',
  summary: 'Takes a delivery of another program, which its signature names: starts or steers a run, or does nothing. Sent twice, it is one run.',
  reply: { status: 202, schema: startedRun },
  async handle({ service, params, request }) {
    const hook = service.hooks.get(params.hook)
    if (!hook) {
      const name = params.hook.slice(0, 100)
      throw new LoomError('LOOM_ROUTE_NOT_FOUND', `There is no hook ${name} here.`, { context: { hook: name } })
    }
    const most = Math.min(hook.longest ?? service.longestBody, service.longestBody)
    const started = await takeDelivery(service, { hook, headers: request.headers, text: await readText(request, most) })
    return started ?? new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
  },
})

const webhook: Described<WebhookPosition> = object({
  name: text('Its name.'),
  cursor: text('Its position in the feed.'),
  moved: whole('When it moved last, in milliseconds since 1970.'),
  holder: optional(text('The worker that delivers.')),
  dropped: list('What it gave up last.', named<DroppedDelivery>('DroppedDelivery', '@loom-agent/kernel', 'A delivery.')),
})

const listRoute = route({
  name: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  scope: 'admin',
  summary: 'The webhooks of which the journal knows how far they are.',
  reply: { schema: object({ items: list('The webhooks.', webhook) }) },
  handle: async ({ service }) => ({ items: await listWebhooks(service.journal) }),
})

/** Webhooks. */
export const hookRoutes: readonly Route[] = [takeRoute, listRoute]
