/**
 * Accepting a change that is meant: the fixture gets what the agent does now, and keeps what the model replied.
 *
 * RECORDED-12. Nothing is accepted silently: a test asks for it by an option or by the environment variable LOOM_ACCEPT, never where CI is set, and every
 *     change is written to the console. A run that takes another path with the recorded replies cannot be accepted.
 */
import { fileURLToPath } from 'node:url'
import { LoomError, type LoomEvent } from '@loom-agent/kernel'
import { shownBoth, textOf } from './divergence.ts'
import { type Fixture, type FixtureSource, keptEvents } from './fixture.ts'
import { withoutNoise } from './noise.ts'
import { redactEvent } from './redact.ts'
import { renderRequests } from './render-requests.ts'
import type { AcceptedChange, Replay } from './replay.ts'

/** Whether changes are accepted: `option` decides, or without it the environment. Throws where they cannot be. */
export function isAccepting(option: boolean | undefined, source: FixtureSource): source is URL {
  const { LOOM_ACCEPT: asked = '', CI: ci = '' } = process.env
  if (!(option ?? (asked !== '' && asked !== '0'))) return false
  const refuse = (problem: string): never => {
    throw new LoomError('LOOM_OPTION_INVALID', `Changes cannot be accepted here: ${problem}`, { context: { option: 'accept' } })
  }
  if (ci !== '' && ci !== 'false') refuse('CI is set. Accept them on your machine, and review the fixture.')
  if (!(source instanceof URL)) refuse('the fixture is no file. Give assertSameRun the URL of its file.')
  return true
}

/** The fixture as the accepted changes have made it. */
export function acceptedFixture(replay: Replay): Fixture {
  const { fixture, redact, threads } = replay
  const clean = [...threads.values()].map(({ thread, events }) => ({ thread, events: events.map((event: LoomEvent) => redactEvent(event, redact)) }))
  // What the agent does now comes with the names and fingerprints of now (RECORDED-10).
  const quiet = withoutNoise(clean)
  const kept = fixture.threads.map((recorded, index) => {
    const { thread, events } = quiet[index] ?? { thread: recorded.thread, events: [] }
    return { ...recorded, events: keptEvents(events), requests: recorded.isPast ? [] : renderRequests(thread, events) }
  })
  return { ...fixture, threads: kept }
}

/** Changes that are shown; the fixture has them all. */
const mostShown = 20

/** The changes as people review them. */
export function changesText(file: URL, changes: readonly AcceptedChange[]): string {
  const shown = changes.slice(0, mostShown).map(({ step, recorded, now }) => {
    const [before, after] = shownBoth(textOf(recorded), textOf(now))
    return `${step}\n- ${before}\n+ ${after}`
  })
  const more = changes.length > mostShown ? [`and ${changes.length - mostShown} more`] : []
  const count = changes.length === 1 ? '1 change was' : `${changes.length} changes were`
  return [`${count} accepted in ${fileURLToPath(file)}. Review the file.`, ...shown, ...more].join('\n')
}
