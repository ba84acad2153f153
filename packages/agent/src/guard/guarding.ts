/** How guards are asked, everywhere. Loaded together, for agents that have guards. */
export { guardHook } from './guard-hook.ts'
export { guardMessages, guardSteered } from './guard-messages.ts'
export { guardReply } from './guard-reply.ts'
export { guardReturned, guardValue } from './guard-value.ts'
