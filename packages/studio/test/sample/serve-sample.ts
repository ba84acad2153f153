/** A server with the studio over the sample threads, for tests and pictures. */
import { memoryJournal } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { type LoomServer, serve } from '@loom-agent/server/node'
import { studioHandler } from '@loom-agent/server/studio'
import { manualClock } from '@loom-agent/testing'
import { makeSample, type SampleOptions, sampleStart } from './make-sample.ts'
import { inventoryAgent, supportAgent } from './sample-agents.ts'

/** A server over the sample threads. */
export interface SampleServer {
  readonly server: LoomServer
  readonly journal: Journal
  /** The address of the studio, with the token of this start. */
  readonly address: string
  close(): Promise<void>
}

/** Serves a journal with the studio. */
export async function serveStudio(journal: Journal): Promise<SampleServer> {
  const support = supportAgent({ journal, clock: manualClock(sampleStart) }, ['Hello.'])
  const inventory = inventoryAgent({ journal, clock: manualClock(sampleStart) }, 0)
  const server = await serve({ agents: [support, inventory], port: 0, recover: false, otherwise: studioHandler() })
  return { server, journal, address: server.startUrl ?? server.url, close: () => server.close({ grace: 0 }) }
}

/** Makes the sample threads in memory and serves them. */
export async function serveSample(options: SampleOptions = {}): Promise<SampleServer> {
  const clock = manualClock(sampleStart)
  const journal = memoryJournal({ now: clock.now })
  await makeSample({ journal, clock }, options)
  return serveStudio(journal)
}
