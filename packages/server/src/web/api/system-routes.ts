/** Routes of what a server is and does: versions, journal, workers, caches, load. */
import { systemClock } from '@loom-agent/agent'
import { eventVersions, type Head, type JournalTraits, LoomError } from '@loom-agent/kernel'
import type { ProjectorCounts, ResourceSample } from '@loom-agent/telemetry'
import { anything, flag, list, named, object, optional, record, text, whole } from '../route/described.ts'
import { type Route, route } from '../route/route.ts'
import type { Service } from '../service/service.ts'
import { view } from './schemas.ts'

/** Threads that are looked at for a count. */
const counted = 1000
const states = ['running', 'waiting', 'failed'] as const

/** Threads of a state. */
interface Counted {
  readonly threads: number
  /** There are more than were counted. */
  readonly isMore: boolean
}

async function headsOf({ journal }: Service, status: (typeof states)[number]): Promise<readonly Head[]> {
  return journal.threads({ status, sort: 'latest', limit: counted + 1 })
}

const countOf = (heads: readonly Head[]): Counted => ({ threads: Math.min(heads.length, counted), isMore: heads.length > counted })

/** How many of the running threads each worker drives; the busiest first. */
function workersOf(running: readonly Head[]): readonly { readonly worker: string; readonly threads: number }[] {
  const threads = new Map<string, number>()
  for (const { holder } of running) if (holder !== undefined) threads.set(holder, (threads.get(holder) ?? 0) + 1)
  return [...threads].map(([worker, count]) => ({ worker, threads: count })).sort((one, other) => other.threads - one.threads)
}

const getSystem = route({
  name: 'getSystem',
  method: 'GET',
  path: '/system',
  scope: 'read',
  summary: 'What this server is and does: versions, journal, workers, what it holds, what its process uses.',
  reply: {
    schema: object({
      about: record('Versions and the like, as the server was told.', text('A value.', { most: 1000 })),
      started: whole('When this server was created, in milliseconds since 1970.'),
      now: whole('The time now.'),
      agents: list('The names of its agents.', text('A name.')),
      features: list('What it can do besides: `transfer`, `sessions`, `cache`.', text('A name.')),
      journal: named<JournalTraits>('JournalTraits', '@loom-agent/kernel', 'What the journal promises.'),
      events: anything('The newest version of each type of event that this server reads.'),
      threads: record('Threads by status, of those that changed last.', object({ threads: whole('How many.'), isMore: flag('And there are more.') })),
      workers: list(
        'The workers that drive threads now.',
        object({ worker: text('Its id.', { most: 1000 }), threads: whole('How many it drives.') }),
      ),
      load: object({ runs: whole('Runs under way that clients have started.'), streams: whole('Streams that are open.') }),
      limits: object({ body: whole('Bytes of a body.'), upload: whole('Bytes of an import.') }),
      views: view<ProjectorCounts>('ProjectorCounts', 'The views that it holds.'),
      resources: optional(list('What its process uses, sample by sample.', view<ResourceSample>('ResourceSample', 'A sample.'))),
    }),
  },
  async handle({ service, identity }) {
    if (identity.threads) {
      const message = `${identity.name} may use some threads only, and these figures are of all.`
      throw new LoomError('LOOM_ACCESS_DENIED', message, { context: { status: 403 } })
    }
    const [running = [], waiting = [], failed = []] = await Promise.all(states.map((status) => headsOf(service, status)))
    const { transfer, sessions, cache, projector, resources } = service
    const features = Object.entries({ transfer, sessions, cache }).flatMap(([name, value]) => (value ? [name] : []))
    return {
      about: service.about,
      started: service.started,
      now: systemClock.now(),
      agents: [...service.agents.keys()],
      features,
      journal: service.journal.traits,
      events: eventVersions,
      threads: { running: countOf(running), waiting: countOf(waiting), failed: countOf(failed) },
      workers: workersOf(running),
      load: service.admission.counts(),
      limits: { body: service.longestBody, upload: service.longestUpload },
      views: projector.counts(),
      resources: resources?.samples(),
    }
  },
})

/** The server. */
export const systemRoutes: readonly Route[] = [getSystem]
