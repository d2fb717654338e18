/**
 * Limits sign-ins by address and account, for `SIGN_IN_LIMIT=account`. Users of one office have one address and would
 * refuse each other. So each account of an address has the whole limit, and the address has it once for all requests
 * that do not sign anybody in. A request counts for the address until its outcome is known: a burst of guesses is
 * counted before the first is answered.
 */
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientNetwork } from '../../../core/network.ts'
import type { Limiter } from './limiter.ts'
import type { RateLimitVerdict } from './sliding-window.ts'

/** The longest refusal by the count of an address, which a success on another instance may have lowered. */
const maxRefusalMs = 1000

export function limitSignIns(limiter: Limiter) {
  const counted = new WeakMap<FastifyRequest, CountedRequest>()
  return {
    countAddress: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const address = clientNetwork(request.ip)
      const verdict = await limiter.count(address, maxRefusalMs)
      reply.headers(limiter.require(verdict))
      counted.set(request, { address, ofAddress: verdict, ofAccount: null })
    },

    /** Every request for an account counts, whatever its outcome. */
    countAccount: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const state = counted.get(request)
      const name = accountName(request.body)
      if (state === undefined || name === null) return
      const tenantId = request.admitted?.tenant.id ?? ''
      const account = hash('sha256', `${tenantId}\n${name}`)
      state.ofAccount = await limiter.count(`${state.address}:${account}`)
      reply.headers(limiter.require(stricterVerdict(state.ofAddress, state.ofAccount)))
    },

    releaseSuccess: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const state = counted.get(request)
      if (!succeeded.has(reply.statusCode) || state?.ofAccount == null || state.ofAddress.moment === null)
        return
      await limiter.release(state.address, state.ofAddress.moment)
      const ofAddress = { ...state.ofAddress, remaining: state.ofAddress.remaining + 1 }
      reply.headers(limiter.require(stricterVerdict(ofAddress, state.ofAccount)))
    },
  }
}

/** The statuses of a successful sign-in: 200 of the API, 303 of a page that sends the browser on. */
const succeeded: ReadonlySet<number> = new Set([200, 303])

interface CountedRequest {
  address: string
  ofAddress: RateLimitVerdict
  /** `null` before the body was read, and for a body that names no account. */
  ofAccount: RateLimitVerdict | null
}

/** The verdict of the count that is nearer to its limit, or beyond it. */
function stricterVerdict(a: RateLimitVerdict, b: RateLimitVerdict): RateLimitVerdict {
  if (a.isAllowed !== b.isAllowed) return a.isAllowed ? b : a
  return a.remaining < b.remaining ? a : b
}

/** The name as it was typed: counting by account would reveal that a user name and an email belong together. */
function accountName(body: unknown): string | null {
  const fields = body instanceof Uint8Array ? readFields(body) : body
  if (typeof fields !== 'object' || fields === null || !('userName' in fields)) return null
  return typeof fields.userName === 'string' ? fields.userName.toLowerCase() : null
}

/** The form of a page. Its second step gives a code, and has a token of the first step instead of the name. */
function readFields(bytes: Uint8Array): { userName?: string } {
  const form = new URLSearchParams(new TextDecoder().decode(bytes))
  const userName = form.getAll('userName').at(-1) ?? form.getAll('token').at(-1)
  return userName === undefined ? {} : { userName }
}
