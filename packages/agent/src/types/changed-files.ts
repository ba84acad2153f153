/**
 * What bodies say that they have changed of the files of a workspace, and steps that they are about to: facts beside the result, which no model reads.
 *
 * CHANGED-1. Only code that calls these functions states such facts: a result and a step carry them under a symbol, so that data with the same fields is
 *     data (BAND-1).
 */
import type { BlobRef, Blobs, FileFacts } from '@loom-agent/kernel'
import { addNotes, type ChangedFiles, type Noted, notesOf } from './noted.ts'

/** Adds what was changed to what a body returns, or throws. Of a file that was named before, what was said first holds. */
export function withChanges(value: unknown, changed: ChangedFiles): Noted {
  return addNotes(value, { changed: joined(notesOf(value)?.changed, changed) })
}

function joined(first: ChangedFiles | undefined, second: ChangedFiles): ChangedFiles {
  if (!first) return second
  const named = new Set(first.files.map(({ path }) => path))
  const files = [...first.files, ...second.files.filter(({ path }) => !named.has(path))]
  return { files, kept: new Map([...(first.kept ?? []), ...(second.kept ?? [])]), unseen: first.unseen ?? second.unseen }
}

/** What a step is about to change; asked for just before it is recorded that the step begins. */
export type PlanChanges = () => ChangedFiles | Promise<ChangedFiles>

/** The brand (BAND-1). */
const brand = Symbol.for('loom.step-changes')

/** A step that says what it is about to change. */
export function changingStep<Given extends readonly unknown[], T>(run: (...given: Given) => T, plan: PlanChanges): (...given: Given) => T {
  return Object.defineProperty((...given: Given) => run(...given), brand, { value: plan })
}

/** What a step says that it is about to change; undefined for most steps. */
export function plannedChanges(run: unknown): PlanChanges | undefined {
  return Object.hasOwn(Object(run) as object, brand) ? (Reflect.get(run as object, brand) as PlanChanges) : undefined
}

/** Changes as an event has them, and the contents that its batch brings. */
export function fileFacts({ files: given, kept, unseen }: ChangedFiles): { readonly facts: FileFacts; readonly blobs: Blobs | undefined } {
  const files = given.filter(({ before, after, modes: [was, is] = [null, null] }) => before !== after || was !== is)
  const named = new Set(files.flatMap(({ before, after }) => [before, after]))
  const blobs = new Map([...(kept ?? [])].filter(([hash]) => named.has(hash)))
  const contents = [...blobs].map(([hash, { length }]): BlobRef => ({ $blob: hash, bytes: length }))
  return {
    facts: { ...(files.length > 0 && { files }), ...(contents.length > 0 && { contents }), ...(unseen !== undefined && { unseen }) },
    blobs: blobs.size > 0 ? blobs : undefined,
  }
}
