/**
 * Hints: at once of what this object appends, by NOTIFY of what others do, and by a look once a second of what NOTIFY has missed.
 *
 * NOTIFY is sent after the commit, in a statement that nobody waits for, and only when somebody wants to know: inside the commit it would make all who
 * commit wait for each other.
 *
 * PG-10. There is a timer only while somebody watches. It keeps the process alive: whoever waits for another process has nothing else to wait for.
 */
import type { Seq } from '@loom-agent/kernel'
import { beat } from '../liveness.ts'
import { createWatchers, type Watchers } from '../watchers.ts'
import { arrayOf } from './appending.ts'
import type { Database } from './database.ts'
import type { Holding } from './holding.ts'
import type { Lane } from './lane.ts'

/** Watchers who are also told of what others append. */
export interface Lookout extends Watchers {
  /** Tells other processes of an append, soon. */
  announce(thread: string, seq: Seq): void
  /** Resolves when everything is announced. */
  end(): Promise<void>
}

/** How often is looked for what was missed, in milliseconds. */
const period = 1000
/** A payload has less than 8,000 bytes; a thread with a longer name is found at the next look. */
const payloadLimit = 7900

/** Watchers of the threads of a database. */
export function createLookout(database: Database, holding: Holding): Lookout {
  const channel = `loom_${database.config.schema}`
  const told = new Map<string, Seq>()
  let timer: NodeJS.Timeout | undefined
  const tell = (thread: string, seq: Seq): void => {
    if (!watchers.isWatched(thread) || told.get(thread) === seq) return
    told.set(thread, seq)
    watchers.tell(thread, seq)
  }
  const ear = createEar(database, channel, tell)
  const watched = (): readonly string[] => {
    for (const thread of told.keys()) if (!watchers.isWatched(thread)) told.delete(thread)
    return watchers.watched()
  }
  const look = createLook({ database, holding, watched, tell, listen: ear })
  const watchers = createWatchers((any) => {
    clearInterval(timer)
    told.clear()
    if (!any) return
    timer = setInterval(look, period)
    look()
  })
  return { ...watchers, tell, ...createAnnouncer(database, channel) }
}

/** Makes sure that a connection listens; it stays when nobody watches any more, and costs nothing then. */
function createEar(database: Database, channel: string, tell: (thread: string, seq: Seq) => void): () => Promise<void> {
  let lane: Promise<Lane> | undefined
  let listening = false
  const heard = (_channel: string, text: string): void => {
    const [, seq, thread] = /^(\d+) (.*)$/s.exec(text) ?? []
    if (thread !== undefined) tell(thread, Number(seq))
  }
  const deaf = (): void => {
    listening = false
  }
  return async () => {
    if (listening) return
    lane ??= database.extraLane({ size: 1, onnotify: heard, onclose: deaf })
    await (await lane).run(`listen "${channel}"`)
    listening = true
  }
}

interface Looking {
  readonly database: Database
  readonly holding: Holding
  readonly watched: () => readonly string[]
  readonly tell: (thread: string, seq: Seq) => void
  readonly listen: () => Promise<void>
}

/** Looks where the watched threads are; one look at a time. */
function createLook({ database, holding, watched, tell, listen }: Looking): () => void {
  let isLooking = false
  let signed = Number.NEGATIVE_INFINITY
  const look = async (): Promise<void> => {
    await listen()
    // Who drives a thread is found by its row; who watches the threads of others has to say so.
    if (performance.now() - signed >= beat && watched().some((thread) => !holding.holds(thread))) {
      await holding.listen()
      signed = performance.now()
    }
    const rows = await database.run(`select name, seq from ${database.s}.threads where seq > 0 and name = any($1::text[])`, [arrayOf(watched())])
    for (const row of rows) tell(String(row['name']), Number(row['seq']))
  }
  return () => {
    if (isLooking) return
    isLooking = true
    const done = (): void => {
      isLooking = false
    }
    // A server that is gone is looked for at the next look.
    look().then(done, done)
  }
}

/** Sends what is to be announced; what comes meanwhile is the next statement. */
function createAnnouncer(database: Database, channel: string): Pick<Lookout, 'announce' | 'end'> {
  const news = new Map<string, Seq>()
  let sending: Promise<void> | undefined
  const send = async (): Promise<void> => {
    while (news.size > 0) {
      const texts = [...news].map(([thread, seq]) => `${seq} ${thread}`)
      news.clear()
      // Whoever is not told sees it at the next look.
      await database.run(`select pg_notify('${channel}', x) from unnest($1::text[]) x`, [arrayOf(texts)]).catch(() => {})
    }
    sending = undefined
  }
  return {
    announce(thread, seq) {
      if (Buffer.byteLength(thread) > payloadLimit) return
      news.set(thread, seq)
      sending ??= send()
    },
    async end() {
      await sending
    },
  }
}
