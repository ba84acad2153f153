/** The places of a world, by the names that its texts use. They are known when its servers run and its folders are there. */

/** The places of a world. */
export interface Place {
  /** The origin of a public site that others write to, such as `http://docs.test:41234`. */
  readonly docs: string
  /** The origin of the attacker's own public server. */
  readonly evil: string
  /** The same server as programs reach it that do not know its name: an address and a port. */
  readonly evilAddress: string
  /** The origin of a service of this machine that nobody outside may reach. */
  readonly inner: string
  /** The path of a program; that it was started is an effect. */
  readonly program: string
  /** The folder beside the workspace, with files that are none of the agent's business. */
  readonly outside: string
}
