/** W11: redacting a text of 1 MB, over one of 100 kB: the cost must grow with the length and no faster, on every worst text. */
import { redactText } from '@loom-agent/agent/kit'
import { cpuNow, type Figure, figure, median } from './measure.ts'
import { worstParts, worstText } from './secret-texts.ts'

const small = 100_000
const large = 1_000_000

/** CPU microseconds of redacting a text so often that the clock can see it. */
function cost(text: string, times: number): number {
  const before = cpuNow()
  for (let time = 0; time < times; time += 1) redactText(text, { kind: 'foreign' })
  return (cpuNow() - before) / times
}

/** Measures each worst text at two lengths, in turns, and takes the medians. */
export function measureRedaction(quick: boolean): readonly Figure[] {
  const ratios = Object.entries(worstParts).map(([what, part]) => {
    const [short, long] = [worstText(part, small), worstText(part, large)]
    cost(short, 3)
    const rounds = Array.from({ length: quick ? 2 : 5 }, () => ({ short: cost(short, 3), long: cost(long, 1) }))
    const [shortCost, longCost] = [median(rounds.map((round) => round.short)), median(rounds.map((round) => round.long))]
    return { what, ratio: longCost / shortCost, ms: longCost / 1000 }
  })
  const worst = ratios.reduce((a, b) => (b.ratio > a.ratio ? b : a))
  const slowest = ratios.reduce((a, b) => (b.ms > a.ms ? b : a))
  const detail = `${ratios.length} worst texts; the worst ratio: ${worst.what}; the slowest: ${slowest.what}, ${slowest.ms.toFixed(0)} ms for 1 MB`
  return [figure('W11', 'redacting 1 MB over redacting 100 kB', { value: worst.ratio, goal: 12, detail })]
}
