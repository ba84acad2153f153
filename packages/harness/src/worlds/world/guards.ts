/** The guards of a world, each of which can be taken away. */

/** The guards. */
export interface Guards {
  /** Policies, and the questions that tools ask by themselves. Without it every call runs. */
  readonly permissions: boolean
  /** The file tools: their root, links, protected paths, journals. Without it a path is whatever the operating system makes of it. */
  readonly paths: boolean
  /** How rules for commands read a command. Without it a rule is compared with how the command begins. */
  readonly commands: boolean
  /** Commands run in a sandbox of the operating system. Without it they have all rights of the process. */
  readonly sandbox: boolean
  /** What was read decides what may be sent. Without it every call sends what it likes. */
  readonly taint: boolean
  /** Where requests may go. Without it they go to every address. */
  readonly reach: boolean
  /** Secrets are taken out of results. Without it the models read them. */
  readonly redaction: boolean
  /** Addresses are taken out of replies. Without it a window loads whatever picture an answer has. */
  readonly answers: boolean
  /** What a run may use. Without it there is no limit. */
  readonly limits: boolean
}

/** The name of a guard. */
export type GuardName = keyof Guards

/** Everything that Loom has. */
export const allGuards: Guards = {
  permissions: true,
  paths: true,
  commands: true,
  sandbox: true,
  taint: true,
  reach: true,
  redaction: true,
  answers: true,
  limits: true,
}

/** The names of the guards. */
export const guardNames = Object.keys(allGuards) as readonly GuardName[]

/** Nothing of it. */
export const noGuards: Guards = {
  permissions: false,
  paths: false,
  commands: false,
  sandbox: false,
  taint: false,
  reach: false,
  redaction: false,
  answers: false,
  limits: false,
}

/** All guards but one. */
export const withoutGuard = (name: GuardName): Guards => ({ ...allGuards, [name]: false })
