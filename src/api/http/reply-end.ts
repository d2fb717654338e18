/** Runs steps at the end of every reply in one hook, because each hook of Fastify costs as much as several steps. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

type Step = (request: FastifyRequest, reply: FastifyReply) => void

export class ReplyEnd {
  readonly #steps: Step[] = []

  /** @param app without routes */
  constructor(app: FastifyInstance) {
    app.addHook('onResponse', (request, reply, done) => {
      for (const step of this.#steps) step(request, reply)
      done()
    })
  }

  add(step: Step): void {
    this.#steps.push(step)
  }
}
