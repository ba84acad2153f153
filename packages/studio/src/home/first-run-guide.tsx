/** What is shown before anything has run. */
import type { ReactNode } from 'react'
import { useWords } from '../design/words.tsx'
import { homeWords } from './words.ts'

const command = 'npx loom run "What can you do?"'
const program = `import { agent } from 'loom-agent'

const clerk = agent({ name: 'clerk', model: 'offline' })
console.log((await clerk.run('Hello')).text)`

/** The guide. The page listens, and shows the first thread as soon as there is one. */
export function FirstRunGuide(): ReactNode {
  const text = useWords(homeWords)
  return (
    <section className="guide">
      <svg viewBox="0 0 320 96" aria-hidden="true" className="guide-mark">
        <path d="M0 24H320M0 72H120c32 0 24-24 56-24H320M0 48H80" vectorEffect="non-scaling-stroke" />
      </svg>
      <h1>{text.guide}</h1>
      <p className="soft">{text.guideHint}</p>
      <ol>
        <li>
          <p>{text.guideRun}</p>
          <pre className="inert">{command}</pre>
        </li>
        <li>
          <p>{text.guideCode}</p>
          <pre className="inert">{program}</pre>
        </li>
        <li>
          <p>{text.guideWatch}</p>
        </li>
      </ol>
    </section>
  )
}
