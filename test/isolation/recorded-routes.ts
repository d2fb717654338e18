import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'

/**
 * Runs `start` and records every route that a Fastify instance made meanwhile is given, in whatever way: by a
 * feature, by a plugin or by hand, as `GET /api/products/:id`.
 */
export async function recordRoutes<T>(start: () => Promise<T>): Promise<{ result: T; routes: string[] }> {
  const routes: string[] = []
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance } // the channel's documented message
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) routes.push(`${each} ${url}`)
    })
  }
  subscribe('fastify.initialization', listen)
  try {
    return { result: await start(), routes }
  } finally {
    unsubscribe('fastify.initialization', listen)
  }
}
