/**
 * Who has approved.
 *
 * PERM-14. One person is one approver, however the name is spelt: case, width, composition, invisible characters and the length of spaces do not count.
 *     Names that only look alike, such as those of two alphabets, are different names: the caller gives an id that it has checked.
 */

/** What is not seen where a name is read. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu

/** A name in the one spelling in which names are compared; empty where nothing of it can be seen. */
export function comparableName(name: string): string {
  const plain = name.toWellFormed().replace(invisible, '').normalize('NFKC')
  // Upper case first: some letters have no lower case of their own, such as those of STRASSE and Straße.
  const folded = plain.toUpperCase().toLowerCase().normalize('NFKC')
  return folded.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

/** Whether a person is among those who have approved. */
export function hasApproved(votes: readonly string[], name: string): boolean {
  const wanted = comparableName(name)
  return votes.some((vote) => comparableName(vote) === wanted)
}
