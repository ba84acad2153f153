/** A page that shows a chat: the chat of the AI SDK with its own transport, without a framework. */
import {
  AbstractChat,
  type ChatState,
  type ChatStatus,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from 'ai'

class State implements ChatState<UIMessage> {
  status: ChatStatus = 'ready'
  error: Error | undefined
  messages: UIMessage[] = []
  pushMessage = (message: UIMessage): void => {
    this.messages = [...this.messages, message]
  }
  popMessage = (): void => {
    this.messages = this.messages.slice(0, -1)
  }
  replaceMessage = (index: number, message: UIMessage): void => {
    this.messages = this.messages.with(index, structuredClone(message))
  }
  snapshot = <T>(thing: T): T => structuredClone(thing)
}

class Chat extends AbstractChat<UIMessage> {}

/** A page that shows the chat `c`. It sends the answers to approvals when all are given. */
export function page(api: string, messages: UIMessage[] = []): Chat {
  const state = new State()
  state.messages = messages
  const transport = new DefaultChatTransport<UIMessage>({ api })
  return new Chat({ id: 'c', state, transport, sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses })
}

/** The parts of a message, and of texts what they say. */
export const partsOf = (message: UIMessage | undefined): readonly object[] =>
  (message?.parts ?? []).filter(({ type }) => type !== 'step-start').map((part) => ('text' in part ? { type: part.type, text: part.text } : part))

/** What a message says. */
export const textOf = (message: UIMessage | undefined): string =>
  (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
