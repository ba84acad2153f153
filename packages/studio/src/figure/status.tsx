/** How a thread stands: a shape and a word. */
import type { ReactNode } from 'react'
import { useWords, words } from '../design/words.tsx'

/** How a thread stands. */
export type ThreadStatus = 'idle' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped' | 'partial'

const statusWords = words({
  en: { idle: 'idle', running: 'running', waiting: 'waiting', done: 'done', failed: 'failed', stopped: 'stopped', partial: 'partial' },
  zh: { idle: '空闲', running: '运行中', waiting: '等待中', done: '完成', failed: '失败', stopped: '已停止', partial: '不完整' },
})

const shapes: { readonly [S in ThreadStatus]: ReactNode } = {
  idle: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2 2" />,
  running: <circle cx="6" cy="6" r="4" fill="currentColor" className="pulse" />,
  waiting: <path d="M4 2v8M8 2v8" fill="none" stroke="currentColor" strokeWidth="2.5" />,
  done: <path d="M2 6.5L5 9l5-6" fill="none" stroke="currentColor" strokeWidth="2" />,
  failed: <path d="M2.5 2.5l7 7M9.5 2.5l-7 7" fill="none" stroke="currentColor" strokeWidth="2.5" />,
  stopped: <rect x="2.5" y="2.5" width="7" height="7" fill="currentColor" />,
  partial: <path d="M1 6h4M8 6h3" fill="none" stroke="currentColor" strokeWidth="2" />,
}

/** The status of a thread. */
export function Status({ of }: { readonly of: ThreadStatus }): ReactNode {
  const text = useWords(statusWords)
  return (
    <span className={`status ${of}`}>
      <svg className="glyph-status" viewBox="0 0 12 12" aria-hidden="true">
        {shapes[of]}
      </svg>
      {text[of]}
    </span>
  )
}
