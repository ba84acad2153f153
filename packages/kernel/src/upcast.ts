/**
 * Upcasters: how an old event is read today. Stored histories are never rewritten.
 *
 * UPCAST-1. An upcaster is pure and takes a type from one version to the next.
 */
import type { EventType } from './event.ts'
import { type Json, type JsonObject, own } from './json.ts'

/** An event as stored: its version may be older, or newer, than this code. */
export type Stored = Readonly<{ type: string; v: number; data: Json }>

/** For each type, what takes version 1 to 2, 2 to 3, and so on. */
export type Upcasters = { readonly [T in EventType]?: readonly ((data: Json) => Json)[] }

const unchanged = (data: Json): Json => data

/**
 * The version in which a type is written, where it is not 1. Version 2 of how a thread starts names its incarnation: an older one has none, and the fold
 * takes the thread's name. Version 3 names the incarnation and the key of the parent. Version 2 of how a run starts may have the caller's id and the schema
 * of its answer, that of a step may wait for a signal, and that of a request to stop or to pause may name a queued run. Version 2 of a reply may have
 * warnings, that of a stop may say that the last reply was cut or filtered, or that the text streamed so far is in the history, that of an answer may name
 * the record that it was taken from, that of a question may say that the rule of a thread above asks it, that of the start of a call may have its arguments
 * as the schema made them, a signal of version 2 is kept until a body reads it, the start of a child may have a digest of its input, and its end may say how
 * many calls and children its tree had. Version 3 of a fork may name its instructions and its model, that of the start of a child says whether its agent
 * answers questions, and that of a request to stop may be the driver's own, because the run has used its time. Version 2 of a context
 * has segments and items, version 3 of it may have layers, version 2 of a summary says how it was made, that of a result may say where its whole text is, and
 * version 3 of how a run starts may pin its input, that of a result may have the files that were changed, and that of a step those that it is to change.
 * Version 4 of how a run starts may have a layer of permissions, and that of a context tools that are deferred. Version 4 of how a run starts, version 3 of
 * the start of a call and of the end of a child, and version 4 of a result, may have a taint. Version 3 of a steered message may pin it. Version 5 of how a
 * run starts may have what guards said of its input. Version 4 of a steered message and version 3 of a signal may have a taint, version 4 of the start of a
 * call what its arguments name, and version 2 of how a run is suspended says at which
 * breakpoint.
 */
export const eventVersions: Readonly<Partial<Record<EventType, number>>> = {
  'thread.started': 3,
  'thread.forked': 3,
  'run.queued': 5,
  'run.started': 5,
  'run.suspended': 2,
  'run.stop-requested': 3,
  'run.pause-requested': 2,
  'run.stopped': 2,
  'message.steered': 4,
  'context.assembled': 4,
  'context.compressed': 2,
  'model.replied': 2,
  'tool.started': 4,
  'tool.finished': 4,
  'tool.step-started': 3,
  'question.asked': 2,
  'question.answered': 2,
  'child.started': 3,
  'child.finished': 3,
  'signal.received': 3,
}

/** A context of version 1 left out what came before one entry, and had one text that stood for it. */
function toSegments(data: Json): Json {
  const { rebase } = data as { rebase?: JsonObject }
  if (!rebase) return data
  const { lead, keepFrom = 0, ...rest } = rebase
  const cut = { rule: 'keepFrom', reason: 'It comes before the first entry that was kept.' }
  if (lead === undefined) return { rebase: keepFrom === 0 ? rest : { ...rest, segments: [{ to: keepFrom, as: 'dropped', ...cut }] } }
  return { rebase: { ...rest, segments: [{ to: keepFrom, as: 'summary', text: lead }] } }
}

/** Versions have only added fields that may be absent, except where it says otherwise. */
export const upcasters: Upcasters = {
  ...Object.fromEntries(Object.entries(eventVersions).map(([type, version]) => [type, Array.from({ length: version - 1 }, () => unchanged)])),
  'context.assembled': [toSegments, unchanged, unchanged],
}

/** The stored event in the newest version that the upcasters reach. */
export function upcast(stored: Stored, steps: Upcasters = upcasters): Stored {
  const newer = own(steps, stored.type as EventType)?.slice(stored.v - 1)
  return newer ? newer.reduce(({ type, v, data }, step) => ({ type, v: v + 1, data: step(data) }), stored) : stored
}
