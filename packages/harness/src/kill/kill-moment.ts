/** When a process is killed: at a certain moment of its work. */
import { type Bit, bits } from './phase.ts'

/** So many microseconds after the process has entered a phase for the nth time. */
export interface KillMoment {
  readonly bit: Bit
  readonly nth: number
  readonly delay: number
}

/** A share of all moments: its weight, the highest nth, and the longest delay in microseconds. */
interface Share {
  readonly bit: Bit
  readonly weight: number
  readonly most: number
  readonly delay: number
}

const shares: readonly Share[] = [
  { bit: 'append', weight: 36, most: 10, delay: 1500 },
  { bit: 'done', weight: 22, most: 4, delay: 1500 },
  { bit: 'asked', weight: 12, most: 4, delay: 600 },
  { bit: 'model', weight: 8, most: 3, delay: 1000 },
  { bit: 'opening', weight: 6, most: 1, delay: 25_000 },
  { bit: 'started', weight: 16, most: 1, delay: 120_000 },
]

/** Draws the next moment; fields that are given are not drawn. */
export function drawMoment(random: () => number, given: Partial<KillMoment> = {}): KillMoment {
  const eligible = given.bit === undefined ? shares : shares.filter(({ bit }) => bit === given.bit)
  const { bit, most, delay } = pick(eligible, random)
  return { bit, nth: 1 + Math.floor(random() * most), delay: Math.floor(random() * delay), ...given }
}

/** One of several, by weight. */
function pick(eligible: readonly Share[], random: () => number): Share {
  let left = random() * eligible.reduce((sum, { weight }) => sum + weight, 0)
  for (const share of eligible) {
    left -= share.weight
    if (left < 0) return share
  }
  return eligible[0] as Share
}

/** Takes the bits that a process reports; calls `kill` when the moment has come, and never once the run is over. */
export function killAt({ bit, nth, delay }: KillMoment, kill: () => void): (mask: number) => void {
  let before = 0
  let entered = 0
  let timer: NodeJS.Timeout | undefined
  return (mask) => {
    const enters = (mask & ~before & bits[bit]) !== 0
    before = mask
    if (mask & bits.over) return clearTimeout(timer)
    if (!enters || ++entered !== nth) return
    if (delay > longestSpin) timer = setTimeout(kill, delay / 1000)
    else {
      spin(delay)
      kill()
    }
  }
}

/** Timers have no resolution of microseconds. */
const longestSpin = 2000

function spin(delay: number): void {
  for (const end = performance.now() + delay / 1000; performance.now() < end; );
}
