/** Refuses media that a model does not take, before anything is sent. */
import { checkOptions, expected, modelId } from '@loom-agent/agent/kit'
import type { LanguageModelV4, LanguageModelV4Message } from '@loom-agent/agent/language-model'
import { isLoomError, LoomError } from '@loom-agent/kernel'
import { translateModel, type Wrapper } from '../call/wrapper.ts'
import type { Modality } from '../table/model-info.ts'

/**
 * Refuses requests with media that a model does not take, with `LOOM_INPUT_INVALID`, before they are sent. Models by id do so
 * already when the table says what they take.
 *
 * @example
 * const reader = accepts(['text', 'image'])(ollama('llava'))
 */
export function accepts(input: readonly Modality[]): Wrapper {
  const modality = expected.oneOf('text', 'image', 'audio', 'video', 'pdf')
  checkOptions('accepts', { input }, { input: expected.required(expected.list(modality, `a list with ${modality.words}`)) })
  return (model) => accepting(model, { id: modelId(model), input })
}

/** The model; media that it does not take are refused with its id in the message. */
export function accepting(model: LanguageModelV4, known: { readonly id: string; readonly input: readonly Modality[] }): LanguageModelV4 {
  return translateModel(model, (call) => {
    for (const mediaType of call.prompt.flatMap(mediaOf)) check(mediaType, known)
    return { call }
  })
}

/** Whether an error is a refusal of media that another model might take. */
export function isMediaRefusal(error: unknown): boolean {
  return isLoomError(error) && error.code === 'LOOM_INPUT_INVALID' && typeof error.context['mediaType'] === 'string'
}

/** The media types in a message. Media that a model has made are not checked. */
function mediaOf({ role, content }: LanguageModelV4Message): readonly string[] {
  if (role !== 'user' && role !== 'tool') return []
  const parts = content as readonly (MediaPart & { readonly output?: { readonly type: string; readonly value?: unknown } })[]
  return parts.flatMap((part) => {
    const { output } = part
    return output?.type === 'content' ? (output.value as readonly MediaPart[]).flatMap(typeOf) : typeOf(part)
  })
}

interface MediaPart {
  readonly mediaType?: unknown
}

const typeOf = ({ mediaType }: MediaPart): readonly string[] => (typeof mediaType === 'string' ? [mediaType] : [])

/** Undefined for media that no table covers: the vendor decides whether the model takes them. */
function modalityOf(mediaType: string): Modality | undefined {
  if (mediaType === 'application/pdf') return 'pdf'
  const [kind = ''] = mediaType.split('/')
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : undefined
}

function check(mediaType: string, { id, input }: { readonly id: string; readonly input: readonly Modality[] }): void {
  const modality = modalityOf(mediaType)
  // A model that takes images gets a document as images of its pages.
  if (modality === undefined || input.includes(modality) || (modality === 'pdf' && input.includes('image'))) return
  const advice = `Use a model that takes ${modality}, or give it as text. If it does take it, say so: createModels({ table }).`
  throw new LoomError('LOOM_INPUT_INVALID', `${id} does not take ${mediaType}: it takes ${input.join(', ')}. ${advice}`, {
    context: { model: id, mediaType, takes: [...input] },
  })
}
