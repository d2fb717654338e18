import type { BrowsedRows } from '../../core/feature/browsed.ts'
import type { Feature } from '../../core/feature/feature.ts'
import { type Route, route } from '../../core/feature/route.ts'
import { SearchQuery, SearchReply } from './schema.ts'
import { search } from './search.ts'

function searchRoute(sources: readonly BrowsedRows[]): Route {
  return route({
    method: 'GET',
    path: '/api/search',
    name: 'search',
    summary: 'Search all entities',
    description:
      'Finds rows of every entity that the caller lists and whose definition has `search`, by the members that the caller reads. An id finds its row in any entity.',
    tag: 'Entities',
    access: 'user',
    accessOfParts: sources.map(({ access }) => access),
    query: SearchQuery,
    refusesUnknownParameters: true,
    reply: SearchReply,
    errors: ['tooManyRequests'],
    handle: (context, { query }) => search(context, sources, query),
  })
}

export function searchFeature(sources: readonly BrowsedRows[]): Feature {
  return { name: 'search', routes: [searchRoute(sources)] }
}
