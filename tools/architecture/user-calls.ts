/** Code of users is called through platform/call-user.ts and nowhere else (USER-1): a call of a callback by its name is found by its text. */
import type { Source } from './sources.ts'

/** What the functions are called that users give to agents, tools, hooks, rules and models. */
const names = [
  ...['available', 'lock', 'permission', 'when', 'say', 'sink', 'log', 'observer', 'resolver', 'instructions', 'isListed'],
  ...['onQuestion', 'onRecovered', 'onError', 'onEvent', 'onRetry', 'onProgress', 'onStart', 'onComplete', 'onPlanning', 'onToolCallRequest'],
]
/** Those whose names are common: found only on what they belong to. */
const methods = [
  'strategy.assemble',
  'model.doStream',
  'ports.price',
  "['~standard'].validate",
  'execution.enter',
  'generator.next',
  'generator.return',
]

const escaped = (text: string): string => text.replace(/[.[\]()]/g, '\\$&')
const called = new RegExp(`(?:(?<![\\w$.'])(?:\\w+\\??\\.)*(?:${names.join('|')})|${methods.map(escaped).join('|')})(?:\\?\\.)?\\(`)
const guarded = /\b(?:callUser|callUserNow|callNamed|enterUser|notify)\(.*$/
/** Declarations, types and comments call nothing. */
const declares = /^\s*(?:\*|\/\/|\/\*\*|(?:export )?(?:async )?function |readonly |type )|\w\([^()]*\): |=> \w+\[\]/

const guard = 'packages/agent/src/platform/call-user.ts'

/** Reports calls of users' functions that are not made through `callUser`, `callUserNow`, `callNamed`, `enterUser` or `notify`. */
export function checkUserCalls(sources: readonly Source[]): readonly string[] {
  const checked = sources.filter(({ file }) => file.startsWith('packages/agent/src/') && !file.endsWith('.test.ts') && file !== guard)
  return checked.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line, index) => {
      const found = declares.test(line) ? null : called.exec(line.replace(guarded, ''))
      return found ? [`${file}:${index + 1} calls ${found[0]}: call code of users through callUser() (USER-1)`] : []
    }),
  )
}
