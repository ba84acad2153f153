/** Names that other libraries use for what Loom calls something else. An error about one of them suggests Loom's name. */

/** An option of Loom, and how to write it where the foreign name stands for a part of it. */
type Meaning = readonly [option: string, written?: string]

const settings = (name: string): Meaning => ['settings', `settings: { ${name} }`]
const limit = (name: string): readonly Meaning[] => [[name], ['limits', `limits: { ${name} }`]]

/** Of several meanings the first one that is an option where the name was given counts. */
const meanings: Readonly<Record<string, readonly Meaning[]>> = {
  // agents
  system: [['instructions']],
  systemPrompt: [['instructions']],
  systemMessage: [['instructions']],
  llm: [['model']],
  handoffs: [['tools']],
  subagents: [['tools']],
  checkpointer: [['journal']],
  store: [['journal']],
  memory: [['journal']],
  outputSchema: [['output']],
  outputType: [['output']],
  responseFormat: [['output']],
  experimental_output: [['output']],
  middleware: [['hooks']],
  inputGuardrails: [['hooks']],
  outputGuardrails: [['hooks']],
  maxSteps: limit('turns'),
  maxTurns: limit('turns'),
  maxIterations: limit('turns'),
  recursionLimit: limit('turns'),
  stopWhen: limit('turns'),
  maxCost: limit('cost'),
  maxRetries: [['attempts'], ['behaviour', 'behaviour: { attempts }']],
  // model calls
  maxTokens: [['maxOutputTokens'], settings('maxOutputTokens')],
  maxOutputTokens: [settings('maxOutputTokens')],
  temperature: [settings('temperature')],
  topP: [settings('topP')],
  topK: [settings('topK')],
  seed: [settings('seed')],
  stop: [['stopSequences'], settings('stopSequences')],
  stopSequences: [settings('stopSequences')],
  toolChoice: [settings('toolChoice')],
  providerOptions: [settings('providerOptions')],
  modelSettings: [['settings']],
  // runs
  sessionId: [['thread']],
  session: [['thread']],
  threadId: [['thread']],
  conversationId: [['thread']],
  abortSignal: [['signal']],
  experimental_context: [['deps']],
  // tools
  execute: [['run']],
  handler: [['run']],
  func: [['run']],
  invoke: [['run']],
  inputSchema: [['input']],
  parameters: [['input']],
  args: [['input']],
  schema: [['input'], ['output']],
  needsApproval: [['permission', "permission: 'ask'"]],
}

/** What the input of a run is called elsewhere. */
const inputs = ['prompt', 'messages', 'input', 'task', 'query']

/** What to do about a name that belongs to another library; undefined when no library is known to use it for one of the options. */
export function adviceFor(name: string, known: readonly string[]): string | undefined {
  const found = Object.hasOwn(meanings, name) ? meanings[name]?.find(([option]) => known.includes(option)) : undefined
  if (found) return `Did you mean "${found[1] ?? found[0]}"?`
  const isAgent = known.includes('instructions')
  if (inputs.includes(name) && (isAgent || known.includes('thread'))) return 'Give it to the run, as its first argument: agent.run("...").'
  return undefined
}
