/**
 * Grants: approvals that are remembered beyond a thread.
 *
 * REMEMBER-1. A grant answers a question; it is no rule. Where a rule denies, nothing is asked, so no grant can loosen it.
 * REMEMBER-2. A grant is bound to what was approved: the tool's definition, the deciding rules and, unless it covers the tool, the arguments. When one of
 *     them changes, people are asked again.
 *     A command is bound to the content of its scripts, too (REMEMBER-5).
 * REMEMBER-3. A grant ends: by its time, or when it is revoked, which every process sees at its next question.
 */
import { createHash } from 'node:crypto'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { approve, type Question, type Resolver } from '@loom-agent/agent'
import { checkOptions, expected } from '@loom-agent/agent/kit'
import { LoomError } from '@loom-agent/kernel'
import { type Grant, readGrants, removeGrant, writeGrant } from './grant-folder.ts'
import { type ScriptVersion, scriptsOf } from './scripts.ts'

/** The options of `grants()`. */
export interface GrantsOptions {
  /** The folder that keeps them. It must be outside of the project: what tools can write there would approve itself. */
  readonly folder: string
  /** The folder of the project that they hold for. */
  readonly project: string
  /** The folder in which commands run; default: `project`. */
  readonly cwd?: string
  /** Milliseconds that a grant holds; default 30 days. */
  readonly lasts?: number
  /** Tools that can be granted call by call only; default `bash`: what it does is in its arguments. */
  readonly never?: readonly string[]
  /** Milliseconds since 1970; default: the clock of the system. */
  readonly now?: () => number
}

/** What a grant is to cover. */
export interface RememberOptions {
  /** Who gives it. */
  readonly by: string
  /** The same arguments alone, or all calls of the tool under the same rules; default `arguments`. */
  readonly covers?: Grant['covers']
  /** Milliseconds that it holds; default: as the options of `grants()` say. */
  readonly lasts?: number
}

/** The grants of a project. */
export interface Grants {
  /** Remembers that calls such as the one that this question asks about may run. */
  remember(question: Question, options: RememberOptions): Promise<Grant>
  /** The grants of the project that have not ended, the oldest first. */
  list(): Promise<readonly Grant[]>
  /** Ends a grant; false when there is none of this id. */
  revoke(id: string): Promise<boolean>
  /** A resolver for `onQuestion`: it approves what a grant covers, and leaves the rest to `next`. */
  resolver(next?: Resolver): Resolver
}

const day = 24 * 60 * 60 * 1000

/**
 * The grants of a project, kept in a folder of files.
 *
 * @example
 * const remembered = grants({ folder: join(homedir(), '.config/loom/grants'), project: process.cwd() })
 * agent({ model, tools, onQuestion: remembered.resolver(askTheUser) })
 */
export function grants(options: GrantsOptions): Grants {
  checkOptions('grants', options, {
    folder: expected.required({ ...expected.name, words: 'the path of a folder' }),
    project: expected.required({ ...expected.name, words: 'the path of a folder' }),
    cwd: expected.name,
    lasts: expected.finite(1),
    never: expected.list(expected.text, 'a list of names'),
    now: expected.function,
  })
  const { lasts = 30 * day, never = ['bash'], now = Date.now } = options
  const [folder, project] = [resolve(options.folder), resolve(options.project)]
  const cwd = resolve(options.cwd ?? project)
  if (isInside(project, folder)) {
    throw new LoomError('LOOM_OPTION_INVALID', `grants: the folder ${folder} is in the project ${project}. Give one that its tools cannot write.`, {
      context: { folder, project },
    })
  }
  const list = async (): Promise<readonly Grant[]> => {
    const all = await readGrants(folder)
    return all.filter((grant) => grant.project === project && grant.expires > now()).sort((a, b) => a.at - b.at)
  }
  return {
    list,
    async remember(question, given) {
      checkOptions('remember', given, {
        by: expected.required(expected.name),
        covers: expected.oneOf('arguments', 'tool'),
        lasts: expected.finite(1),
      })
      const covers = given.covers ?? 'arguments'
      const { tool, bound } = boundOf(question, covers)
      if (covers === 'tool' && never.includes(tool)) {
        throw notGranted(question, `${tool} is granted call by call: what it does is in its arguments. Leave out covers: 'tool'.`)
      }
      const scripts = covers === 'tool' ? [] : await scriptsIn(question, cwd)
      if (!scripts) throw notGranted(question, 'It runs more or larger files than a grant can be bound to.')
      const at = now()
      const bounds = { project, tool, bound, covers, ...(scripts.length > 0 && { scripts }) }
      const facts = { ...bounds, by: given.by, at, expires: at + (given.lasts ?? lasts) }
      const grant: Grant = { id: createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32), ...facts }
      await writeGrant(folder, grant)
      return grant
    },
    revoke: (id) => removeGrant(folder, id),
    resolver: (next) => async (question) => {
      const asksOne = question.digest !== undefined && question.approvers === 1
      const given = asksOne ? (await list()).filter((grant) => isCovered(grant, question)) : []
      const scripts = given.some(({ covers }) => covers === 'arguments') ? await scriptsIn(question, cwd) : []
      const found = given.find((grant) => grant.covers === 'tool' || JSON.stringify(grant.scripts ?? []) === JSON.stringify(scripts))
      return found ? approve({ by: `${found.by} (grant ${found.id})` }) : next?.(question)
    },
  }
}

/** Whether one folder is, or lies in, another. */
function isInside(outer: string, inner: string): boolean {
  const way = relative(outer, inner)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}

/** The scripts of the command that a question asks about; none for other calls. */
async function scriptsIn({ call }: Question, cwd: string): Promise<readonly ScriptVersion[] | undefined> {
  const input = call?.input
  const { command, cwd: below = '.' } = (expected.object.fits(input) ? input : {}) as { readonly command?: unknown; readonly cwd?: unknown }
  return typeof command === 'string' && typeof below === 'string' ? scriptsOf(command, resolve(cwd, below)) : []
}

/** What a grant is bound to: the digest of an approval, or the half of it that leaves out the arguments. */
function boundOf(question: Question, covers: Grant['covers']): { readonly tool: string; readonly bound: string } {
  const { call, digest, approvers } = question
  if (question.kind !== 'approval' || !call || digest === undefined) {
    throw notGranted(question, 'It does not ask whether a call may run. Only approvals of calls can be remembered.')
  }
  if (approvers > 1) throw notGranted(question, `${approvers} people must approve it, each call for itself.`)
  return { tool: call.tool, bound: covers === 'tool' ? withoutArguments(digest) : digest }
}

const withoutArguments = (digest: string): string => digest.slice(0, digest.indexOf('.'))

function isCovered({ tool, covers, bound }: Grant, { kind, call, digest = '' }: Question): boolean {
  return kind === 'approval' && call?.tool === tool && bound === (covers === 'tool' ? withoutArguments(digest) : digest)
}

function notGranted({ id }: Question, why: string): LoomError {
  return new LoomError('LOOM_OPTION_INVALID', `The question ${id} cannot be granted. ${why}`, { context: { question: id } })
}
