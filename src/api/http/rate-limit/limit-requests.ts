import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientNetwork } from '../../../core/network.ts'
import type { Limiter } from './limiter.ts'

/** A hook that counts every request of a client, whatever becomes of it. */
export function limitRequests(limiter: Limiter) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.headers(await limiter.admit(clientNetwork(request.ip)))
  }
}
