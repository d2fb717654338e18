import type { FastifyInstance } from 'fastify'

/** By method and path, e.g. `GET /api/products/:id`; HEAD goes with every GET and is left out. */
export function mountedRoutes(app: FastifyInstance): string[] {
  const found: string[] = []
  const parents: string[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (.*) \((.*)\)$/.exec(line) ?? []
    const depth = indent.length / 4
    const path = (parents[depth - 1] ?? '') + part
    parents[depth] = path
    // Fastify prints no slash before a wildcard.
    const address = path.replace(/(?<!\/)\*$/, '/*')
    for (const method of methods.split(', ')) {
      if (method !== '' && method !== 'HEAD') found.push(`${method} ${address}`)
    }
  }
  return found
}
