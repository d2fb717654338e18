import type { HomePart } from '../../core/feature/browsed.ts'
import type { Feature } from '../../core/feature/feature.ts'
import { type Access, route } from '../../core/feature/route.ts'
import { type HomeSources, readHome } from './home.ts'
import { Home } from './schema.ts'

/** The feature of what the console's home page shows. @param baseUrl the public address of the service */
export function homeFeature({ rows, homes }: HomeSources, baseUrl: string): Feature {
  const sources = { rows, homes: [...homes, addressHome(baseUrl)] }
  return {
    name: 'home',
    routes: [
      route({
        method: 'GET',
        path: '/api/home',
        name: 'getHome',
        summary: 'Get what the first page shows',
        description:
          'Figures of the entities that the caller lists, what waits for somebody, the rows that the caller changed last, and the steps of setting up.',
        tag: 'Entities',
        access: 'user',
        accessOfParts: accessesIn(sources),
        reply: Home,
        errors: ['tooManyRequests'],
        handle: (context) => readHome(context, sources),
      }),
    ],
  }
}

function accessesIn({ rows, homes }: HomeSources): Access[] {
  const parts = homes.flatMap(({ needs = [], steps = [] }) => [...needs, ...steps])
  return [...rows, ...parts].map(({ access }) => access)
}

function addressHome(baseUrl: string): HomePart {
  return {
    steps: [
      {
        kind: 'publicAddress',
        access: 'operation:read',
        isOfHost: true,
        isDone: async () => baseUrl.startsWith('https:'),
      },
    ],
  }
}
