/** A server of its own process with schedules and a webhook, whose wall clock is off by so many milliseconds. Prints where it listens. */
const [file = '', url = '', secret = '', skew = '0'] = process.argv.slice(2)
const wall = Date.now
Date.now = () => wall() + Number(skew)

const { agent } = await import('@loom-agent/agent')
const { setSchedule } = await import('@loom-agent/server')
const { serve } = await import('@loom-agent/server/node')
const { scriptedModel } = await import('@loom-agent/testing')
const { openStorm, stormSchedules } = await import('./storm.ts')

const clerk = agent({ name: 'clerk', model: scriptedModel(() => 'Done.'), journal: openStorm(file) })
for (const [name, schedule] of Object.entries(stormSchedules)) await setSchedule(clerk.journal, name, schedule)
const server = await serve({
  agents: [clerk],
  port: 0,
  recover: 300,
  auth: () => ({ name: 'test', scopes: ['admin'] }),
  webhooks: [{ name: 'out', url, secrets: [secret], on: ['done'], retry: { first: 10, longest: 50, least: 1000 } }],
  webhookReach: { allow: [new URL(url).host] },
  onError: () => {},
})
console.log(server.url)
