/** Skills: texts that a model opens when it needs them. */
import { type ContextItem, LoomError } from '@loom-agent/kernel'
import { frameworkTexts } from '../context/texts.ts'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { jsonSchema } from '../types/schema.ts'
import { bringingTool, textBy } from './bringing-tool.ts'
import type { Tool } from './define.ts'

/** A text about how something is done. */
export interface Skill {
  /** What the model opens it by: lower-case letters, digits and hyphens, at most 64. */
  readonly name: string
  /** What it is for, in at most 1,024 characters; the model always sees it. */
  readonly description: string
  /** The text itself; the model sees it once it has opened the skill. */
  readonly body: string
  /** Where it comes from, such as a path; default `skill`. */
  readonly origin?: string
  /** Set when somebody wrote it whom the agent should not obey. */
  readonly trust?: 'untrusted'
}

/** How skills are offered. */
export interface SkillsOptions {
  /** The name of the tool that opens them; default `open_skill`. */
  readonly name?: string
  /** The text of a skill that was opened; default: its body under its name. */
  readonly show?: (skill: Skill) => string
}

/** What a skill must be. Made on use: nothing happens on import. */
const createShape = (): Shape & Record<keyof Skill, Expected> => ({
  name: expected.required({
    words: 'a name of lower-case letters, digits and hyphens, at most 64',
    fits: (value) => typeof value === 'string' && /^[a-z0-9][a-z0-9-]{0,63}$/.test(value),
  }),
  description: expected.required({
    words: 'a text of 1 to 1,024 characters',
    fits: (value) => expected.name.fits(value) && (value as string).length <= 1024,
  }),
  body: expected.required(expected.name),
  origin: expected.name,
  trust: expected.oneOf('untrusted'),
})

/**
 * Offers skills: their names and descriptions are a layer of the system text, and the tool that this returns opens one. The text of an opened skill is added
 * at the end of the context, where it stays until a rebase leaves it out.
 *
 * @example
 * agent({ tools: [skills([{ name: 'refunds', description: 'How refunds are made.', body: 'First look up the order. ...' }])] })
 */
export function skills(list: readonly Skill[], options: SkillsOptions = {}): Tool {
  checkOptions('skills()', { list }, { list: expected.required(expected.list(expected.object, 'a list of skills: { name, description, body }')) })
  checkOptions('skills()', options, { name: expected.name, show: expected.function })
  for (const [index, skill] of list.entries()) checkOptions(`skills()[${index}]`, skill, createShape())
  const known = new Map(list.map((skill) => [skill.name, skill]))
  if (known.size < list.length) throw twice(list)
  const { name = 'open_skill', show = frameworkTexts.skill } = options
  return bringingTool({
    name,
    description: 'Opens a skill: its text becomes part of the conversation.',
    input: jsonSchema<{ name: string }>({
      type: 'object',
      properties: { name: { type: 'string', enum: [...known.keys()] } },
      required: ['name'],
      additionalProperties: false,
    }),
    run: ({ name: opened }) => `The text of the skill "${opened}" is part of the conversation now.`,
    brings: (tool) => ({
      tool,
      layers: [
        { name: 'skills', origin: 'agent', text: list.length === 0 ? '' : frameworkTexts.skills(list) },
        { name: 'framework', origin: 'loom', text: list.length === 0 ? '' : frameworkTexts.openSkill(tool) },
      ],
      opens: (input) => {
        const skill = known.get((input as { readonly name?: string } | null)?.name ?? '')
        return skill && itemOf(skill, show)
      },
    }),
  })
}

function itemOf(skill: Skill, show: (skill: Skill) => string): ContextItem {
  const { name, origin = 'skill', trust } = skill
  return { kind: 'skill', id: name, origin, text: textBy('skills()', () => show(skill)), ...(trust && { trust }) }
}

function twice(list: readonly Skill[]): LoomError {
  const names = list.map(({ name }) => name)
  const name = names.find((one, index) => names.indexOf(one) !== index) ?? ''
  return new LoomError('LOOM_OPTION_INVALID', `skills(): two skills are called "${name}". Rename one.`, { context: { name } })
}
