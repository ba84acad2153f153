/**
 * Tests wait for facts, never for a time, and assert nothing about time: a slow machine must not make a right program fail, nor a fast one a wrong
 * program pass. `until` and `idle` of test/support/event-loop.ts wait; `manualClock` makes time pass.
 */
import type { Source } from './sources.ts'

/** What waits for a time, or measures one. */
const timing =
  /\bsetTimeout\(|\bsetInterval\(|\bsetTimeout as\b|\bAtomics\.wait\(|\bperformance\.now\(|\bprocess\.hrtime\b|\bDate\.now\(\)\s*[-<>]|(?<!=)[-<>]=?\s*Date\.now\(|=\s*Date\.now\(\)/

/** Files in which a timer is what is tested, or cannot be done without. */
const allowed: Readonly<Record<string, string>> = {
  'test/support/event-loop.ts': 'the one place in which tests wait',
  'test/laws/run-plan.ts': 'ends a plan that hangs, so that it can be shrunk',
  'test/umbrella.test.ts': 'plants a timer for the check that an import starts none',
  'test/architecture.test.ts': 'plants timers for this check',
  'packages/testing/test/regression/scenarios.ts': 'a recorded call must have taken time',
  'packages/kernel/test/purity.test.ts': 'plants a timer for the check that the kernel has none',
  'packages/journals/src/storage/liveness.test.ts': 'keeps another process alive',
  'packages/journals/test/sqlite-open.test.ts': 'another thread holds a lock while this one is blocked',
}

const isTestFile = ({ file }: Source): boolean => /\.test\.ts$|(^|\/)test\//.test(file)

/** Tests that sleep or measure time. */
export function checkTestTiming(sources: readonly Source[]): readonly string[] {
  return sources
    .filter((source) => isTestFile(source) && !(source.file in allowed))
    .flatMap(({ file, text }) =>
      text.split('\n').flatMap((line, index) => {
        const [found] = timing.exec(line) ?? []
        return found === undefined ? [] : [`${file}:${index + 1} has ${found.trim()}: wait for a fact with until(), or use manualClock()`]
      }),
    )
}
