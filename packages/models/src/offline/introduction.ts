/** What the model says about itself: what it is, what it can do, and how to use a real one. */
import { type Environment, settingOf } from '../provider/environment.ts'
import { knownProviders } from '../provider/provider.ts'
import type { ToolView } from './tool-view.ts'

/** What the model is, and which real models are configured: keys and servers by the names of their variables, never by their values. */
export function introduction(env: Environment): readonly string[] {
  const seen = Object.entries(knownProviders).flatMap(([name, { keys, signs, defaultModel }]) => {
    const variable = [...keys, ...signs].find((each) => settingOf(env, each) !== undefined)
    return variable === undefined || name.includes('.') ? [] : [`${variable} is set, so model: '${name}/${defaultModel ?? '<name>'}' may work`]
  })
  const keys = Object.values(knownProviders).flatMap(({ keys: [first] }) => (first === undefined ? [] : [first]))
  const none = `set ${[...new Set(keys)].join(' or ')} and give its model, or start Ollama and give model: 'ollama/<name>'`
  return ["I am Loom's offline model: fixed rules, not a language model.", `To use a real one: ${seen.length > 0 ? seen.join('; ') : none}.`]
}

/** What the model can do with its tools. */
export function abilities(tools: readonly ToolView[]): string {
  const listed = tools.map(({ name, args }) => {
    const needed = args.flatMap((arg) => (arg.required ? [arg.name] : []))
    return `- ${name}${needed.length > 0 ? ` (${needed.join(', ')})` : ''}`
  })
  const calculate = 'I can calculate, such as 2 + 2 * 10'
  if (listed.length === 0) return `${calculate}. I have no tools here.`
  return [`${calculate}, and call these tools by their names or plain words, with texts in quotation marks:`, ...listed].join('\n')
}
