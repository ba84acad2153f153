/**
 * Names on the wire. Ids and names that a model made up are sent back to its vendor, or to another one, and vendors accept only some of them.
 *
 * NAME-1. An id has 1 to 40 letters, digits, underscores and dashes, and no two calls between two rebases have the same.
 * NAME-2. The same history gives the same names, in any process.
 */

/** What every vendor takes as the id of a call. */
const idPattern = /^[a-zA-Z0-9_-]{1,40}$/
const namePattern = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/
const strange = /[^a-zA-Z0-9_-]/g

/** Gives calls their ids on the wire. */
export interface WireIds {
  /** The id of a call: the provider's own where every vendor takes it, one made of it and of the call's place elsewhere. */
  of(id: string, place: string): string
}

/** Ids for one conversation. */
export function createWireIds(): WireIds {
  const used = new Set<string>()
  const made = (id: string, place: string): string => {
    const suffix = `_${place.replace(strange, '_')}`
    const clean = id.replace(strange, '_').slice(0, 40 - suffix.length)
    return `${clean === '' ? 'call' : clean}${suffix}`
  }
  return {
    of(id, place) {
      let unique = idPattern.test(id) && !used.has(id) ? id : made(id, place)
      for (let more = 2; used.has(unique); more += 1) unique = made(id, `${place}_${more}`)
      used.add(unique)
      return unique
    },
  }
}

/** The name of a tool as a call may bear it: a name that vendors would refuse is changed into one that they take. */
export function wireName(name: string): string {
  if (namePattern.test(name)) return name
  const clean = name.replace(strange, '_')
  return (/^[A-Za-z_]/.test(clean) ? clean : `_${clean}`).slice(0, 64)
}
