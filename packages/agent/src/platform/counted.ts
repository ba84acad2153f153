/** Numbers in texts for people and models. */

/** A number with commas. */
export const inWords = (number: number): string => number.toLocaleString('en-US')

/** A number of things, in the singular where it is one. */
export const counted = (number: number, noun: string, plural = `${noun}s`): string => `${inWords(number)} ${number === 1 ? noun : plural}`
