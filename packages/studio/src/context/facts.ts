/** What the server says about contexts, by the names that this page uses. */
import type { Operations } from '@loom-agent/server/client'

/** What a request held, what it did not hold, and why. */
export type Explanation = Operations['getExplanation']['reply']
/** A part of a request, or one that it could have held. */
export type ContextPart = Explanation['parts'][number]
/** What kind of part it is. */
export type PartKind = ContextPart['kind']
/** A change of what a strategy keeps. */
export type ContextChange = Explanation['hints'][number]['change']
/** Which entries were in which requests. */
export type Presence = Operations['getPresence']['reply']
/** What a replay found. */
export type ReplayReport = Operations['replayThread']['reply']
/** Entries that would have been shown otherwise. */
export type EntryChanges = ReplayReport['kept']
/** One of them. */
export type EntryChange = EntryChanges['listed'][number]
