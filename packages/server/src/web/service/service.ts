/** What all routes of a server share. */
import { systemClock } from '@loom-agent/agent'
import { type Head, type Journal, LoomError } from '@loom-agent/kernel'
import {
  createJournalMetrics,
  createProjector,
  type JournalMetrics,
  type Projector,
  type ResourceMonitor,
  type ViewCache,
} from '@loom-agent/telemetry'
import { type Hook, hooksByName } from '../../webhook/hook.ts'
import type { Auth } from '../access/identity.ts'
import type { Places } from '../access/origins.ts'
import type { Sessions } from '../access/sessions.ts'
import { type Admission, type AdmissionLimits, createAdmission } from './admission.ts'
import { createFeedHub, type FeedHub } from './feed-hub.ts'
import type { ServedAgent } from './served-agent.ts'

/** How much a request may hold, and how much may be under way at once. */
export interface ServerLimits extends AdmissionLimits {
  /** Bytes of a body; default 1 MiB. */
  readonly body?: number | undefined
  /** Bytes of an import; default 256 MiB. */
  readonly upload?: number | undefined
}

/** How threads leave a journal and come in: the functions of these names of `@loom-agent/journals`. */
export interface Transfer {
  /** The lines of a thread, with all that it needs. */
  exportThread(journal: Journal, thread: string): AsyncIterable<string>
  /** Stores an exported thread, quarantined, and returns its head. */
  importThread(journal: Journal, lines: AsyncIterable<string>): Promise<Head>
}

/** What is served, to whom. */
export interface HandlerOptions extends Places {
  /** The agents, each with a name of its own, and all with the same journal. */
  readonly agents: readonly ServedAgent[]
  /** The journal; default: that of the agents. */
  readonly journal?: Journal | undefined
  /** Finds out who sends a request. There is no default: a request of nobody is refused. */
  readonly auth: Auth
  /** Where the routes begin; default `/api/v1`. */
  readonly base?: string | undefined
  /** The bounds; each has a default. */
  readonly limits?: ServerLimits | undefined
  /** Where folded views are stored between processes; default: nowhere. */
  readonly cache?: ViewCache | undefined
  /** How threads are exported whole and imported: `{ exportThread, importThread }` of `@loom-agent/journals`; default: not at all. */
  readonly transfer?: Transfer | undefined
  /** What the system page says of this server besides, such as versions; default: nothing. */
  readonly about?: { readonly [name: string]: string } | undefined
  /** Watches what the process uses; default: nothing does. */
  readonly resources?: ResourceMonitor | undefined
  /** Sessions of browsers; default: none. */
  readonly sessions?: Sessions | undefined
  /** Milliseconds between two comments on a stream that has nothing new; default 15,000. */
  readonly heartbeat?: number | undefined
  /** Where deliveries of other programs come in: `POST /hooks/{name}`; default: nowhere. */
  readonly hooks?: readonly Hook[] | undefined
  /** Notified when a client has set schedules, so that who starts what is due looks at once; default: nobody. */
  readonly onSchedules?: (() => void) | undefined
  /** Notified of errors that no client is told about; default: the console. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** What routes work with. */
export interface Service {
  readonly agents: ReadonlyMap<string, ServedAgent>
  readonly journal: Journal
  readonly projector: Projector
  readonly metrics: JournalMetrics
  readonly feed: FeedHub
  readonly admission: Admission
  readonly sessions: Sessions | undefined
  readonly transfer: Transfer | undefined
  /** Whether views are stored between processes. */
  readonly cache: boolean
  readonly about: { readonly [name: string]: string }
  /** When this was made, in milliseconds since 1970. */
  readonly started: number
  readonly resources: ResourceMonitor | undefined
  /** Bytes of a body. */
  readonly longestBody: number
  /** Bytes of an import. */
  readonly longestUpload: number
  /** Milliseconds between two comments on a quiet stream. */
  readonly heartbeat: number
  readonly onError: (error: unknown) => void
  readonly hooks: ReadonlyMap<string, Hook>
  /** Called when schedules were set: who starts what is due looks at them at once. */
  readonly schedulesChanged: () => void
}

function invalid(message: string, agent?: string): LoomError {
  return new LoomError('LOOM_OPTION_INVALID', message, { context: agent === undefined ? {} : { agent } })
}

/** The journal of all agents. */
function journalOf({ agents, journal }: HandlerOptions): Journal {
  const found = journal ?? agents[0]?.journal
  if (!found) throw invalid('A server needs agents, or a journal.')
  const other = agents.find((agent) => agent.journal !== found)
  if (other)
    throw invalid(`The agent ${other.name} has another journal than the server. Give all agents of a server the same journal object.`, other.name)
  return found
}

/** Checks the options, and makes what the routes share. */
export function createService(options: HandlerOptions): Service {
  const { agents, auth, cache, limits = {}, transfer, sessions, heartbeat = 15_000 } = options
  if (typeof auth !== 'function') throw invalid('A server needs auth: a function that returns who sends a request. keyAuth(keys) is one.')
  const journal = journalOf(options)
  const byName = new Map(agents.map((agent) => [agent.name, agent]))
  if (byName.size < agents.length) throw invalid('Two agents of a server have the same name. Give each a name of its own.')
  const onError = options.onError ?? ((error: unknown) => console.error(error))
  const projector = createProjector(journal, { cache, onCacheError: onError })
  return {
    agents: byName,
    journal,
    projector,
    metrics: createJournalMetrics(journal, projector),
    feed: createFeedHub(journal),
    admission: createAdmission(limits),
    sessions,
    transfer,
    cache: cache !== undefined,
    about: options.about ?? {},
    started: systemClock.now(),
    resources: options.resources,
    longestBody: limits.body ?? 1 << 20,
    longestUpload: limits.upload ?? 1 << 28,
    heartbeat,
    onError,
    hooks: hooksByName(options.hooks ?? [], byName),
    schedulesChanged: options.onSchedules ?? (() => {}),
  }
}
