/**
 * Who has approved.
 *
 * PERM-14. One person is one approver, however the name is spelt: case, width, composition, invisible characters and the length of spaces do not count.
 *     Names that only look alike, such as those of two alphabets, are different names: the caller gives an id that it has checked.
 */
import { plainText } from '../platform/plain-text.ts'

/** A name in the one spelling in which names are compared; empty where nothing of it can be seen. */
export function comparableName(name: string): string {
  const plain = plainText(name.toWellFormed())
  // Small letters first and last: some have a capital of two letters, which has small ones of its own, such as those of STRASSE, Straße and STRAẞE.
  const folded = plain.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC')
  return folded.replace(/\s+/gu, ' ').trim()
}

/** Whether a person is among those who have approved. */
export function hasApproved(votes: readonly string[], name: string): boolean {
  const wanted = comparableName(name)
  return votes.some((vote) => comparableName(vote) === wanted)
}
