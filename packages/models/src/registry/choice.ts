/**
 * Chooses the model when neither the agent nor the run names one. A pure function of the environment.
 *
 * CHOICE-1. The offline model is chosen only when it is asked for by name.
 * CHOICE-2. A missing or incomplete configuration is an error that says what was found and what to do.
 */
import { nearest } from '@loom-agent/agent/kit'
import type { JsonObject, LoomErrorCode } from '@loom-agent/kernel'
import { type Environment, settingOf } from '../provider/environment.ts'
import type { Provider } from '../provider/provider.ts'

/** The choice, or the error. */
export type Choice =
  | {
      readonly kind: 'model'
      /** The id of the model: `provider/name`. */
      readonly id: string
      /** The reason, in words. */
      readonly because: string
    }
  | {
      readonly kind: 'offline'
      /** The reason, in words. */
      readonly because: string
    }
  | {
      readonly kind: 'error'
      /** The code of the error. */
      readonly code: LoomErrorCode
      /** What is missing, and what to do. */
      readonly message: string
      /** The variables that were looked at and found, by name. */
      readonly context: JsonObject
    }

/** What the choice depends on. */
export interface ChoiceFacts {
  /** The environment variables. */
  readonly env: Environment
  /** The known providers by name. */
  readonly providers: Readonly<Record<string, Pick<Provider, 'keys' | 'signs' | 'defaultModel'>>>
}

const refusal = (message: string, context: JsonObject = {}): Choice => ({ kind: 'error', code: 'LOOM_MODEL_MISSING', message, context })

/** Returns the model for an agent without one: what `LOOM_PROVIDER` and `LOOM_MODEL` say, or else the only provider whose key is set. */
export function chooseModel(facts: ChoiceFacts): Choice {
  const choice = choiceIn(facts)
  if (choice.kind !== 'error') return choice
  const looked = variablesOf(facts)
  return { ...choice, context: { ...choice.context, looked, found: looked.filter((name) => facts.env[name] !== undefined) } }
}

/** The variables that say which model is meant. */
const variablesOf = ({ providers }: ChoiceFacts): string[] => [
  ...new Set(['LOOM_MODEL', 'LOOM_PROVIDER', ...Object.values(providers).flatMap(({ keys, signs }) => [...keys, ...signs])]),
]

function choiceIn({ env, providers }: ChoiceFacts): Choice {
  const provider = settingOf(env, 'LOOM_PROVIDER')
  const model = settingOf(env, 'LOOM_MODEL')
  const blank = ['LOOM_PROVIDER', 'LOOM_MODEL'].find((name) => env[name] !== undefined && settingOf(env, name) === undefined)
  if (blank !== undefined) return refusal(`${blank} is set, and empty. Give it a value, or unset it.`, { variable: blank })
  if (provider === 'offline') return { kind: 'offline', because: 'LOOM_PROVIDER is offline' }
  if (provider === undefined && model === 'offline') return { kind: 'offline', because: 'LOOM_MODEL is offline' }
  if (provider !== undefined) return ofProvider({ env, providers }, provider, model)
  if (model?.includes('/')) return { kind: 'model', id: model, because: 'LOOM_MODEL says so' }
  if (model !== undefined) {
    const advice = 'Set LOOM_PROVIDER as well, or write it as provider/name.'
    return refusal(`LOOM_MODEL is "${model}", and nothing says whose model that is. ${advice}`, { variable: 'LOOM_PROVIDER' })
  }
  return byKeys({ env, providers })
}

function ofProvider({ env, providers }: ChoiceFacts, name: string, model: string | undefined): Choice {
  const known = Object.hasOwn(providers, name) ? providers[name] : undefined
  if (!known) {
    const near = nearest(name, Object.keys(providers))
    const hint = near === undefined ? `The providers are: ${Object.keys(providers).join(', ')}.` : `Did you mean "${near}"?`
    return refusal(`LOOM_PROVIDER is "${name}", which is no provider. ${hint}`, { variable: 'LOOM_PROVIDER' })
  }
  const [variable] = known.keys
  if (variable !== undefined && !known.keys.some((key) => settingOf(env, key) !== undefined)) {
    return refusal(`LOOM_PROVIDER is "${name}", and there is no key for it. Set the environment variable ${variable}.`, { variable })
  }
  const [named = ''] = model?.includes('/') ? model.split('/') : []
  if (model !== undefined && named.startsWith(`${name}.`)) return { kind: 'model', id: model, because: 'LOOM_MODEL says so' }
  if (known.keys.length > 0 && named !== name && Object.hasOwn(providers, named)) {
    return refusal(`LOOM_PROVIDER is "${name}", and LOOM_MODEL is a model of ${named}. Make them agree.`, { variable: 'LOOM_MODEL' })
  }
  const chosen = model ?? known.defaultModel
  if (chosen === undefined) return refusal(`LOOM_PROVIDER is "${name}", and nothing says which model. Set LOOM_MODEL.`, { variable: 'LOOM_MODEL' })
  // A name that starts with its provider does not get it twice.
  const id = chosen.startsWith(`${name}/`) ? chosen : `${name}/${chosen}`
  return {
    kind: 'model',
    id,
    because: model === undefined ? 'LOOM_PROVIDER says whose, and this is the usual one' : 'LOOM_PROVIDER and LOOM_MODEL say so',
  }
}

/** Nothing is named: a key decides, if exactly one is set. */
function byKeys({ env, providers }: ChoiceFacts): Choice {
  const found = new Map<string, string>()
  for (const [name, { keys, signs }] of Object.entries(providers)) {
    const sign = [...keys, ...signs].find((variable) => env[variable] !== undefined)
    if (sign !== undefined && ![...found.values()].includes(sign)) found.set(name, sign)
  }
  const blank = [...found.values()].find((variable) => settingOf(env, variable) === undefined)
  if (blank !== undefined) return refusal(`${blank} is set, and empty. Give it a value, or unset it.`, { variable: blank })
  if (found.size > 1) {
    const listed = [...found.values()].join(' and ')
    return refusal(`${listed} are set, and nothing says which to use. Set LOOM_PROVIDER, or give the agent a model.`, { variable: 'LOOM_PROVIDER' })
  }
  const [only] = found
  if (only) {
    const [name, variable] = only
    const model = providers[name]?.defaultModel
    if (model !== undefined) return { kind: 'model', id: `${name}/${model}`, because: `${variable} is set, and nothing else` }
    return refusal(`${variable} is set, and nothing says which model. Set LOOM_PROVIDER=${name} and LOOM_MODEL.`, { variable: 'LOOM_MODEL' })
  }
  const [, , ...keys] = variablesOf({ env, providers })
  const advice = "Give the agent a model, set LOOM_MODEL to provider/name, or set one key; model: 'offline' needs nothing."
  return refusal(`Nothing names a model: LOOM_MODEL and LOOM_PROVIDER are not set, and neither is ${keys.join(', ')}. ${advice}`, {
    variable: 'LOOM_MODEL',
  })
}
