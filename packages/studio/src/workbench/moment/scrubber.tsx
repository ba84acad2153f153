/** The scrubber: the moment as a place on the thread, with play. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useWords } from '../../design/words.tsx'
import { whole } from '../../figure/figure.ts'
import { useKeys } from '../../shell/use-keys.ts'
import type { Bench } from '../bench/bench.ts'
import { benchWords } from '../words/words.ts'
import { nextFault } from './next-fault.ts'

/** Milliseconds between two events while the thread is played. */
const pace = 120

/** The scrubber of a thread. */
export function Scrubber({ bench }: { readonly bench: Bench }): ReactNode {
  const text = useWords(benchWords)
  const [isPlaying, setIsPlaying] = useState(false)
  const { at, seq, head, columns, select } = bench
  const step = (by: number): void => {
    const next = Math.max(1, at + by)
    select(next >= head.seq && by > 0 ? undefined : Math.min(next, head.seq))
  }
  const play = (): void => {
    if (!isPlaying && seq === undefined) select(1)
    setIsPlaying(!isPlaying)
  }
  useTicking(isPlaying, () => {
    if (seq === undefined) setIsPlaying(false)
    else step(Math.max(1, Math.round(head.seq / 600)))
  })
  const jump = (direction: 1 | -1): void => {
    const found = nextFault(columns, at, direction)
    if (found !== undefined) select(found)
  }
  useKeys({
    heading: text.moment,
    bindings: [
      { keys: 'j', label: text.next, run: () => step(1) },
      { keys: 'k', label: text.previous, run: () => step(-1) },
      { keys: ' ', label: `${text.play} / ${text.pause}`, run: play },
      { keys: 'e', label: text.nextError, run: () => jump(1) },
      { keys: 'E', label: text.previousError, run: () => jump(-1) },
      { keys: 't', label: text.first, run: () => select(1) },
      { keys: 'G', label: text.end, run: () => select(undefined) },
      { keys: 'y', label: text.copyLink, run: () => void navigator.clipboard.writeText(location.href) },
    ],
  })
  return (
    <div className="scrubber">
      <ScrubberButtons isEnd={seq === undefined} isPlaying={isPlaying} onStep={step} onPlay={play} onSelect={select} />
      <input
        type="range"
        aria-label={text.moment}
        aria-valuetext={text.of(whole(at), whole(head.seq))}
        min={1}
        max={head.seq}
        value={at}
        onChange={({ target }) => select(Number(target.value) >= head.seq ? undefined : Number(target.value))}
      />
      <output className="number code">
        <span className="strong">{whole(at)}</span>
        <span className="faint"> / {whole(head.seq)}</span>
      </output>
      <span className="soft small follows">{seq === undefined ? text.follows : ''}</span>
    </div>
  )
}

function useTicking(isOn: boolean, tick: () => void): void {
  const latest = useRef(tick)
  latest.current = tick
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => latest.current(), pace)
    return () => clearInterval(timer)
  }, [isOn])
}

interface ButtonsProps {
  readonly isEnd: boolean
  readonly isPlaying: boolean
  readonly onStep: (by: number) => void
  readonly onPlay: () => void
  readonly onSelect: (seq: number | undefined) => void
}

function ScrubberButtons({ isEnd, isPlaying, onStep, onPlay, onSelect }: ButtonsProps): ReactNode {
  const text = useWords(benchWords)
  return (
    <>
      <button type="button" className="button plain" aria-label={text.first} onClick={() => onSelect(1)}>
        ⇤
      </button>
      <button type="button" className="button plain" aria-label={text.previous} onClick={() => onStep(-1)}>
        ←
      </button>
      <button type="button" className="button plain" aria-label={isPlaying ? text.pause : text.play} onClick={onPlay}>
        {isPlaying ? '‖' : '▷'}
      </button>
      <button type="button" className="button plain" aria-label={text.next} onClick={() => onStep(1)} disabled={isEnd}>
        →
      </button>
      <button type="button" className="button plain" aria-label={text.last} onClick={() => onSelect(undefined)} disabled={isEnd}>
        ⇥
      </button>
    </>
  )
}
