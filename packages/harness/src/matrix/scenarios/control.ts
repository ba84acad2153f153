/** Scenarios in which the user interrupts. */
import { memoryJournal, setBreakpoints, type Tool, tool } from '@loom-agent/agent'
import { storedFrame } from '@loom-agent/agent/kit'
import type { Journal } from '@loom-agent/kernel'
import type { CrashScenario, ProcessContext } from '@loom-agent/testing/crash'
import { type AgentScript, calls, interrupted, look, pay, scenario, stoppedAfter, stuck, until } from './tools.ts'

const asking = (context: ProcessContext): AgentScript => ({
  tools: [pay(context)],
  permissions: { pay: 'ask' },
  says: [calls('pay'), 'One.', 'Two.'],
})

/** Sets breakpoints while its own run is under way. What needs the journal alone has the clock of the platform, and these threads have another one. */
const arm = ({ journal }: ProcessContext): Tool =>
  tool({
    name: 'arm',
    effect: 'idempotent',
    async run(_input, { thread }) {
      const { time } = await storedFrame(journal, thread)
      const timed: Journal = { ...journal, append: (to, batch) => journal.append(to, { ...batch, time }) }
      await setBreakpoints(timed, thread, [{ tool: 'pay' }, { hook: 'beforeModelCall', once: true }, { hook: 'afterIterationEnd' }])
    },
  })

/** Scenarios about control. */
export const controlScenarios: readonly CrashScenario[] = [
  scenario(
    'a stop while a call runs',
    (context) => ({ tools: [stuck(context), look], says: [calls('stuck', 'look'), 'Done.'] }),
    stoppedAfter({ mark: 'stuck' }),
  ),
  scenario(
    'a stop while a call runs that may happen once',
    (context) => ({ tools: [stuck(context, 'unsafe'), pay(context)], says: [calls('stuck', 'pay'), 'Done.'] }),
    stoppedAfter('tool.started'),
  ),
  scenario('a stop while the model streams', () => ({ says: [{ text: 'I am speaking', stallAfter: 3 }] }), stoppedAfter('model.requested')),
  scenario('a stop while it waits', asking, { ...stoppedAfter('question.asked'), answer: () => undefined }),
  scenario(
    'a steered message while it works',
    (context) => ({ tools: [until(context, 'message.steered')], says: [calls('until'), 'Done.', 'And that.'] }),
    interrupted('tool.started', 'message.steered', (run) => run.steer('Also this.', { by: 'ann' })),
  ),
  scenario(
    'a steered message at the last moment',
    ({ seen }) => ({ says: [() => ({ text: 'Done.', until: seen('message.steered') }), 'And that.'] }),
    interrupted('model.requested', 'message.steered', (run) => run.steer('Also this.')),
  ),
  scenario(
    'a pause',
    (context) => ({ tools: [until(context, 'run.pause-requested')], says: [calls('until'), 'Done.'] }),
    interrupted('tool.started', 'run.pause-requested', (run) => run.pause({ by: 'ann' })),
  ),
  scenario('breakpoints', (context) => ({ tools: [arm(context), pay(context)], says: [calls('arm'), calls('pay'), 'Done.'] }), {
    async play(user) {
      // What sets breakpoints is loaded on use: the clock of the scenario would pass the time of the call meanwhile.
      await setBreakpoints(memoryJournal(), 'none', []).catch(() => {})
      await user.input('Go.')
    },
  }),
  scenario('an input while it waits', asking, { play: (user) => user.inputs('First.', 'Second.') }),
]
