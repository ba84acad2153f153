/** What one turn is about: 130 bytes of arguments and 350 bytes of result, 480 bytes of information that do not compress. */

/** Text that does not compress, the same in every run. */
function noise(length: number, seed: number): string {
  let state = seed >>> 0
  let text = ''
  while (text.length < length) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    text += state.toString(36)
  }
  return text.slice(0, length)
}

/** Made beforehand: a payload that is made while the clock runs would hide what is measured. */
const pool = Array.from({ length: 512 }, (_, seed) => ({ question: noise(130, seed), result: noise(350, seed ^ 0x5bd1e995) }))
const at = (turn: number): (typeof pool)[number] => pool[turn % pool.length] as (typeof pool)[number]

/** The arguments of a turn as JSON, 130 bytes. */
export function argumentsOf(turn: number): string {
  const tail = `","turn":${turn}}`
  return `{"q":"${at(turn).question.slice(0, 124 - tail.length)}${tail}`
}

/** The result of a turn, 350 bytes. */
export function resultOf(turn: number): string {
  return at(turn).result
}
