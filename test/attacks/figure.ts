/** Figures of attacks for the page of proofs. `npm run attack` names a file for them in LOOM_FIGURES; otherwise none are kept. */
import { appendFileSync } from 'node:fs'

/** What was tried, how often, and how often it went otherwise than it must. */
export interface AttackFigure {
  readonly what: string
  readonly tried: number
  readonly wrong: number
}

/** Keeps a figure, after the test has judged it. */
export function noteFigure(figure: AttackFigure): void {
  const file = process.env['LOOM_FIGURES']
  if (file) appendFileSync(file, `${JSON.stringify(figure)}\n`)
}
