/**
 * What a key does in a chat. Pure.
 *
 * ASK-2. A key answers a question only where nothing is written, and only when the question has been shown and no key was pressed for a moment: who writes
 *     while a question comes up approves nothing by it.
 */
import { approve, edit, type Question, reject, respond, type SignedAnswer } from '@loom-agent/agent'
import type { Key } from '../screen/keys.ts'
import { type Action, type Answering, type ChatMode, type ChatState, chatModes, type Picker, type Step, step } from './chat-state.ts'
import { afterSending, editBy, emptyEditor, insert, insertPaste, textOf, withText } from './editor.ts'
import { markedLines } from './item-lines.ts'
import { type AnswerKey, answerKeys } from './question-lines.ts'
import { commandsLike, slashCommandIn } from './slash-commands.ts'

/** Milliseconds for which a question must be shown, and no key pressed, before a key answers it. */
export const quiet = 500

/** Whether a key would answer the first question. */
export const isAnswerable = ({ questions, editor, picker, answering, now, quietSince }: ChatState): boolean =>
  questions.length > 0 && editor.text === '' && picker === undefined && answering === undefined && now - quietSince >= quiet

/** Takes a key. */
export function onKey(given: ChatState, key: Key, now: number): Step {
  const canAnswer = isAnswerable({ ...given, now })
  const { hint: _hint, ...rest } = given
  const state: ChatState = { ...rest, now, quietSince: now, isLeaving: false }
  if (key.kind === 'key' && key.name === 'ctrl-c') return interrupt(given, state)
  if (state.picker) return onPickerKey(state, state.picker, key)
  if (key.kind === 'paste') return step({ ...state, editor: insertPaste(state.editor, key.text) })
  if (key.kind === 'text') return canAnswer ? onAnswerKey(state, key.text) : step({ ...state, editor: insert(state.editor, key.text) })
  const special = specialKeys[key.name]
  if (special) return special(state)
  const editor = editBy(state.editor, key.name)
  return step(editor ? { ...state, editor } : state)
}

const isBusy = ({ status }: ChatState): boolean => status !== 'idle'

const specialKeys: Readonly<Record<string, (state: ChatState) => Step>> = {
  enter: (state) => submit(state, 'now'),
  'alt-enter': (state) => (isBusy(state) ? submit(state, 'later') : step({ ...state, editor: insert(state.editor, '\n') })),
  escape: (state) => {
    if (state.answering) return step(notAnswering(state))
    if (state.status === 'working' || state.status === 'waiting') return step({ ...state, hint: 'interrupting …' }, [], [{ kind: 'stop' }])
    return step(state)
  },
  'ctrl-d': (state) =>
    state.editor.text === ''
      ? step(state, [], [{ kind: 'quit', code: 0 }])
      : step({ ...state, editor: editBy(state.editor, 'delete') ?? state.editor }),
  'shift-tab': (state) => withMode(state, state.modes[(state.modes.indexOf(state.mode) + 1) % state.modes.length] ?? state.mode),
  tab: complete,
}

/** Ctrl-C: stops what is under way, or clears what is written; twice, without another key in between, it ends the chat. */
function interrupt(given: ChatState, state: ChatState): Step {
  if (given.isLeaving) return step(state, [], [{ kind: 'quit', code: 130 }])
  const next: ChatState = { ...state, isLeaving: true, hint: 'Ctrl-C once more ends the chat' }
  if (state.picker) return step(withoutPicker(next))
  if (state.answering) return step(notAnswering(next))
  if (isBusy(state)) return step({ ...next, hint: 'stopping … Ctrl-C once more ends the chat' }, [], [{ kind: 'stop' }])
  return step({ ...next, editor: { ...emptyEditor, past: state.editor.past, place: state.editor.past.length } })
}

/** Sets the mode of the next message. */
export function withMode(state: ChatState, mode: ChatMode): Step {
  return step({ ...state, mode, hint: isBusy(state) ? `mode ${mode}, from the next message on` : `mode ${mode}: ${modeWords[mode]}` })
}

/** What a mode does, in words. */
export const modeWords: { readonly [K in ChatMode]: string } = {
  default: 'asks before files change and commands run',
  'accept-edits': 'edits of the workspace run without a question',
  auto: 'edits, and commands in a sandbox, run without a question',
  plan: 'nothing may be changed',
  bypass: 'nothing is asked, unless a rule asks',
}

/** The mode of a name; `undefined` where it is none of this chat. */
export const modeOf = (state: ChatState, name: string): ChatMode | undefined => chatModes.find((mode) => mode === name && state.modes.includes(mode))

/** What is written is sent: as a command, an answer, a message of this run or of the next. */
function submit(state: ChatState, when: 'now' | 'later'): Step {
  const text = textOf(state.editor)
  if (state.answering) return submitAnswer(state, state.answering, text)
  if (text.trim() === '') return step(state)
  const next: ChatState = { ...state, editor: afterSending(state.editor) }
  const command = slashCommandIn(text)
  if (command) return step(next, [[], ...markedLines(text.trim(), '› ', 'blue')], [{ kind: 'command', ...command }])
  if (!isBusy(state)) return step(next, [], [{ kind: 'send', text }])
  if (when === 'later') return step(next, [], [{ kind: 'queue', text }])
  const hint = state.questions.length > 0 ? { hint: 'the model reads it when the question is answered' } : {}
  return step({ ...next, ...hint }, [], [{ kind: 'steer', text }])
}

/** A key while a question is open, and nothing is written. */
function onAnswerKey(state: ChatState, text: string): Step {
  const [question] = state.questions
  const found = question && answerKeys(question).find(({ key }) => key === text)
  if (!question || !found) return step({ ...state, editor: insert(state.editor, text) })
  return answerBy(state, question, found)
}

function answerBy(state: ChatState, question: Question, { does }: AnswerKey): Step {
  const answered = (answer: SignedAnswer): Step => step(state, [], [{ kind: 'answer', question, answer }])
  switch (does) {
    case 'approve':
      return answered(approve())
    case 'approve for the thread':
      return answered(approve({ scope: 'thread' }))
    case 'edit': {
      const text = JSON.stringify(question.call?.input ?? {}, undefined, 2)
      return step({ ...state, answering: { question, with: 'edit' }, editor: withText(state.editor, text) })
    }
    default:
      return step({ ...state, answering: { question, with: does } })
  }
}

function notAnswering(state: ChatState): ChatState {
  const { answering: _answering, editor, ...rest } = state
  return { ...rest, editor: { ...emptyEditor, past: editor.past, place: editor.past.length } }
}

function submitAnswer(state: ChatState, answering: Answering, text: string): Step {
  const { question } = answering
  const answer = answerOf(answering, text)
  if (typeof answer === 'string') return step({ ...state, hint: answer })
  return step(notAnswering(state), [], [{ kind: 'answer', question, answer }])
}

/** The answer that was written; or why it is none. */
function answerOf({ with: how }: Answering, text: string): SignedAnswer | string {
  if (how === 'reject') return text.trim() === '' ? reject() : reject(text.trim())
  try {
    const value: unknown = JSON.parse(text)
    return how === 'edit' ? edit(value) : respond(value)
  } catch (error) {
    // A result may be any text; arguments are JSON.
    if (how === 'respond') return respond(text)
    return `These are no arguments: ${error instanceof Error ? error.message : String(error)}. Esc leaves them as they were.`
  }
}

/** Tab: completes a command at once, and asks for the paths behind an @. */
function complete(state: ChatState): Step {
  const { editor } = state
  const [only, ...others] = commandsLike(editor.text)
  if (only && others.length === 0) return step({ ...state, editor: withText(editor, `/${only.name} `) })
  const [, word] = /(?:^|\s)@(\S*)$/.exec(editor.text.slice(0, editor.cursor)) ?? []
  return word === undefined ? step(state) : step(state, [], [{ kind: 'complete', word }])
}

function withoutPicker(state: ChatState): ChatState {
  const { picker: _picker, ...rest } = state
  return rest
}

/** A key while something is to be chosen. */
function onPickerKey(state: ChatState, picker: Picker, key: Key): Step {
  if (key.kind !== 'key') return step(state)
  const { options, index, purpose } = picker
  const move = (by: number): Step => step({ ...state, picker: { ...picker, index: Math.max(0, Math.min(options.length - 1, index + by)) } })
  const chosen = options[index]
  switch (key.name) {
    case 'up':
    case 'ctrl-p':
      return move(-1)
    case 'down':
    case 'ctrl-n':
      return move(1)
    case 'page-up':
      return move(-8)
    case 'page-down':
      return move(8)
    case 'escape':
      return step(withoutPicker(state))
    case 'enter': {
      const actions: readonly Action[] = chosen ? [{ kind: 'pick', purpose, value: chosen.value }] : []
      return step(withoutPicker(state), [], actions)
    }
    default:
      return step(state)
  }
}

/** What a completion came to: the word in place of the begun one, or the names that begin so. */
export function completed(state: ChatState, word: string, found: readonly string[]): ChatState {
  const [only, ...others] = found
  if (only === undefined) return { ...state, hint: `no path begins with ${word}` }
  const shared = found.reduce(sharedBeginning)
  const added = (others.length === 0 ? only : shared).slice(word.length)
  const editor = insert(state.editor, added)
  return others.length === 0 ? { ...state, editor } : { ...state, editor, hint: found.join('  ') }
}

function sharedBeginning(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return one.slice(0, length)
}
